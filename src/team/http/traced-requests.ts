import type { Tracer } from '../../base/trace.ts';
import type { Metrics } from './metrics.ts';

/** Asked every few seconds by machines: they would drown what people ask. */
const probes = new Set(['/health', '/ready', '/metrics']);
const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);

/** Each request as a span, which goes on with the asker's own trace. Of its address only the route is told. */
export const traceRequests =
  (tracer: Tracer) =>
  async (request: Request, answer: () => Response | Promise<Response>): Promise<Response> => {
    if (probes.has(new URL(request.url).pathname)) return answer();
    const method = methods.has(request.method) ? request.method : '_OTHER';
    return tracer.inSpan(
      {
        name: method,
        kind: 'server',
        attributes: { 'http.request.method': method },
        traceparent: request.headers.get('traceparent') ?? undefined,
      },
      async (span) => {
        const response = await answer();
        if (span !== undefined) {
          span.attributes['http.response.status_code'] = response.status;
          span.isFailed = response.status >= 500;
        }
        return response;
      },
    );
  };

/** Where a request is counted its route is known; and what became of the spans is told beside the rest. */
export const traceMetrics = (
  metrics: Metrics,
  tracer: Tracer,
  counts: () => { exported: number; dropped: number },
): Metrics => ({
  count(route, status, seconds) {
    const span = tracer.current();
    if (span?.kind === 'server') {
      const path = route.replace(/^[A-Z]+ /, '');
      span.name = `${span.attributes['http.request.method']} ${path}`;
      span.attributes['http.route'] = path;
    }
    metrics.count(route, status, seconds);
  },
  render(load) {
    const { exported, dropped } = counts();
    return [
      metrics.render(load).trimEnd(),
      '# TYPE backstory_spans_exported_total counter',
      `backstory_spans_exported_total ${exported}`,
      '# TYPE backstory_spans_dropped_total counter',
      `backstory_spans_dropped_total ${dropped}`,
      '',
    ].join('\n');
  },
});
