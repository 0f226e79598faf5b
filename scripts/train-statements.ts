import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { featuresOf, type SentenceInTurn } from '../src/distil/sentence-features.ts';
import type { ClassifierFile, StatementKind } from '../src/distil/statement-classifier.ts';

/**
 * Trains the classifier of statements: `node scripts/train-statements.ts DIR`. DIR/labels.jsonl holds one labelled
 * sentence per line. The sentences come from public sessions and are not part of the repository. Words are learned only
 * if they occur in several repositories, so that no project's own words are in the weights.
 *
 *   --check   trains on part of the repositories and prints how precise the classifier is on the others
 */
interface Labelled extends SentenceInTurn {
  repo: string;
  part: 'train' | 'dev' | 'test';
  /** '' if the sentence is not lasting. */
  kind: StatementKind | '';
  /** Whether it can be understood alone. */
  alone: boolean;
}

interface Row {
  label: Labelled;
  features: number[];
}

/** The outputs of the classifier, in the order in which it reads the weights. */
const kinds: StatementKind[] = ['rule', 'preference', 'decision', 'fact', 'open'];
const heads: ('tell' | StatementKind)[] = ['tell', ...kinds];

const minRepositories = 3;
const minOccurrences = 5;
const epochs = 200;
const rate = 0.05;
const decay = 0.0006;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean', default: false } },
});
const folder = positionals[0];
if (folder === undefined) throw new Error('usage: node scripts/train-statements.ts DIR [--check]');
const all = readFileSync(join(folder, 'labels.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Labelled);

const isTold = ({ kind, alone }: Labelled): boolean => kind !== '' && alone;

function targetOf(head: (typeof heads)[number]): (label: Labelled) => boolean {
  if (head === 'tell') return isTold;
  return ({ kind }) => kind === head;
}

function train(labels: Labelled[]): ClassifierFile {
  const named = labels.map((label) => ({ label, names: featuresOf(label) }));
  const seen = new Map<string, { count: number; repos: Set<string> }>();
  for (const { label, names } of named)
    for (const name of names) {
      const known = seen.get(name) ?? { count: 0, repos: new Set<string>() };
      known.count += 1;
      known.repos.add(label.repo);
      seen.set(name, known);
    }
  const vocabulary = [...seen]
    .filter(([, { count, repos }]) => count >= minOccurrences && repos.size >= minRepositories)
    .map(([name]) => name);
  const places = new Map(vocabulary.map((name, at) => [name, at]));
  const rows: Row[] = named.map(({ label, names }) => ({
    label,
    features: names.flatMap((name) => places.get(name) ?? []),
  }));
  const learned = heads.map((head) => {
    const own = head !== 'tell' ? rows.filter(({ label }) => label.kind !== '') : rows;
    return learn(own, targetOf(head), vocabulary.length);
  });
  const rounded = (value: number): number => Math.round(value * 1000) / 1000;
  const weights: ClassifierFile['weights'] = {};
  for (const [at, name] of vocabulary.entries()) {
    const own = learned.map(({ weights: all }) => rounded(all[at] ?? 0));
    if (own.some((weight) => Math.abs(weight) >= 0.02)) weights[name] = own;
  }
  return { heads, bias: learned.map(({ bias }) => rounded(bias)), weights };
}

/** Logistic regression with weight decay, by Adam on all rows at once. */
function learn(rows: Row[], isTrue: (label: Labelled) => boolean, size: number) {
  const weights = new Float64Array(size + 1);
  const first = new Float64Array(size + 1);
  const second = new Float64Array(size + 1);
  for (let epoch = 1; epoch <= epochs; epoch += 1) {
    const gradient = new Float64Array(size + 1);
    for (const { label, features } of rows) {
      let sum = weights[size] as number;
      for (const at of features) sum += weights[at] as number;
      const error = (1 / (1 + Math.exp(-sum)) - (isTrue(label) ? 1 : 0)) / rows.length;
      for (const at of features) gradient[at] = (gradient[at] as number) + error;
      gradient[size] = (gradient[size] as number) + error;
    }
    for (let at = 0; at <= size; at += 1) {
      const slope = (gradient[at] as number) + (at < size ? decay * (weights[at] as number) : 0);
      first[at] = 0.9 * (first[at] as number) + 0.1 * slope;
      second[at] = 0.999 * (second[at] as number) + 0.001 * slope * slope;
      const step = (first[at] as number) / (1 - 0.9 ** epoch);
      weights[at] =
        (weights[at] as number) -
        (rate * step) / (Math.sqrt((second[at] as number) / (1 - 0.999 ** epoch)) + 1e-8);
    }
  }
  return { weights, bias: weights[size] as number };
}

function score({ bias, weights }: ClassifierFile, label: Labelled): number {
  return featuresOf(label).reduce((sum, name) => sum + (weights[name]?.[0] ?? 0), bias[0] ?? 0);
}

function check(): void {
  const trained = all.filter(({ part }) => part === 'train');
  const repos = [...new Set(trained.map(({ repo }) => repo))].sort();
  const scored: { value: number; isRight: boolean }[] = [];
  for (let fold = 0; fold < 6; fold += 1) {
    const isOut = ({ repo }: Labelled): boolean => repos.indexOf(repo) % 6 === fold;
    const model = train(trained.filter((label) => !isOut(label)));
    for (const label of trained.filter(isOut))
      scored.push({ value: score(model, label), isRight: isTold(label) });
  }
  print('tell, folds of train', scored);
  const model = train(trained);
  print(
    'tell, dev',
    all
      .filter(({ part }) => part === 'dev')
      .map((label) => ({ value: score(model, label), isRight: isTold(label) })),
  );
}

function print(name: string, scored: { value: number; isRight: boolean }[]): void {
  const sorted = scored.toSorted((a, b) => b.value - a.value);
  const parts = [10, 20, 40, 60, 100, 150].map((count) => {
    const right = sorted.slice(0, count).filter(({ isRight }) => isRight).length;
    const value = sorted[Math.min(count, sorted.length) - 1]?.value ?? 0;
    return `${count}: ${(right / count).toFixed(2)} (from ${value.toFixed(2)})`;
  });
  console.log(
    `${name.padEnd(24)} ${scored.filter(({ isRight }) => isRight).length} of ${scored.length}; right among the first ${parts.join(', ')}`,
  );
}

if (values.check) check();
else {
  const model = train(all);
  writeFileSync('src/distil/statement-weights.json', `${JSON.stringify(model)}\n`);
  console.log(`${all.length} sentences, ${Object.keys(model.weights).length} features`);
}
