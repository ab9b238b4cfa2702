// A page of prom-client: 300 holds, and an event loop that stood for 700 ms.
const prom = require('prom-client');
prom.collectDefaultMetrics({ eventLoopMonitoringPrecision: 10 });
const h = new prom.Histogram({ name: 'lock_hold_seconds', help: 'time from taking the lock to releasing it', labelNames: ['lock'] });
const sleep = ms => new Promise(r => setTimeout(r, ms));
(async () => {
  for (let i = 0; i < 300; i++) {
    const end = h.startTimer({ lock: 'stock' });
    if (i === 150) { const until = Date.now() + 700; while (Date.now() < until); } else await sleep(i % 50 === 7 ? 120 : 1 + i % 5);
    end();
  }
  process.stdout.write(await prom.register.metrics());
})();
