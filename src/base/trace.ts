import { AsyncLocalStorage } from 'node:async_hooks';
import type { Clock } from './clock.ts';
import { randomHex } from './ids.ts';

/**
 * What was done for a request, how long it took and what it belongs to. A span names kinds of things and counts them;
 * it never holds what somebody wrote, asked or showed as proof of who they are.
 */
export interface Span {
  traceId: string;
  spanId: string;
  parentId: string | undefined;
  name: string;
  kind: 'internal' | 'server' | 'client';
  startMs: number;
  endMs: number;
  attributes: Record<string, string | number>;
  isFailed: boolean;
}

export interface SpanStart {
  name: string;
  kind: Span['kind'];
  attributes?: Span['attributes'];
  /** Only as a part of something else: what is done every second for nobody is not worth a line. */
  isPartOnly?: boolean;
  /** Where the asker's own trace goes on, as W3C writes it. */
  traceparent?: string | undefined;
}

export interface Tracer {
  /** The work gets its span to add to; undefined when nobody wants to know. */
  inSpan<T>(start: SpanStart, work: (span: Span | undefined) => Promise<T>): Promise<T>;
  current(): Span | undefined;
}

export interface TracerOptions {
  clock: Clock;
  /** Of those that nobody has decided on, from 0 to 1. */
  share: number;
  ended(span: Span): void;
}

interface Place {
  /** Undefined where it was decided that nobody wants to know. */
  span: Span | undefined;
  /** Milliseconds since 1970 at the zero of `performance.now()`, the same for a whole trace so that parts lie in it. */
  zeroMs: number;
}

export function createTracer({ clock, share, ended }: TracerOptions): Tracer {
  const places = new AsyncLocalStorage<Place>();

  const placeOf = (start: SpanStart, outer: Place | undefined): Place => {
    const zeroMs = outer?.zeroMs ?? clock.now() - performance.now();
    const asker = outer === undefined ? parentIn(start.traceparent) : undefined;
    const parent = outer?.span ?? asker;
    const traceId = parent?.traceId ?? randomHex(16);
    // Who is asked by somebody that traces does as they do, so that no trace has holes.
    const isWanted = outer !== undefined || (asker?.isWanted ?? isInShare(traceId, share));
    if (!isWanted) return { span: undefined, zeroMs };
    const startMs = zeroMs + performance.now();
    const { name, kind, attributes = {} } = start;
    const span: Span = {
      traceId,
      spanId: randomHex(8),
      parentId: parent?.spanId,
      name,
      kind,
      startMs,
      endMs: startMs,
      attributes: { ...attributes },
      isFailed: false,
    };
    return { span, zeroMs };
  };

  return {
    current: () => places.getStore()?.span,
    async inSpan(start, work) {
      const outer = places.getStore();
      if (outer === undefined ? start.isPartOnly === true : outer.span === undefined) return work(undefined);
      const place = placeOf(start, outer);
      const { span, zeroMs } = place;
      try {
        return await places.run(place, () => work(span));
      } catch (error) {
        if (span !== undefined) {
          span.isFailed = true;
          span.attributes['error.type'] = kindOf(error);
        }
        throw error;
      } finally {
        if (span !== undefined) {
          span.endMs = zeroMs + performance.now();
          ended(span);
          // What was started here and goes on, like a reader for all listeners, is no part of this request any more.
          place.span = undefined;
        }
      }
    },
  };
}

/** Never its message, which may quote what somebody wrote. */
const kindOf = (error: unknown): string => {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'unknown';
};

const traceparentForm =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;

function parentIn(
  traceparent: string | undefined,
): { traceId: string; spanId: string; isWanted: boolean } | undefined {
  const [, traceId, spanId, flags] = traceparentForm.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  return { traceId, spanId, isWanted: (Number.parseInt(flags ?? '0', 16) & 1) === 1 };
}

/** By the id, so that every program that knows the share decides alike. */
const isInShare = (traceId: string, share: number): boolean =>
  share >= 1 || Number.parseInt(traceId.slice(-12), 16) < share * 2 ** 48;
