import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Collector, startCollector } from '../../test/support/collector.ts';
import { waitedMsSince } from '../../test/support/cpu-time.ts';
import type { Database } from '../team/postgres/connect.ts';
import { startTraces, type Traces } from './team-trace.ts';

const url = 'http://team.example.org/api/v1/projects';
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';

describe('Traces', () => {
  let collector: Collector;
  let traces: Traces;
  const failures: unknown[] = [];
  const start = (env: Record<string, string> = {}) => {
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url);
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    traces = startTraces('1.2.3', (error) => failures.push(error));
  };
  const ask = (headers: Record<string, string> = {}, work: () => Promise<unknown> = async () => {}) =>
    traces.around(new Request(url, { headers }), async () => {
      await work();
      return new Response();
    });

  beforeEach(async () => {
    failures.length = 0;
    collector = await startCollector();
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await collector.close();
  });

  it('reach the collector', async () => {
    start();
    await ask();
    await traces.close();
    expect(collector.spans).toMatchObject([
      { name: 'GET', kind: 2, resource: { 'service.name': 'backstory-team', 'service.version': '1.2.3' } },
    ]);
    expect(failures).toEqual([]);
  });

  it('continue an incoming traceparent, follow its decision to sample, and ignore an invalid one', async () => {
    start();
    await ask({ traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
    await ask({ traceparent: `00-${traceId}-00f067aa0ba902b7-00` });
    await ask({ traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` });
    await traces.close();
    expect(collector.spans).toHaveLength(2);
    expect(collector.spans[0]).toMatchObject({ traceId, parentSpanId: '00f067aa0ba902b7' });
    expect(collector.spans[1]?.traceId).not.toBe(traceId);
    expect(collector.spans[1]?.parentSpanId).toBeUndefined();
  });

  it('record a failure by its type, never by its message', async () => {
    start();
    const embedder = traces.embedder({
      id: 'm',
      dims: 1,
      embed: () => Promise.reject(new TypeError('secret words')),
    });
    await ask({}, () => embedder.embed(['x']).catch(() => {}));
    await traces.close();
    const [embedding, request] = collector.spans;
    expect(embedding).toMatchObject({
      name: 'embeddings m',
      parentSpanId: request?.spanId,
      isFailed: true,
      attributes: { 'error.type': 'TypeError', 'backstory.texts': '1' },
    });
    expect(request?.isFailed).toBe(false);
    expect(collector.bodies.join()).not.toContain('secret words');
  });

  it('contain no query that runs outside of a request or after it ended', async () => {
    start();
    const database = traces.database({ query: async () => [] } as unknown as Database);
    const query = (table: string) => database.query(`select 1 from backstory.${table}`);
    await query('before');
    const answered = Promise.withResolvers<void>();
    let background: Promise<unknown> | undefined;
    await ask({}, async () => {
      await query('during');
      background = answered.promise.then(() => query('after'));
    });
    answered.resolve();
    await background;
    await traces.close();
    expect(collector.spans.map(({ name }) => name)).toEqual(['select during', 'GET']);
  });

  it('are sampled as OTEL_TRACES_SAMPLER says', async () => {
    start({ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.25' });
    for (let n = 0; n < 400; n++) await ask();
    await traces.close();
    expect(collector.spans.length).toBeGreaterThan(50);
    expect(collector.spans.length).toBeLessThan(160);

    start({ OTEL_TRACES_SAMPLER: 'always_off' });
    await ask({ traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
    await traces.close();
    expect(collector.spans.filter((span) => span.traceId === traceId)).toEqual([]);
  });

  it('that the collector refuses are reported as failures', async () => {
    start({ OTEL_BSP_MAX_QUEUE_SIZE: '2', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '2' });
    collector.status = 400;
    for (let n = 0; n < 5; n++) await ask();
    await traces.close();
    expect(failures.length).toBeGreaterThan(0);
  });

  it('do not delay the end of the process by more than two seconds', async () => {
    start();
    collector.status = 'none';
    await ask();
    const waited = waitedMsSince();
    await traces.close();
    expect(waited()).toBeLessThan(4_000);
  });

  it('are refused an endpoint that could never work', () => {
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4317');
    expect(() => startTraces('0', () => {})).toThrow('http or https URL');
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector:4317');
    vi.stubEnv('OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc');
    expect(() => startTraces('0', () => {})).toThrow('not gRPC');
  });
});
