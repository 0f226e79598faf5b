import type { Clock } from '../base/clock.ts';
import { isoTime } from '../base/clock.ts';
import { appendDurably, readIfThere } from '../base/files.ts';
import { uuidv7 } from '../base/ids.ts';
import { type Json, parseObject, record, text } from '../base/json.ts';
import type { Usage, WriteFailure, WritePurpose } from '../models/write.ts';

/**
 * One model call, as recorded in `ledger.jsonl`: a line before the call with its maximum cost, one after it with the
 * actual cost, and one when its notes are stored. The file is append-only and contains names, ids and numbers, never
 * text of a user. It is primary data: it records what was spent and which agent sessions need not be sent again, and
 * neither can be recomputed.
 */
export interface Attempt {
  id: string;
  /** Milliseconds since 1970. Never before an earlier attempt, even if the clock was set back. */
  at: number;
  provider: string;
  model: string;
  purpose: WritePurpose;
  /** Maximum cost; charged until the actual cost is known. */
  reserved: Usage;
  end?: AttemptEnd;
  /** Number of notes stored from the answer, once they are on disk. */
  kept?: number;
}

export interface AttemptEnd {
  at: number;
  outcome: AttemptOutcome;
  why: string;
  charged: Usage;
  retryAfterMs: number;
}

/** `lost`: the process died during the call. `too-large`: no call was made, because it would exceed a cap by itself. */
export type AttemptOutcome = 'written' | 'lost' | 'too-large' | WriteFailure['kind'];

export function openLedger(path: string, clock: Clock) {
  const add = (attempt: string, step: string, body: object): void =>
    appendDurably(path, `${JSON.stringify({ v: 1, at: isoTime(clock.now()), attempt, step, ...body })}\n`);
  return {
    read: () => readAttempts(readIfThere(path) ?? ''),
    /** Returns the id once the line is on disk. The call must not be made before that. */
    begin({
      provider,
      model,
      purpose,
      reserved,
    }: Pick<Attempt, 'provider' | 'model' | 'purpose' | 'reserved'>) {
      const id = uuidv7(clock.now());
      add(id, 'begin', { provider, model, purpose, reserved });
      return id;
    },
    end: (id: string, end: Omit<AttemptEnd, 'at'>) => add(id, 'end', end),
    keep: (id: string, notes: number) => add(id, 'keep', { notes }),
  };
}

export type Ledger = ReturnType<typeof openLedger>;

/** `unreadable` is the number of lines that were torn by a power cut or damaged. */
function readAttempts(source: string) {
  const attempts = new Map<string, Attempt>();
  let unreadable = 0;
  // Times never decrease: if the clock was set back, recent spending must still count in the current period.
  let latest = 0;
  for (const line of source.split('\n')) {
    if (line === '') continue;
    const value = parseObject(line);
    const id = text(value?.attempt);
    const written = Date.parse(text(value?.at));
    if (value === undefined || id === '' || Number.isNaN(written)) {
      unreadable += 1;
      continue;
    }
    latest = Math.max(latest, written);
    const known = attempts.get(id) ?? blankAttempt(id, latest);
    attempts.set(id, withLine(known, value, latest));
  }
  return { attempts: [...attempts.values()], unreadable };
}

const nothing: Usage = { inputTokens: 0, outputTokens: 0, usd: 0 };

/** Creates the attempt for an end line whose begin line is unreadable. The charge in the end line still counts. */
const blankAttempt = (id: string, at: number): Attempt => ({
  id,
  at,
  provider: '',
  model: '',
  purpose: { kind: 'distil', project: '' },
  reserved: nothing,
});

function withLine(attempt: Attempt, line: Json, at: number): Attempt {
  switch (line.step) {
    case 'begin':
      return {
        ...attempt,
        provider: text(line.provider),
        model: text(line.model),
        purpose: { ...attempt.purpose, ...record(line.purpose) },
        reserved: usageOf(record(line.reserved)),
      };
    case 'end':
      return {
        ...attempt,
        end: {
          at,
          // An outcome that only a later version knows counts as a failure, like all but `written`.
          outcome: text(line.outcome) as AttemptOutcome,
          why: text(line.why),
          charged: usageOf(record(line.charged)),
          retryAfterMs: amount(line.retryAfterMs),
        },
      };
    case 'keep':
      return { ...attempt, kept: amount(line.notes) };
    // Ignore a line of a kind that only a later version of Backstory knows.
    default:
      return attempt;
  }
}

/** A damaged number counts as 0, so that it cannot reduce the amount spent. */
const amount = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;

const usageOf = (value: Json): Usage => ({
  inputTokens: amount(value.inputTokens),
  outputTokens: amount(value.outputTokens),
  usd: amount(value.usd),
});
