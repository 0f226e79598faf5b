import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { createSymbolReader } from '../../src/code/symbols/symbol-reader.ts';
import { checkDrift } from '../../src/drift/check-drift.ts';
import type { CheckedCode } from '../../src/drift/current-code.ts';
import type { Drift } from '../../src/wire/answers/memory.ts';
import { onEnd, temporaryFolder } from '../../test/harness/cleanup.ts';
import {
  atLeast,
  type Evaluation,
  exactly,
  median,
  round,
  showProgress,
} from '../../test/harness/evaluation.ts';
import { createRandom } from '../../test/harness/random.ts';
import { createMemoryHome } from '../../test/support/memory-home.ts';
import { git } from '../../test/support/sandbox.ts';
import { hangMs } from '../../test/support/until.ts';
import { createDonors } from '../why/donors.ts';
import { checkOutHistories, checkOutOwnSources } from '../why/repositories.ts';
import { costOfChecking } from './cost.ts';
import { developed, heldOut } from './repositories.ts';
import { type Pair, playScene, withChunks } from './scene.ts';

const grammars = join(import.meta.dirname, '../../assets/grammars');
const perScene = 24;
/** Number of hits in an answer. */
const perAnswer = 20;
/**
 * Time limit of one check. It is much longer than in the product, because this evaluation measures whether labels are
 * correct, even on a busy machine.
 */
const patienceMs = hangMs;

interface Judged {
  pair: Pair;
  drift: Drift;
  isHeldOut: boolean;
}

/**
 * Checks the drift labels, which say whether code has changed since a memory was made. Ranges of code in real
 * repositories are anchored to memories by edits, reads, notes and commits, as the hook and git report them. Then the
 * evaluation changes the code in a known way and compares the labels with the expected ones.
 */
export const driftEvaluation: Evaluation = {
  name: 'drift',
  summary: 'the drift labels of recall (current, moved, changed, gone) are correct',
  file: import.meta.filename,
  measures: [
    'src/drift',
    'src/git',
    'src/code/symbols',
    'src/recall/evidence.ts',
    'src/memory/capture/capture.ts',
    'src/memory/capture/commits.ts',
    'src/text/align-lines.ts',
    'src/text/file-lines.ts',
    'src/text/line-index.ts',
    'src/base/checkout-file.ts',
    'assets/grammars',
  ],
  async run({ isShort, seed, histories }) {
    const folder = temporaryFolder('drift');
    const works =
      histories === undefined
        ? checkOutOwnSources(folder).map((work) => ({ work, isHeldOut: false }))
        : [
            ...checkOutHistories(histories, folder, developed).map((work) => ({ work, isHeldOut: false })),
            // The short form does not use the held-out histories.
            ...checkOutHistories(histories, folder, isShort ? [] : heldOut).map((work) => ({
              work,
              isHeldOut: true,
            })),
          ];
    const scenes = isShort ? 2 : 5;
    const judged: Judged[] = [];
    const cpuMs: number[] = [];
    for (const [at, { work, isHeldOut }] of works.entries()) {
      const random = createRandom(seed * 100 + at);
      const memory = createMemoryHome();
      onEnd(memory.remove);
      memory.work = work;
      // Set the clock later than everything in the repository.
      memory.clock.set(Date.now());
      const reader = createSymbolReader(grammars, systemClock);
      const code: CheckedCode = {
        root: work,
        budgetMs: patienceMs,
        key: memory.open().device.key,
        async symbols(path, text) {
          const { symbols, how } = await reader(path, text);
          return how === 'parsed' ? symbols : undefined;
        },
      };
      const donors = createDonors(
        works.filter((other) => other.work !== work).map((other) => other.work),
        random,
      );
      const head = git(work, 'rev-parse', 'HEAD').trim();
      for (let scene = 0; scene < scenes; scene++) {
        const pairs = await playScene(
          { memory, reader, donors, random, code },
          perScene,
          (number) => `s${at}-${scene}-${number}`,
        );
        await withChunks(memory, pairs, async (chunks, evidence) => {
          for (let from = 0; from < pairs.length; from += perAnswer) {
            const asked = pairs.slice(from, from + perAnswer);
            const own = asked.flatMap((pair) => chunks.get(pair) ?? []);
            const before = process.cpuUsage();
            const drifts = await checkDrift(own, evidence, code);
            const { user, system } = process.cpuUsage(before);
            cpuMs.push((user + system) / 1000);
            for (const [place, pair] of asked.entries()) {
              const chunk = own[place];
              const drift = chunk && drifts.get(chunk);
              if (drift !== undefined) judged.push({ pair, drift, isHeldOut });
            }
          }
        });
        git(work, 'checkout', '-q', '-f', '-B', 'trunk', head);
        git(work, 'clean', '-q', '-f', '-d');
        showProgress(at * scenes + scene + 1, works.length * scenes);
      }
    }
    const cost = await costOfChecking(works[0]?.work as string);
    const held = judged.filter(({ isHeldOut }) => isHeldOut);
    const lost = judged.filter(
      ({ pair }) => ['changed', 'gone'].includes(pair.fate.truth) && pair.fate.name !== 'on another branch',
    );
    return {
      n: judged.length,
      figures: {
        repositories: works.length,
        'right, repositories it was developed on %': share(
          judged.filter(({ isHeldOut }) => !isHeldOut),
          isRight,
        ),
        'right commit of what changed or went %': share(
          lost.filter(isRight),
          ({ pair, drift }) => drift.by === pair.by,
        ),
        'own CPU of checking 20 pairs, parsers and diffs included, ms': round(median(cpuMs)),
        ...cost,
        ...by('truth', judged, ({ pair }) => pair.fate.truth),
        ...by('fate', judged, ({ pair }) => pair.fate.name),
        ...by('tied by', judged, ({ pair }) => pair.tie),
        ...by('time', judged, ({ pair }) => pair.time),
        ...by('what', judged, ({ pair }) => pair.block.kind),
        ...examples(judged),
      },
      bars: {
        'right %': atLeast(share(judged, isRight), 97),
        ...(held.length === 0 ? {} : { 'right, held out %': atLeast(share(held, isRight), 97) }),
        'gone called current': exactly(
          judged.filter(({ pair, drift }) => pair.fate.truth === 'gone' && drift.state === 'current').length,
          0,
        ),
        pairs: atLeast(judged.length, isShort ? 60 : 1_000),
        'kinds of fates': atLeast(new Set(judged.map(({ pair }) => pair.fate.name)).size, isShort ? 10 : 15),
      },
    };
  },
};

/** True if both the label and the reported location are as expected. */
const isRight = ({ pair: { fate }, drift }: Judged): boolean =>
  drift.state === fate.truth && (fate.path === undefined || drift.path === fate.path);

const share = (judged: Judged[], holds: (each: Judged) => boolean): number =>
  round((100 * judged.filter(holds).length) / Math.max(1, judged.length));

function by(what: string, judged: Judged[], nameOf: (each: Judged) => string): Record<string, string> {
  const groups = new Map<string, Judged[]>();
  for (const each of judged) groups.set(nameOf(each), [...(groups.get(nameOf(each)) ?? []), each]);
  return Object.fromEntries(
    [...groups]
      .sort()
      .map(([name, own]) => [`${what}: ${name}`, `${own.filter(isRight).length}/${own.length}`]),
  );
}

/** Lists memories with a wrong label, for debugging. */
const examples = (judged: Judged[]): Record<string, string> =>
  Object.fromEntries(
    judged
      .filter((each) => !isRight(each))
      .slice(0, 30)
      .map(({ pair: { block, fate, tie, time, session }, drift }, at) => [
        `wrong ${at + 1}`,
        `${session} ${block.path}:${block.from + 1}-${block.to} ${fate.name}, ${tie}, ${time}: ${drift.state} ${drift.path ?? ''} for ${fate.truth} ${fate.path ?? ''}`,
      ]),
  );
