import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { temporaryFolder } from '../../test/harness/cleanup.ts';
import { atLeast, type Evaluation, exactly, round } from '../../test/harness/evaluation.ts';
import { createRandom } from '../../test/harness/random.ts';
import { type Answered, askAll } from '../retrieval/ask.ts';
import { inThousandths, mean } from '../retrieval/metrics.ts';
import { column, summarise, summariseBy } from '../retrieval/summarise.ts';
import { readHistories } from './histories.ts';
import { inventHistories } from './invented-histories.ts';
import { fingerprint, makeSets } from './question-set.ts';

/**
 * Questions that developers ask about the work of agents, on memories made of real git histories and hand-written
 * stories. `docs/internals/recall-coding.md` describes the set and its limits.
 */
export const recallCoding: Evaluation = {
  name: 'recall-coding',
  summary: 'questions about coding sessions, compared with FTS5 and grep (--histories DIR for the real set)',
  async run({ isShort, seed, histories }) {
    const isReal = histories !== undefined;
    const sets = makeSets(isReal ? readHistories(histories) : inventHistories(isShort ? 6 : 24));
    const answered = await askAll(temporaryFolder('coding'), sets);
    const heldOut = new Set(sets.flatMap(({ name, isHeldOut }) => (isHeldOut ? [name] : [])));
    const test = answered.filter(({ project }) => heldOut.has(project));
    const dev = answered.filter(({ project }) => !heldOut.has(project));
    keepMisses(dev);
    const keyOf = ({ project, text }: { project: string; text: string }) => `${project} ${text}`;
    const storyOf = new Map(
      sets.flatMap(({ name, questions }) =>
        questions.map(({ text, story }) => [keyOf({ project: name, text }), story]),
      ),
    );
    // Count questions that repeat the exact words of their answer, which would only test word search.
    const copies = answered.filter(({ isCopy }) => isCopy).length;
    const hit3 = inThousandths(mean(column(test, 'backstory', 'hit3')));
    const ahead = inThousandths(hit3 - mean(column(test, 'fts5', 'hit3')));
    return {
      n: answered.length,
      figures: {
        histories: isReal ? 'public, fixed by commit' : 'invented: says that it runs, little about recall',
        set: fingerprint(sets),
        projects: sets.length,
        'projects.held-out': heldOut.size,
        'candidates per question': round(mean(answered.map(({ candidates }) => candidates))),
        ...summarise('held-out', test, createRandom(seed)),
        ...summarise('dev', dev, createRandom(seed)),
        ...summariseBy('held-out.intent', test, ({ intent }) => intent),
        ...summariseBy('held-out.manner', test, ({ manner }) => manner),
        ...summariseBy('held-out.story', test, (one) => storyOf.get(keyOf(one)) ?? ''),
        ...summariseBy('held-out.project', test, ({ project }) => project),
      },
      // Only a smoke test: the scenarios and the ranking that they once tuned are by one hand. `recall-real` judges.
      bars: { 'held-out.ahead.hit3': atLeast(ahead, 0), copies: exactly(copies, 0) },
    };
  },
};

/**
 * Writes the failures for the projects used for tuning to a file. Those for held-out projects are left out, so that
 * nobody tunes on them.
 */
function keepMisses(dev: readonly Answered[]): void {
  const folder = join(homedir(), '.cache', 'backstory-eval');
  mkdirSync(folder, { recursive: true });
  const lines = dev
    .filter(({ scores }) => scores.backstory.hit3 === 0)
    .map(({ project, intent, text, found }) => [`${intent}  ${text}  (${project})`, ...found].join('\n    '));
  writeFileSync(join(folder, 'recall-coding-dev-misses.txt'), `${lines.join('\n')}\n`);
}
