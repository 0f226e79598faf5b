import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Collector, startCollector } from '../../test/support/collector.ts';
import { systemClock } from './clock.ts';
import { createExporter, type SpanExporter } from './otlp.ts';
import { createTracer, type Tracer } from './trace.ts';

describe('Spans', () => {
  let collector: Collector;
  let exporter: SpanExporter;
  let tracer: Tracer;
  const failures: unknown[] = [];
  const start = (url: string, share = 1) => {
    exporter = createExporter({
      url,
      headers: { 'x-key': 'k' },
      resource: { 'service.name': 'here' },
      timeoutMs: 300,
      onFailure: (error) => failures.push(error),
    });
    tracer = createTracer({ clock: systemClock, share, ended: exporter.add });
  };
  const one = (name: string) => tracer.inSpan({ name, kind: 'internal' }, async () => {});

  beforeEach(async () => {
    failures.length = 0;
    collector = await startCollector();
    start(`${collector.url}/v1/traces`);
  });
  afterEach(async () => {
    await exporter.close();
    await collector.close();
  });

  it('arrive with what they belong to, when they were and how they ended', async () => {
    const before = BigInt(systemClock.now() - 1_000) * 1_000_000n;
    await tracer.inSpan({ name: 'outer', kind: 'server', attributes: { n: 7, s: 'x' } }, async () => {
      await tracer.inSpan({ name: 'inner', kind: 'client' }, async () => {});
      await tracer
        .inSpan({ name: 'failing', kind: 'client' }, () => Promise.reject(new TypeError('secret words')))
        .catch(() => {});
    });
    await exporter.close();
    const [inner, failing, outer] = collector.spans;
    expect(outer).toMatchObject({ name: 'outer', kind: 2, attributes: { n: '7', s: 'x' }, isFailed: false });
    expect(outer?.parentSpanId).toBeUndefined();
    expect(inner).toMatchObject({ kind: 3, traceId: outer?.traceId, parentSpanId: outer?.spanId });
    expect(failing).toMatchObject({ isFailed: true, attributes: { 'error.type': 'TypeError' } });
    expect(collector.bodies.join()).not.toContain('secret words');
    for (const span of collector.spans) {
      expect(span.resource).toEqual({ 'service.name': 'here' });
      expect(span.startNs).toBeGreaterThan(before);
      expect(span.endNs).toBeGreaterThanOrEqual(span.startNs);
      expect(span.startNs >= (outer?.startNs ?? 0n) && span.endNs <= (outer?.endNs ?? 0n)).toBe(true);
    }
    expect(collector.headers[0]).toMatchObject({ 'x-key': 'k', 'content-type': 'application/json' });
  });

  it("go on with the asker's trace, and are left out where the asker leaves theirs out", async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const asked = (traceparent: string) =>
      tracer.inSpan({ name: traceparent, kind: 'server', traceparent }, () => one('part'));
    await asked(`00-${trace}-00f067aa0ba902b7-01`);
    await asked(`00-${trace}-00f067aa0ba902b7-00`);
    for (const broken of [`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, `ff-${trace}-00f067aa0ba902b7-01`, 'x'])
      await asked(broken);
    await exporter.close();
    const [part, first, ...rest] = collector.spans;
    expect(first).toMatchObject({ traceId: trace, parentSpanId: '00f067aa0ba902b7' });
    expect(part).toMatchObject({ traceId: trace, parentSpanId: first?.spanId });
    expect(rest).toHaveLength(6);
    for (const span of rest) expect(span.traceId).not.toBe(trace);
  });

  it('are a share of all, with all their parts or none', async () => {
    await exporter.close();
    start(`${collector.url}/v1/traces`, 0.25);
    for (let n = 0; n < 400; n++) await tracer.inSpan({ name: 'whole', kind: 'server' }, () => one('part'));
    await exporter.close();
    const wholes = collector.spans.filter(({ name }) => name === 'whole');
    expect(wholes.length).toBeGreaterThan(50);
    expect(wholes.length).toBeLessThan(160);
    expect(collector.spans).toHaveLength(wholes.length * 2);
  });

  it('wait for a collector that is away up to a bound, are counted beyond it, and arrive when it is back', async () => {
    collector.answer = { status: 503, body: '', afterMs: 0 };
    for (let n = 0; n < 5_000; n++) await one(`n${n}`);
    expect(exporter.counts()).toEqual({ exported: 0, dropped: 5_000 - 2_048 });
    while (collector.asked() === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(failures).toHaveLength(1);
    collector.answer = { status: 200, body: '{"partialSuccess":{"rejectedSpans":"2"}}', afterMs: 0 };
    await exporter.close();
    expect(collector.spans).toHaveLength(2_048);
    expect(collector.spans[0]?.name).toBe('n0');
    // Four batches, of which the collector says that it did not take two each.
    expect(exporter.counts()).toEqual({ exported: 2_048 - 8, dropped: 5_000 - 2_048 + 8 });
  });

  it('that a collector refuses are not sent again', async () => {
    collector.answer = { status: 400, body: '', afterMs: 0 };
    await one('x');
    await exporter.close();
    expect([collector.asked(), exporter.counts()]).toEqual([1, { exported: 0, dropped: 1 }]);
    expect(failures).toHaveLength(1);
  });

  it('do not keep a process that ends from ending', async () => {
    collector.answer = { status: 200, body: '{}', afterMs: 10_000 };
    for (let n = 0; n < 600; n++) await one('x');
    const began = performance.now();
    await exporter.close();
    expect(performance.now() - began).toBeLessThan(5_000);
    expect(exporter.counts().dropped).toBe(600);
  });
});
