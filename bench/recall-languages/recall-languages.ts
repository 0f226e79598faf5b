import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../src/base/ids.ts';
import { recall } from '../../src/recall/recall.ts';
import { thoroughLimits } from '../../src/recall/with-index.ts';
import { temporaryFolder } from '../../test/harness/cleanup.ts';
import { atLeast, type Bar, type Evaluation, exactly } from '../../test/harness/evaluation.ts';
import { createRandom } from '../../test/harness/random.ts';
import { createFts5 } from '../retrieval/baselines.ts';
import { inventWork } from '../retrieval/invented-work.ts';
import { deepest, inThousandths, mean, type Scores, scoresOf } from '../retrieval/metrics.ts';
import { type Placed, writeProject } from '../retrieval/write-project.ts';

/**
 * A statement in a session, and two questions about it with inflected or other words. The first question is for tuning,
 * the second is held out. `mixed` is a team that asks in another language than it wrote in.
 */
interface Fact {
  set: 'russian' | 'chinese' | 'mixed';
  /** The user's message. It contains the answer only if there is no reply. */
  said: string;
  replied?: string;
  asked: [string, string];
}

/** `lexical` is the product's answer in the order of its lexical arm alone: every hit states its rank there. */
type Ranking = 'backstory' | 'lexical' | 'fts5';
type Answered = Record<Ranking, Scores> & { isHeldOut: boolean; isCopy: boolean };

/**
 * Questions in Russian, in Chinese and across languages, on memories that also contain an English project. No signal
 * added to the lexical one may make a language worse.
 */
export const recallLanguages: Evaluation = {
  name: 'recall-languages',
  summary: 'questions in Russian, Chinese and mixed languages, compared with FTS5 and the lexical arm alone',
  file: import.meta.filename,
  measures: ['src/recall', 'src/text', 'src/models', 'src/store/sqlite', 'assets'],
  async run() {
    const facts = readFileSync(join(import.meta.dirname, 'facts.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Fact);
    const figures: Record<string, number> = {};
    const bars: Record<string, Bar> = {};
    let n = 0;
    for (const [name, own] of Map.groupBy(facts, ({ set }) => set)) {
      const answered = await askAbout(name, own);
      n += answered.length;
      const average = (ranking: Ranking, measure: keyof Scores, of = answered): number =>
        inThousandths(mean(of.map((one) => one[ranking][measure])));
      for (const ranking of ['backstory', 'lexical', 'fts5'] as const)
        for (const isHeldOut of [false, true])
          figures[`${name}.${isHeldOut ? 'held-out' : 'dev'}.${ranking}.hit3`] = average(
            ranking,
            'hit3',
            answered.filter((one) => one.isHeldOut === isHeldOut),
          );
      bars[`${name}.questions`] = atLeast(answered.length, 60);
      bars[`${name}.copies`] = exactly(answered.filter(({ isCopy }) => isCopy).length, 0);
      for (const measure of ['hit3', 'recall10'] as const)
        bars[`${name}.${measure} against lexical alone`] = atLeast(
          inThousandths(average('backstory', measure) - average('lexical', measure)),
          0,
        );
    }
    return { n, figures, bars };
  },
};

/** Number of hits to request: enough to derive the order of a single search arm. */
const depth = 100;

async function askAbout(name: string, facts: Fact[]): Promise<Answered[]> {
  const { placed: background } = inventWork();
  const random = createRandom(facts.length);
  // Each fact is a turn of its own between those of the English project.
  const turns = facts.map((fact, number) => placeTurn(fact, `${name}-${number}`, random.pick(background).at));
  const placed = [...background, ...turns.flat()].sort((a, b) => a.at - b.at);
  const folder = join(temporaryFolder('languages'), sha256(name).slice(0, 32));
  const { parts, documents, ids } = writeProject(folder, placed);
  const fts5 = createFts5(documents);
  const texts = new Map(documents.map(({ id, text }) => [id, text]));
  const answered: Answered[] = [];
  for (const [number, { asked, replied }] of facts.entries()) {
    const answer = turns[number]?.at(replied === undefined ? 0 : -1) as Placed;
    const gold = ids[placed.indexOf(answer)] as string;
    for (const [at, text] of asked.entries()) {
      const { hits } = await recall(parts, { text, limit: deepest }, thoroughLimits);
      const { hits: deep } = await recall(parts, { text, limit: depth }, thoroughLimits);
      const lexical = deep
        .filter(({ ranks }) => ranks.lexical !== undefined)
        .sort((a, b) => (a.ranks.lexical ?? 0) - (b.ranks.lexical ?? 0));
      const sources = (found: typeof hits): string[] => found.map(({ chunk }) => chunk.sourceId);
      answered.push({
        isHeldOut: at === 1,
        isCopy: haveRunInCommon(text, texts.get(gold) ?? ''),
        backstory: scoresOf(sources(hits), [gold]),
        lexical: scoresOf(sources(lexical), [gold]),
        fts5: scoresOf(fts5(text), [gold]),
      });
    }
  }
  return answered;
}

function placeTurn({ said, replied }: Fact, turn: string, start: number): Placed[] {
  const acts: Placed['act'][] = [
    { kind: 'prompt', text: said },
    { kind: 'edit', path: 'src/queue/queue.ts' },
    ...(replied === undefined ? [] : [{ kind: 'answer' as const, text: replied }]),
  ];
  return acts.map((act, step) => ({ act, at: start + 3_600_000 + step * 60_000, agentSession: turn, turn }));
}

const copiedRun = 5;

/** Whether a question repeats five consecutive words of its answer, which would only test word search. */
function haveRunInCommon(question: string, text: string): boolean {
  const words = (from: string): string[] => from.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const asked = words(question);
  const answer = ` ${words(text).join(' ')} `;
  return asked.some(
    (_, at) =>
      at + copiedRun <= asked.length && answer.includes(` ${asked.slice(at, at + copiedRun).join(' ')} `),
  );
}
