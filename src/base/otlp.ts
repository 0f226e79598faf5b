import type { Span } from './trace.ts';

/** Sends spans to a collector, as OTLP over HTTP in JSON. Whoever made a span never waits for it. */
export interface SpanExporter {
  add(span: Span): void;
  counts(): { exported: number; dropped: number };
  /** What is left is sent once more, for as long as may be waited. */
  close(): Promise<void>;
}

export interface ExporterOptions {
  url: string;
  headers: Record<string, string>;
  /** Who this is: service.name and the like. */
  resource: Record<string, string>;
  timeoutMs: number;
  /** Told when sending begins to fail, and not again until it worked. */
  onFailure(error: unknown): void;
}

const mostWaiting = 2_048;
const atOnce = 512;
const everyMs = 1_000;
const firstRetryMs = 1_000;
const longestRetryMs = 30_000;
const goodbyeMs = 2_000;

export function createExporter(options: ExporterOptions): SpanExporter {
  let waiting: Span[] = [];
  let exported = 0;
  let dropped = 0;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;
  let isClosed = false;

  const later = (ms: number): void => {
    if (isClosed || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      sending ??= send().finally(() => {
        sending = undefined;
        if (waiting.length > 0) later(pauseMs());
      });
    }, ms).unref();
  };
  const pauseMs = (): number => {
    if (failures > 0) return Math.min(longestRetryMs, firstRetryMs * 2 ** (failures - 1));
    return waiting.length >= atOnce ? 0 : everyMs;
  };

  async function send(timeoutMs = options.timeoutMs): Promise<void> {
    const batch = waiting.slice(0, atOnce);
    if (batch.length === 0) return;
    const outcome = await post(options, batch, timeoutMs);
    if (outcome.kind === 'later') {
      // They keep their place; when it gets too long, it is the newest that do not get one.
      if (failures === 0) options.onFailure(outcome.error);
      failures += 1;
      return;
    }
    waiting = waiting.slice(batch.length);
    exported += batch.length - outcome.refused;
    dropped += outcome.refused;
    if (outcome.refused === batch.length && failures === 0) options.onFailure(outcome.error);
    failures = outcome.refused === batch.length ? failures + 1 : 0;
  }

  return {
    add(span) {
      if (isClosed || waiting.length >= mostWaiting) {
        dropped += 1;
        return;
      }
      waiting.push(span);
      // A collector that is away is not asked sooner because there is more to tell.
      if (waiting.length === 1 || (waiting.length === atOnce && failures === 0)) {
        if (waiting.length === atOnce) clear();
        later(pauseMs());
      }
    },
    counts: () => ({ exported, dropped }),
    async close() {
      isClosed = true;
      clear();
      const until = performance.now() + goodbyeMs;
      await Promise.race([sending, pause(goodbyeMs)]);
      for (let before = -1; waiting.length > 0 && waiting.length !== before; ) {
        before = waiting.length;
        const left = until - performance.now();
        if (left > 0) await send(left);
      }
      dropped += waiting.length;
      waiting = [];
    },
  };

  function clear(): void {
    clearTimeout(timer);
    timer = undefined;
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());

type Outcome = { kind: 'sent'; refused: number; error?: unknown } | { kind: 'later'; error: unknown };

/** The answers after which OTLP says to try again; after any other it would be the same again. */
const tryAgain = new Set([429, 502, 503, 504]);

async function post(options: ExporterOptions, batch: Span[], timeoutMs: number): Promise<Outcome> {
  try {
    const response = await fetch(options.url, {
      method: 'POST',
      headers: { ...options.headers, 'content-type': 'application/json' },
      body: JSON.stringify(otlpOf(batch, options.resource)),
      signal: AbortSignal.timeout(Math.ceil(timeoutMs)),
      redirect: 'error',
    });
    const answer = await response.text();
    if (response.ok) return { kind: 'sent', refused: Math.min(batch.length, refusedIn(answer)) };
    const error = new Error(`the collector answers ${response.status}`);
    return tryAgain.has(response.status)
      ? { kind: 'later', error }
      : { kind: 'sent', refused: batch.length, error };
  } catch (error) {
    return { kind: 'later', error };
  }
}

function refusedIn(answer: string): number {
  try {
    const told = JSON.parse(answer) as { partialSuccess?: { rejectedSpans?: string | number } };
    return Number(told.partialSuccess?.rejectedSpans ?? 0) || 0;
  } catch {
    // Nothing is promised about the body of an answer that says all went well.
    return 0;
  }
}

const kinds = { internal: 1, server: 2, client: 3 };
const failedStatus = 2;

const otlpOf = (spans: Span[], resource: Record<string, string>) => ({
  resourceSpans: [
    {
      resource: { attributes: attributesOf(resource) },
      scopeSpans: [
        {
          scope: { name: 'backstory' },
          spans: spans.map(
            ({ traceId, spanId, parentId, name, kind, startMs, endMs, attributes, isFailed }) => ({
              traceId,
              spanId,
              ...(parentId === undefined ? {} : { parentSpanId: parentId }),
              name,
              kind: kinds[kind],
              startTimeUnixNano: nanoseconds(startMs),
              endTimeUnixNano: nanoseconds(endMs),
              attributes: attributesOf(attributes),
              status: isFailed ? { code: failedStatus } : {},
            }),
          ),
        },
      ],
    },
  ],
});

const attributesOf = (attributes: Record<string, string | number>) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));

/** As text: more digits than a number of JavaScript holds. */
const nanoseconds = (ms: number): string => {
  const whole = Math.floor(ms);
  return String(BigInt(whole) * 1_000_000n + BigInt(Math.floor((ms - whole) * 1e6)));
};
