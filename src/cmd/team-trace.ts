import { systemClock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { createExporter } from '../base/otlp.ts';
import { createTracer } from '../base/trace.ts';
import { traceEmbedder } from '../models/traced-embed.ts';
import type { Metrics } from '../team/http/metrics.ts';
import { traceMetrics, traceRequests } from '../team/http/traced-requests.ts';
import type { TeamParts } from '../team/parts.ts';
import type { Database } from '../team/postgres/connect.ts';
import { traceDatabase } from '../team/postgres/traced-database.ts';
import type { TeamStore } from '../team/store/team-store.ts';

export interface Traces {
  around: ReturnType<typeof traceRequests>;
  database(database: Database): Database;
  store(store: TeamStore): TeamStore;
  embedder(embedder: TeamParts['embedder']): TeamParts['embedder'];
  metrics(metrics: Metrics): Metrics;
  close(): Promise<void>;
}

type Environment = Record<string, string | undefined>;

const usualTimeoutMs = 10_000;

/** Traces of a team server, for whoever set OpenTelemetry's variables; loaded by nobody else. */
export function startTraces(
  env: Environment,
  version: string,
  onFailure: (error: unknown, where: string) => void,
): Traces {
  const exporter = createExporter({
    url: endpointIn(env),
    headers: {
      ...pairsIn('OTEL_EXPORTER_OTLP_HEADERS', env),
      ...pairsIn('OTEL_EXPORTER_OTLP_TRACES_HEADERS', env),
    },
    resource: {
      'service.name': 'backstory-team',
      'service.version': version,
      ...pairsIn('OTEL_RESOURCE_ATTRIBUTES', env),
      ...(env.OTEL_SERVICE_NAME === undefined ? {} : { 'service.name': env.OTEL_SERVICE_NAME }),
    },
    timeoutMs: Number(env.OTEL_EXPORTER_OTLP_TIMEOUT) || usualTimeoutMs,
    onFailure: (error) => onFailure(error, 'traces'),
  });
  const tracer = createTracer({ clock: systemClock, share: shareIn(env), ended: exporter.add });
  return {
    around: traceRequests(tracer),
    database: (database) => traceDatabase(database, tracer),
    store: (store) => ({
      ...store,
      jobs: {
        ...store.jobs,
        inJob: (job, work) =>
          tracer.inSpan({ name: `job ${job.kind}`, kind: 'internal' }, () => store.jobs.inJob(job, work)),
      },
    }),
    embedder: (source) => async () => {
      const embedder = await source();
      return embedder === undefined ? undefined : traceEmbedder(embedder, tracer);
    },
    metrics: (metrics) => traceMetrics(metrics, tracer, exporter.counts),
    close: exporter.close,
  };
}

function endpointIn(env: Environment): string {
  const own = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? '';
  const url = own !== '' ? own : `${(env.OTEL_EXPORTER_OTLP_ENDPOINT ?? '').replace(/\/+$/, '')}/v1/traces`;
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? env.OTEL_EXPORTER_OTLP_PROTOCOL ?? '';
  if (protocol === 'grpc')
    throw new AppError('INVALID_ARGUMENT', 'traces are sent over HTTP, not gRPC', {
      hint: 'OTEL_EXPORTER_OTLP_PROTOCOL=http/json with the HTTP port of the collector, usually 4318',
    });
  if (/^https?:$/.test(URL.parse(url)?.protocol ?? '')) return url;
  throw new AppError('INVALID_ARGUMENT', 'the address of the collector is no http address', {
    hint: 'OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318',
  });
}

/** `key=value,key=value`, with the values as in an address. */
function pairsIn(name: string, env: Environment): Record<string, string> {
  const pairs = (env[name] ?? '').split(',').filter((pair) => pair.includes('='));
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at).trim(), plain(pair.slice(at + 1).trim(), name)];
    }),
  );
}

function plain(text: string, name: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new AppError('INVALID_ARGUMENT', `${name} cannot be read`, { hint: `${name}=key=value,key=value` });
  }
}

/** Only the samplers that everybody uses; each follows the asker where there is one. */
function shareIn({ OTEL_TRACES_SAMPLER: sampler = '', OTEL_TRACES_SAMPLER_ARG: share }: Environment): number {
  if (sampler.endsWith('always_off')) return 0;
  if (!sampler.endsWith('traceidratio') || share === undefined) return 1;
  return Math.min(1, Math.max(0, Number(share) || 0));
}
