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
import { parseObject, record } from '../base/json.ts';
import type { Metrics } from '../team/http/metrics.ts';
import type { TeamMcp, TeamParts } from '../team/parts.ts';
import type { Database, Query } from '../team/postgres/connect.ts';
import type { ProjectWork, TeamStore } from '../team/store/team-store.ts';

/** Monitoring calls these every few seconds, so they get no span. */
const probes = new Set(['/health', '/ready', '/metrics']);
/** Names that clients send are recorded only if they are these: anything else may be what a user wrote. */
const httpMethods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);
const mcpMethods = new Set([
  'initialize',
  'notifications/initialized',
  'notifications/cancelled',
  'ping',
  'subscriptions/listen',
  'tools/call',
  'tools/list',
]);
const tools = new Set(['forge_memory', 'get_notes', 'recall', 'remember', 'timeline']);

/**
 * Wraps the parts of a team server so that they make spans: requests, queries, jobs, and by OpenTelemetry's conventions
 * for generative AI, embeddings, memory operations and MCP requests. The conventions make texts optional; here they are
 * never recorded, and neither are ids of projects and memories.
 */
export function createSpans(tracer: Tracer, counts: Readonly<{ exported: number; dropped: number }>) {
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

  /** The span of a memory operation has the number of memories. */
  const counted = <T>(operation: string, work: () => Promise<T>): Promise<T> =>
    inSpan(operation, SpanKind.INTERNAL, { 'gen_ai.operation.name': operation }, async (span) => {
      const result = await work();
      const memories = (result as { found?: unknown } | undefined)?.found ?? result;
      const count = Array.isArray(memories) ? memories.length : memories ? 1 : 0;
      span.setAttribute('gen_ai.memory.record.count', count);
      return result;
    });
  const tracedWork = (work: ProjectWork): ProjectWork => ({
    ...work,
    save: (...call) => counted('upsert_memory', () => work.save(...call)),
    remove: (id) => counted('delete_memory', () => work.remove(id)),
    removeSource: (...call) => counted('delete_memory', () => work.removeSource(...call)),
    withdrawNotes: (refs) => counted('delete_memory', () => work.withdrawNotes(refs)),
  });

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
        inJob: (job, work) =>
          inSpan(`job ${job.kind}`, SpanKind.INTERNAL, {}, () => store.jobs.inJob(job, work)),
      },
      search: (...call) => counted('search_memory', () => store.search(...call)),
      inProject: (token, project, work) => store.inProject(token, project, (own) => work(tracedWork(own))),
    }),
    embedder:
      (source: TeamParts['embedder']): TeamParts['embedder'] =>
      async () => {
        const embedder = await source();
        if (embedder === undefined) return undefined;
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
    /** The span of an MCP request is named after its method and tool. */
    mcp: (mcp: TeamMcp): TeamMcp => ({
      close: mcp.close,
      answer(request, body, caller) {
        const { method, params } = parseObject(body ?? '') ?? {};
        if (typeof method !== 'string') return mcp.answer(request, body, caller);
        const known = mcpMethods.has(method) ? method : '_OTHER';
        const isCall = known === 'tools/call';
        const { name } = record(params);
        const tool = isCall && typeof name === 'string' && tools.has(name) ? name : undefined;
        const version = /^\d{4}-\d\d-\d\d$/.exec(request.headers.get('mcp-protocol-version') ?? '')?.[0];
        const attributes: Attributes = {
          'mcp.method.name': known,
          ...(isCall && { 'gen_ai.operation.name': 'execute_tool' }),
          ...(tool !== undefined && { 'gen_ai.tool.name': tool }),
          ...(version !== undefined && { 'mcp.protocol.version': version }),
          'network.protocol.name': 'http',
        };
        const spanName = tool === undefined ? known : `${known} ${tool}`;
        return inSpan(spanName, SpanKind.SERVER, attributes, async (span) => {
          const response = await mcp.answer(request, body, caller);
          // A tool that fails is a response with status 200. The text of a finished call is already in memory.
          if (isCall && /"isError":\s*true/.test(await response.clone().text()))
            span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', 'tool_error');
          return response;
        });
      },
    }),
    /** The route of a request is known only where requests are counted, so its span is named there. */
    metrics: (metrics: Metrics): Metrics => ({
      count(route, status, seconds) {
        const span = trace.getActiveSpan();
        span?.updateName(route).setAttribute('http.route', route.replace(/^[A-Z]+ /, ''));
        metrics.count(route, status, seconds);
      },
      render: (load) =>
        [
          metrics.render(load).trimEnd(),
          '# TYPE backstory_spans_exported_total counter',
          `backstory_spans_exported_total ${counts.exported}`,
          '# TYPE backstory_spans_dropped_total counter',
          `backstory_spans_dropped_total ${counts.dropped}`,
          '',
        ].join('\n'),
    }),
  };
}

const errorType = (error: unknown): string => {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown';
};
