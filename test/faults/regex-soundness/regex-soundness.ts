import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../../src/base/clock.ts';
import { buildSegments } from '../../../src/code/index/build-segments.ts';
import { Segment } from '../../../src/code/index/segment.ts';
import { candidateBlocks } from '../../../src/code/pattern/candidates.ts';
import { createFinder } from '../../../src/code/pattern/finder.ts';
import { parseRegex } from '../../../src/code/pattern/parse.ts';
import { type Plan, planOf } from '../../../src/code/pattern/plan.ts';
import type { Pattern } from '../../../src/code/pattern/syntax.ts';
import { temporaryFolder } from '../../harness/cleanup.ts';
import { atLeast, type Evaluation, exactly, showProgress } from '../../harness/evaluation.ts';
import { createRandom, type Random } from '../../harness/random.ts';
import { forV8, type RandomRegex, randomLine, randomRegex } from '../../harness/random-regex.ts';

const options = { ignoreCase: false, wholeWord: false };
const regexesPerIndex = 50;

/**
 * If a regular expression matches a document, the index must return it as a candidate. V8 decides what matches,
 * independently of the product's parser, planner and automaton. An index contains one document for each expression
 * that is tried on it, with texts that the expression matches or nearly matches.
 */
export const regexSoundness: Evaluation = {
  name: 'regex-soundness',
  summary: 'Random regular expressions on documents made from them: the index never loses a match.',
  file: import.meta.filename,
  measures: ['src/code/pattern', 'src/code/index'],
  async run({ isShort, seed }) {
    const random = createRandom(seed);
    const total = isShort ? 2_000 : 20_000;
    const tally = { regexes: 0, matches: 0, lost: 0, wrongLines: 0, mutantLost: 0, narrowed: 0 };
    while (tally.regexes < total) {
      const regexes = Array.from({ length: regexesPerIndex }, () => randomRegex(random));
      const index = indexDocuments(regexes, random);
      for (const { source } of regexes) tryRegex(source, index, tally);
      showProgress(tally.regexes, total);
      index.segment.close();
    }
    return {
      n: tally.regexes,
      figures: { matches: tally.matches, narrowedShare: Math.round((100 * tally.narrowed) / total) / 100 },
      bars: {
        lost: exactly(tally.lost, 0),
        wrongLines: exactly(tally.wrongLines, 0),
        matches: atLeast(tally.matches, total),
        // The same check runs with a planner that has a deliberate bug. If that is not caught, this evaluation proves
        // nothing.
        mutantLost: atLeast(tally.mutantLost, total / 100),
      },
    };
  },
};

interface Indexed {
  segment: Segment;
  documents: string[][];
}

function indexDocuments(regexes: RandomRegex[], random: Random): Indexed {
  const root = temporaryFolder('soundness');
  mkdirSync(join(root, 'index'));
  const documents = regexes.map((regex) =>
    Array.from({ length: random.whole(1, 3) }, () => randomLine(regex, random)),
  );
  const paths = documents.map((lines, at) => {
    const path = `${String(at).padStart(3, '0')}.txt`;
    writeFileSync(join(root, path), `${lines.join('\n')}\n`);
    return path;
  });
  const [entry] = buildSegments({
    root,
    paths,
    folder: join(root, 'index'),
    name: 's',
    clock: systemClock,
  });
  if (entry === undefined) throw new Error('no segment was written');
  return { segment: new Segment(join(root, 'index'), entry), documents };
}

function tryRegex(regex: string, { segment, documents }: Indexed, tally: Record<string, number>): void {
  const finder = createFinder({ text: regex, mode: 'regex', ...options });
  const truth = forV8(regex);
  const offered = offeredBy(finder.plan, segment);
  const mutant = offeredBy(planOf(repeatingLess(parseRegex(regex, options))), segment);
  const count = (name: string): void => {
    tally[name] = (tally[name] ?? 0) + 1;
  };
  count('regexes');
  if (offered.size < documents.length) count('narrowed');
  documents.forEach((lines, document) => {
    const expected = lines.flatMap((line, at) => (truth.test(line) ? [at] : []));
    const bytes = Buffer.from(`${lines.join('\n')}\n`);
    const found: number[] = [];
    for (let at = finder.next(bytes, 0); at !== -1; ) {
      found.push(bytes.subarray(0, at).toString('latin1').split('\n').length - 1);
      const end = bytes.indexOf(10, at);
      if (end + 1 >= bytes.length) break;
      at = finder.next(bytes, end + 1);
    }
    if (found.join() !== expected.join()) {
      count('wrongLines');
      console.log(`wrong lines for ${regex}: ${found} instead of ${expected} in ${JSON.stringify(lines)}`);
    }
    if (expected.length === 0) return;
    tally.matches = (tally.matches ?? 0) + expected.length;
    if (!offered.has(document)) {
      count('lost');
      console.log(`lost: ${regex} in ${JSON.stringify(lines)}`);
    }
    if (!mutant.has(document)) count('mutantLost');
  });
}

/** Returns the documents that the index offers for a plan. Here each document is one block. */
function offeredBy(plan: Plan, segment: Segment): Set<number> {
  const blocks = candidateBlocks(plan, segment);
  return new Set(
    blocks === 'all'
      ? segment.tables.blockFile
      : Array.from(blocks, (block) => segment.tables.blockFile[block] as number),
  );
}

/** The deliberate bug: a repetition occurs no more often than it must, so `ab+c` requires the gram `abc`. */
function repeatingLess(pattern: Pattern): Pattern {
  if (pattern.kind === 'repeat')
    return { ...pattern, part: repeatingLess(pattern.part), max: Math.max(1, pattern.min) };
  if (pattern.kind === 'cat' || pattern.kind === 'alt')
    return { ...pattern, parts: pattern.parts.map(repeatingLess) };
  return pattern;
}
