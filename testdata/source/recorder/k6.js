// Records 200 lock holds in a trend of k6, drawn from a fixed sequence instead
// of being slept.
import { Trend } from 'k6/metrics';

const hold = new Trend('lock_hold', true);
export const options = { vus: 1, iterations: 200, summaryTrendStats: ['count', 'avg', 'min', 'med', 'max', 'p(90)', 'p(95)', 'p(99)', 'p(99.9)'] };

let state = 1;
export default function () {
  state = (state * 48271) % 2147483647;
  hold.add(-8 * Math.log(1 - state / 2147483647));
}

export function handleSummary(data) {
  return { 'k6-summary.json': JSON.stringify({ root_group: data.root_group, metrics: { lock_hold: data.metrics.lock_hold, iterations: data.metrics.iterations } }) };
}
