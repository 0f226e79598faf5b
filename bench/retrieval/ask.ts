import { join } from 'node:path';
import { sha256 } from '../../src/base/ids.ts';
import { recall } from '../../src/recall/recall.ts';
import { rankingWeights } from '../../src/recall/weights.ts';
import { thoroughLimits } from '../../src/recall/with-index.ts';
import { showProgress } from '../../test/harness/evaluation.ts';
import { createFts5, createGrep } from './baselines.ts';
import { deepest, type Scores, scoresOf } from './metrics.ts';
import type { Intent, Manner } from './story.ts';
import { type Placed, writeProject } from './write-project.ts';

/** A project's memory and the questions about it; `gold` are indices of `placed`. */
export interface Asking {
  name: string;
  placed: readonly Placed[];
  questions: readonly { intent: Intent; manner: Manner; text: string; gold: readonly number[] }[];
}

/** One question with the answers of the product and the baselines, from the same texts in the same run. */
export interface Answered {
  project: string;
  /** Whether the question shares five consecutive words with a text that answers it. */
  isCopy: boolean;
  intent: Intent;
  manner: Manner;
  text: string;
  candidates: number;
  scores: Record<RankerName, Scores>;
  /** 1 if one of the first three hits is in the same turn of the conversation as the answer, else 0. */
  turn3: number;
  /** The hits, for debugging. */
  found: readonly string[];
}

/**
 * Weights that turn off one of the product's search arms (independent searches whose results are combined), to measure
 * what each adds.
 */
const ablations = {
  'no-meaning': { meaning: 0 },
  'no-turns': { turn: 0, related: 0, again: 1 },
  'no-graph': { related: 0 },
} as const;

/**
 * The rankings that are compared. `lexical` is the product's answer in the order of its lexical arm alone, because
 * every hit states its rank there.
 */
export const rankers = [
  'backstory',
  'lexical',
  'no-meaning',
  'no-turns',
  'no-graph',
  'fts5',
  'grep',
] as const;
export type RankerName = (typeof rankers)[number];

/** Number of hits to request: enough to derive the order of a single search arm. */
const depth = 100;

export async function askProject(folder: string, { name, placed, questions }: Asking): Promise<Answered[]> {
  const { parts, documents, ids, turns } = await writeProject(
    join(folder, sha256(name).slice(0, 32)),
    placed,
  );
  const fts5 = createFts5(documents);
  const grep = createGrep(documents);
  const texts = new Map(documents.map(({ id, text }) => [id, text]));
  const answered: Answered[] = [];
  for (const { intent, manner, text, gold: places } of questions) {
    const gold = places.flatMap((at) => ids[at] ?? []);
    if (gold.length === 0) continue;
    const { hits } = await recall(parts, { text, limit: deepest }, thoroughLimits);
    const ours = hits.map(({ chunk }) => chunk.sourceId);
    const { hits: deep } = await recall(parts, { text, limit: depth }, thoroughLimits);
    const lexical = deep
      .filter(({ ranks }) => ranks.lexical !== undefined)
      .sort((a, b) => (a.ranks.lexical ?? 0) - (b.ranks.lexical ?? 0))
      .map(({ chunk }) => chunk.sourceId);
    const without = async (name: keyof typeof ablations) => {
      const weights = { ...rankingWeights, ...ablations[name] };
      const answer = await recall(parts, { text, limit: deepest }, thoroughLimits, weights);
      return scoresOf(
        answer.hits.map(({ chunk }) => chunk.sourceId),
        gold,
      );
    };
    const goldTurns = new Set(gold.map((id) => turns.get(id)));
    answered.push({
      project: name,
      isCopy: gold.some((id) => haveRunInCommon(text, texts.get(id) ?? '')),
      intent,
      manner,
      text,
      candidates: documents.length,
      scores: {
        backstory: scoresOf(ours, gold),
        lexical: scoresOf(lexical, gold),
        'no-meaning': await without('no-meaning'),
        'no-turns': await without('no-turns'),
        'no-graph': await without('no-graph'),
        fts5: scoresOf(fts5(text), gold),
        grep: scoresOf(grep(text), gold),
      },
      turn3: ours.slice(0, 3).some((id) => goldTurns.has(turns.get(id))) ? 1 : 0,
      found: ours.slice(0, 3).map((id) => texts.get(id)?.slice(0, 110).replaceAll('\n', ' ') ?? id),
    });
  }
  return answered;
}

/** Asks all questions, one project after another, so that only one index is open at a time. */
export async function askAll(folder: string, all: readonly Asking[]): Promise<Answered[]> {
  const answered: Answered[] = [];
  for (const [at, asking] of all.entries()) {
    answered.push(...(await askProject(folder, asking)));
    showProgress(at + 1, all.length);
  }
  return answered;
}

const copiedRun = 5;

function haveRunInCommon(question: string, text: string): boolean {
  const words = (from: string): string[] => from.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const asked = words(question);
  const held = ` ${words(text).join(' ')} `;
  return asked.some(
    (_, at) =>
      at + copiedRun <= asked.length && held.includes(` ${asked.slice(at, at + copiedRun).join(' ')} `),
  );
}
