import { hashId } from '../base/hash.ts';
import { addUsage } from '../domain/usage.ts';
import type { Observation, TranscriptStep } from './agent.ts';
import { recentEntries } from './bounded-map.ts';
import type { TranscriptSource } from './transcript-source.ts';

type Reported = Extract<Observation, { kind: 'usage' }>;

/** What one model used in a turn: the last report of each answer by its id. */
interface TurnSum {
  first: Reported;
  answers: Map<string, Reported>;
  isWritten: boolean;
}

/**
 * Joins the usage of each answer of a model, which a reader reports as often as the transcript does, to one event per
 * turn, subagent and model. It is written when the next turn begins, and again when a transcript grew after its end.
 * The event's id names the first and last answer, so a copy of a whole turn in a forked session counts once.
 */
export const withTurnUsage = (source: TranscriptSource): TranscriptSource => ({
  ...source,
  *read(name, displayName, from, redact) {
    const sums = recentEntries<TurnSum>();
    let turn: string | undefined;
    let end = from.offset;
    for (const step of source.read(name, displayName, from, redact)) {
      const isUse = (each: Observation): each is Reported => each.kind === 'usage';
      const uses = step.observations.filter(isUse);
      const observations: Observation[] = step.observations.filter((each) => !isUse(each));
      for (const use of uses) {
        if (turn !== undefined && use.body.turn !== turn) observations.push(...unwritten(sums));
        turn = use.body.turn ?? '';
        add(sums, use);
      }
      end = step.end;
      yield { ...step, observations };
    }
    const observations = unwritten(sums);
    if (observations.length > 0) yield { observations, end } satisfies TranscriptStep;
  },
});

function add(sums: Map<string, TurnSum>, use: Reported): void {
  const { turn, subagent, model } = use.body;
  const key = JSON.stringify([turn, subagent?.id, model]);
  const sum = sums.get(key) ?? { first: use, answers: new Map(), isWritten: false };
  sum.answers.set(use.id, use);
  sum.isWritten = false;
  sums.set(key, sum);
}

const unwritten = (sums: Map<string, TurnSum>): Reported[] =>
  [...sums.values()]
    .filter(({ isWritten }) => !isWritten)
    .map((sum) => {
      sum.isWritten = true;
      const uses = [...sum.answers.values()];
      const { first } = sum;
      const last = uses.at(-1) ?? first;
      const used = addUsage(uses.map(({ body }) => body.used));
      const id = hashId('usage', first.id, last.id, JSON.stringify(used));
      // The place of the first answer: a turn that goes on is read again from there.
      const source = first.source === undefined ? {} : { source: first.source };
      return { ...last, ...source, id, body: { ...last.body, used } };
    });
