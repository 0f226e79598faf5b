import { thoroughLimits } from '../../src/recall/with-index.ts';
import { why } from '../../src/why/why.ts';
import type { Random } from '../../test/harness/random.ts';
import type { MemoryHome } from '../../test/support/memory-home.ts';
import type { Shadow, ShadowLine } from './shadow.ts';

export interface Question {
  path: string;
  line: number;
  truth: ShadowLine;
}

/**
 * The session and commit that an answer names for a line. Undefined if the answer names nothing; the commit is empty if
 * it says that the line is uncommitted.
 */
export interface Claim {
  commit: string;
  session: string | undefined;
}

const kinds = ['agent', 'person', 'history'] as const;
const shares = { agent: 0.6, person: 0.25, history: 0.15 };
const kindOf = ({ writer, commit }: ShadowLine): (typeof kinds)[number] =>
  commit === undefined ? 'history' : writer === undefined ? 'person' : 'agent';

/**
 * Chooses lines to ask about: distinctive and common ones, evenly over all kinds of changes. Blank lines are left out.
 */
export function questionsFor(shadow: Shadow, count: number, random: Random): Question[] {
  const all = [...shadow.files].flatMap(([path, lines]) =>
    lines.flatMap((truth, at) => (truth.text.trim() === '' ? [] : [{ path, line: at + 1, truth }])),
  );
  return kinds.flatMap((kind) => {
    const own = random.shuffled(all.filter(({ truth }) => kindOf(truth) === kind));
    return inTurns(own, Math.round(count * shares[kind]));
  });
}

function inTurns(questions: Question[], count: number): Question[] {
  const byFate = new Map<string, Question[]>();
  for (const question of questions) {
    const fate = [...question.truth.fates].at(-1) ?? 'plain';
    byFate.set(fate, [...(byFate.get(fate) ?? []), question]);
  }
  const chosen: Question[] = [];
  for (let round = 0; chosen.length < Math.min(count, questions.length); round++)
    for (const group of byFate.values()) {
      const next = group[round];
      if (next !== undefined && chosen.length < count) chosen.push(next);
    }
  return chosen;
}

export async function askWhy(memory: MemoryHome, { path, line }: Question): Promise<Claim> {
  const { origins } = await why(
    { parts: memory.open(), root: memory.work },
    { path, range: { from: line, to: line } },
    { now: memory.clock.now(), limits: thoroughLimits, code: { root: memory.work, key: '' } },
  );
  return { commit: origins[0]?.commit?.hash ?? '', session: origins[0]?.session?.agentSession };
}
