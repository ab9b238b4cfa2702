// Allocates for a second, so that --trace-gc has something to trace.
const end = Date.now() + 1000;
let kept = [];
while (Date.now() < end) {
  kept.push({ at: Date.now(), text: 'x'.repeat(64), list: new Array(32).fill(0) });
  if (kept.length > 60000) kept = kept.slice(30000);
}
