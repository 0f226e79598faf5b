import { featuresOf, type SentenceInTurn } from './sentence-features.ts';

/** Linear, with weights that scripts/train-statements.ts learned from labelled sentences of public sessions. */
export interface Judgement {
  /** Probability that the sentence is worth telling to a later session, word for word. */
  tell: number;
  kind: StatementKind;
}

const statementKinds = ['rule', 'preference', 'decision', 'fact', 'open'] as const;
export type StatementKind = (typeof statementKinds)[number];

/** The weights: for each feature one number per head (`tell`, then the kinds). */
export interface ClassifierFile {
  heads: readonly string[];
  bias: number[];
  weights: Record<string, number[]>;
}

export type StatementClassifier = (given: SentenceInTurn) => Judgement;

export function createClassifier({ bias, weights }: ClassifierFile): StatementClassifier {
  return (given) => {
    const sums = [...bias];
    for (const feature of featuresOf(given)) {
      const own = Object.hasOwn(weights, feature) ? weights[feature] : undefined;
      if (own === undefined) continue;
      for (const [at, weight] of own.entries()) sums[at] = (sums[at] ?? 0) + weight;
    }
    const [tell = 0, ...kinds] = sums;
    const best = kinds.indexOf(Math.max(...kinds));
    return { tell: probability(tell), kind: statementKinds[best] ?? 'decision' };
  };
}

const probability = (sum: number): number => 1 / (1 + Math.exp(-sum));
