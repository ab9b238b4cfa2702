// 40 holds, one of 1.2 s and one that fails after 2 s; spans and metrics by OTLP over HTTP.
const { trace, SpanStatusCode, context } = require('@opentelemetry/api');
const { BasicTracerProvider, BatchSpanProcessor } = require('@opentelemetry/sdk-trace-base');
const { OTLPTraceExporter } = require('@opentelemetry/exporter-trace-otlp-http');
const { OTLPMetricExporter } = require('@opentelemetry/exporter-metrics-otlp-http');
const { MeterProvider, PeriodicExportingMetricReader, AggregationType } = require('@opentelemetry/sdk-metrics');
const { resourceFromAttributes } = require('@opentelemetry/resources');
const resource = resourceFromAttributes({ 'service.name': 'checkout', 'service.instance.id': 'pod-1' });
const url = 'http://127.0.0.1:14318';
const tracers = new BasicTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url: url + '/v1/traces' }), { maxExportBatchSize: 20, scheduledDelayMillis: 1000 })] });
const temporality = process.argv[2] === 'delta' ? 0 : 1;
const reader = new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter({ url: url + '/v1/metrics', temporalityPreference: temporality }), exportIntervalMillis: 1500 });
const meters = new MeterProvider({ resource, readers: [reader], views: [
  { instrumentName: 'lock.wait', aggregation: { type: AggregationType.EXPONENTIAL_HISTOGRAM, options: { maxSize: 40 } } } ] });
const tracer = tracers.getTracer('locks', '1.0'), meter = meters.getMeter('locks', '1.0');
const seconds = meter.createHistogram('lock.hold', { unit: 's' });
const millis = meter.createHistogram('lock.hold.ms', { unit: 'ms' });
const wait = meter.createHistogram('lock.wait', { unit: 's' });
const sleep = ms => new Promise(r => setTimeout(r, ms));
(async () => {
  for (let i = 0; i < 40; i++) {
    const began = performance.now();
    const span = tracer.startSpan('lock.hold', { attributes: { 'lock.name': 'stock' } });
    if (i % 4 === 0) {
      const child = tracer.startSpan('sql', {}, trace.setSpan(context.active(), span));
      await sleep(2); child.end();
    }
    if (i === 11) await sleep(1200);
    else if (i === 30) { await sleep(2000); span.setStatus({ code: SpanStatusCode.ERROR, message: 'timeout' }); }
    else await sleep(2 + i % 7);
    span.end();
    const took = performance.now() - began;
    seconds.record(took / 1000, { lock: 'stock' }); millis.record(took, { lock: 'stock' }); wait.record(took / 1000 / 3, { lock: 'stock' });
    console.log(took);
  }
  await tracers.shutdown(); await meters.shutdown();
})();
