import {
  defaultTextMapGetter,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { inSpan } from '../span.ts';
import type { Metrics } from './metrics.ts';

/** Monitoring calls these every few seconds, so they get no span. */
const probes = new Set(['/health', '/ready', '/metrics']);
const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);
const propagator = new W3CTraceContextPropagator();

/**
 * Makes a span of each request and continues the trace of an incoming `traceparent`. The other trace headers are
 * ignored: `tracestate` and `baggage` would be exported with the span and may hold anything.
 */
export const traceRequests =
  (tracer: Tracer) =>
  async (request: Request, answer: () => Response | Promise<Response>): Promise<Response> => {
    if (probes.has(new URL(request.url).pathname)) return answer();
    const method = methods.has(request.method) ? request.method : '_OTHER';
    const carrier = { traceparent: request.headers.get('traceparent') ?? undefined };
    return inSpan(
      tracer,
      method,
      { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } },
      async (span) => {
        const response = await answer();
        span.setAttribute('http.response.status_code', response.status);
        if (response.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        return response;
      },
      propagator.extract(ROOT_CONTEXT, carrier, defaultTextMapGetter),
    );
  };

/**
 * Wraps the metrics. The route of a request is known only where requests are counted, so its span is named there. The
 * numbers of exported and dropped spans become metrics too.
 */
export const traceMetrics = (
  metrics: Metrics,
  counts: Readonly<{ exported: number; dropped: number }>,
): Metrics => ({
  count(route, status, seconds) {
    trace
      .getActiveSpan()
      ?.updateName(route)
      .setAttribute('http.route', route.replace(/^[A-Z]+ /, ''));
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
});
