import type { AgentName } from '../../src/domain/event.ts';
import { temporaryFolder } from '../../test/harness/cleanup.ts';
import { atLeast, type Bar, type Evaluation, exactly, round } from '../../test/harness/evaluation.ts';
import { createRandom } from '../../test/harness/random.ts';
import { inventHistories } from '../recall-coding/invented-histories.ts';
import { makeSets } from '../recall-coding/question-set.ts';
import { type Answered, type Asking, askAll } from '../retrieval/ask.ts';
import { inThousandths, mean } from '../retrieval/metrics.ts';
import { type Act, edited, replied, said } from '../retrieval/story.ts';
import { column, summarise } from '../retrieval/summarise.ts';
import type { Placed } from '../retrieval/write-project.ts';
import { chinese } from './chinese.ts';
import type { Fact } from './fact.ts';
import { mixed } from './mixed.ts';
import { russian } from './russian.ts';

/**
 * Questions in Russian, in Chinese and across languages, on memories that also contain a project's English commits and
 * sessions. No signal added to the lexical one may make a language worse.
 */
export const recallLanguages: Evaluation = {
  name: 'recall-languages',
  summary:
    'questions in Russian, Chinese and mixed languages, compared with FTS5, grep and the lexical arm alone',
  async run({ seed }) {
    const sets: readonly Asking[] = [
      makeSet('russian', russian),
      makeSet('chinese', chinese),
      makeSet('mixed', mixed),
    ];
    const answered = await askAll(temporaryFolder('languages'), sets);
    const figures: Record<string, number | string> = {};
    const bars: Record<string, Bar> = {};
    for (const { name } of sets) {
      const own = answered.filter(({ project }) => project === name);
      // The two questions of a fact are adjacent; the second is held out.
      const test = own.filter((_, at) => at % 2 === 1);
      const dev = own.filter((_, at) => at % 2 === 0);
      Object.assign(figures, summarise(`${name}.held-out`, test, createRandom(seed)));
      figures[`${name}.dev.backstory.hit3`] = inThousandths(mean(column(dev, 'backstory', 'hit3')));
      figures[`${name}.dev.fts5.hit3`] = inThousandths(mean(column(dev, 'fts5', 'hit3')));
      bars[`${name}.questions`] = atLeast(own.length, 60);
      bars[`${name}.copies`] = exactly(own.filter(({ isCopy }) => isCopy).length, 0);
      for (const measure of ['hit3', 'recall10'] as const) {
        bars[`${name}.${measure} against lexical alone`] = atLeast(gain(own, measure), 0);
      }
    }
    figures['candidates per question'] = round(mean(answered.map(({ candidates }) => candidates)));
    return { n: answered.length, figures, bars };
  },
};

const gain = (own: readonly Answered[], measure: 'hit3' | 'recall10'): number =>
  inThousandths(mean(column(own, 'backstory', measure)) - mean(column(own, 'lexical', measure)));

const agents: readonly AgentName[] = ['claude-code', 'codex', 'cursor'];
const minute = 60_000;

/** Each fact is a separate turn between turns of an English project. */
function makeSet(name: string, facts: readonly Fact[]): Asking {
  const background = makeSets(inventHistories(1))[0]?.placed ?? [];
  const random = createRandom(facts.length);
  const first = background[0]?.at ?? 0;
  const span = (background.at(-1)?.at ?? 0) - first;
  const turns = facts.map((fact, number): Placed[] => {
    const at = first + random.next() * span;
    const agent = random.pick(agents);
    const agentSession = `${new Date(at).toISOString().slice(0, 10)}-${agent}`;
    const place = (act: Act, step: number): Placed => ({
      act,
      at: Math.round(at) + step * minute,
      agent,
      agentSession,
      turn: `${name}-${number}`,
    });
    return actsOf(fact).map(place);
  });
  const placed = [...background, ...turns.flat()].sort((a, b) => a.at - b.at);
  const questions = facts.flatMap(({ intent, asked }, number) =>
    asked.map((text) => ({
      intent,
      manner: 'plain' as const,
      text,
      gold: placed.flatMap((one, at) => (turns[number]?.includes(one) && isGold(one.act) ? [at] : [])),
    })),
  );
  return { name, placed, questions };
}

const isGold = ({ marks }: Act): boolean => marks?.includes('gold') === true;

function actsOf({ said: prompt, replied: answer }: Fact): Act[] {
  if (answer === undefined) return [said(prompt, 'gold'), edited('src/search/search.ts')];
  return [said(prompt), edited('src/queue/queue.ts'), replied(answer, 'gold')];
}
