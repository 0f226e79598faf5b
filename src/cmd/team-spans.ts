import {
  type Attributes,
  context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { Embedder } from '../models/embed.ts';
import type { Metrics } from '../team/http/metrics.ts';
import type { Database, Query } from '../team/postgres/connect.ts';
import type { TeamStore } from '../team/store/team-store.ts';

/** Monitoring calls these every few seconds, so they get no span. */
const probes = new Set(['/health', '/ready', '/metrics']);
/** Methods that clients send are recorded only if they are these: anything else may be what a user wrote. */
const httpMethods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);

/**
 * Wraps the parts of a team server so that they make spans: requests, queries, jobs and embeddings. Texts are never
 * recorded, and neither are ids of projects and memories.
 */
export function createSpans(tracer: Tracer) {
  /**
   * Runs `work` in a new active span. A failure is recorded by its code or class only, because an error message may
   * quote what a user wrote.
   */
  const inSpan = <T>(
    name: string,
    kind: SpanKind,
    attributes: Attributes,
    work: (span: Span) => Promise<T>,
    parent = context.active(),
  ): Promise<T> =>
    tracer.startActiveSpan(name, { kind, attributes }, parent, async (span) => {
      try {
        return await work(span);
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', errorType(error));
        throw error;
      } finally {
        span.end();
      }
    });

  /**
   * Background work that a request started, such as a listener shared by all clients, keeps the request's context and
   * must not add spans to it forever. Nor do queries outside of a request or job, such as polling for jobs.
   */
  const queried = <T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> =>
    trace.getActiveSpan()?.isRecording() === true
      ? inSpan(name, SpanKind.CLIENT, { 'db.system.name': 'postgresql', ...attributes }, work)
      : work();
  /** Records the kind of a statement and its table or function, never its values. */
  const tracedQuery = (query: Query): Query =>
    ((...call: Parameters<Query>) => {
      const operation = /^\s*([a-z]+)/i.exec(call[0])?.[1]?.toLowerCase() ?? 'call';
      const subject = /\bbackstory\.([a-z_]+)/.exec(call[0])?.[1];
      const attributes = {
        'db.operation.name': operation,
        ...(subject === undefined ? {} : { 'db.collection.name': subject }),
      };
      const name = subject === undefined ? operation : `${operation} ${subject}`;
      return queried(name, attributes, () => query(...call));
    }) as Query;

  return {
    /**
     * Makes a span of each request and continues the trace of an incoming `traceparent`. The other trace headers are
     * ignored: `tracestate` and `baggage` would be exported with the span and may hold anything.
     */
    async around(request: Request, answer: () => Response | Promise<Response>): Promise<Response> {
      if (probes.has(new URL(request.url).pathname)) return answer();
      const method = httpMethods.has(request.method) ? request.method : '_OTHER';
      const carrier = { traceparent: request.headers.get('traceparent') ?? undefined };
      const parent = new W3CTraceContextPropagator().extract(ROOT_CONTEXT, carrier, defaultTextMapGetter);
      const attributes = { 'http.request.method': method };
      const work = async (span: Span) => {
        const response = await answer();
        span.setAttribute('http.response.status_code', response.status);
        if (response.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        return response;
      };
      return inSpan(method, SpanKind.SERVER, attributes, work, parent);
    },
    database: (database: Database): Database => ({
      query: tracedQuery(database.query),
      // The span includes the wait for a connection.
      transaction: (work, ...rest) =>
        queried('transaction', {}, () => database.transaction((query) => work(tracedQuery(query)), ...rest)),
      close: () => database.close(),
    }),
    store: (store: TeamStore): TeamStore => ({
      ...store,
      jobs: {
        ...store.jobs,
        inJob: (job, work) => inSpan('job reindex', SpanKind.INTERNAL, {}, () => store.jobs.inJob(job, work)),
      },
    }),
    embedder(embedder: Embedder): Embedder {
      const { id, dims } = embedder;
      const attributes = { 'gen_ai.operation.name': 'embeddings', 'gen_ai.request.model': id };
      return {
        id,
        dims,
        embed: (texts) =>
          inSpan(
            `embeddings ${id}`,
            SpanKind.CLIENT,
            { ...attributes, 'backstory.texts': texts.length },
            () => embedder.embed(texts),
          ),
      };
    },
    /** The route of a request is known only where requests are counted, so its span is named there. */
    metrics: (metrics: Metrics): Metrics => ({
      count(route, status, seconds) {
        const span = trace.getActiveSpan();
        span?.updateName(route).setAttribute('http.route', route.replace(/^[A-Z]+ /, ''));
        metrics.count(route, status, seconds);
      },
      render: metrics.render,
    }),
  };
}

const errorType = (error: unknown): string => {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown';
};
