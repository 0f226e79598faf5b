import {
  type Context,
  context,
  type Span,
  type SpanOptions,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';

/**
 * Runs `work` in a new active span. A failure is recorded by its code or class only, because an error message may quote
 * what a user wrote.
 */
export const inSpan = <T>(
  tracer: Tracer,
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<T>,
  parent: Context = context.active(),
): Promise<T> =>
  tracer.startActiveSpan(name, options, parent, async (span) => {
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
 * Whether the active span is sampled and has not ended. Background work that a request started, such as a listener
 * shared by all clients, keeps the request's context and must not add spans to it forever.
 */
export const isSpanOpen = (): boolean => trace.getActiveSpan()?.isRecording() ?? false;

const errorType = (error: unknown): string => {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown';
};
