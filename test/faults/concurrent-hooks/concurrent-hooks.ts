import { join } from 'node:path';
import { readFailures } from '../../../src/memory/projects/failures.ts';
import { type Evaluation, exactly, quantile, round, showProgress } from '../../harness/evaluation.ts';
import { createHome, type Home, openProject } from '../../harness/home.ts';
import { promptInput, stopInput } from '../../harness/hook-input.ts';
import { createLedger, type Ledger } from '../../harness/ledger.ts';
import { hookToLog } from '../../harness/measured-code.ts';
import { installPackage } from '../../harness/package.ts';
import { startProgram } from '../../harness/program.ts';
import { createProse, type Prose } from '../../harness/prose.ts';
import { createRandom, type Random } from '../../harness/random.ts';

const hooksAtOnce = 50;
const smallest = 200;
const largest = 4 * 1024 * 1024;
const stopShare = 0.2;

/**
 * Fifty agents run their hooks at the same moment. No line of the log may be lost, duplicated or mixed with another.
 */
export const concurrentHooks: Evaluation = {
  name: 'concurrent-hooks',
  summary: 'Fifty concurrent hooks, 200 B to 4 MB each: every event is stored once, none is torn.',
  file: import.meta.filename,
  measures: hookToLog,
  async run({ isShort, seed }) {
    const rounds = isShort ? 2 : 10;
    const random = createRandom(seed);
    const prose = createProse(random);
    const home = createHome(installPackage());
    const ledger = createLedger();
    const walls = { hook: [] as number[], bare: [] as number[] };
    let failedExits = 0;
    let bytes = 0;
    // The first hook in a folder runs git and caches the result. In the first round all fifty hooks may do so at once.
    for (let round = 0; round < rounds; round++) {
      walls.bare.push(...(await bareRound(home)));
      const given = Array.from({ length: hooksAtOnce }, (_, at) => wordsFor(random, prose, `${round}-${at}`));
      bytes += given.reduce((sum, words) => sum + words.length, 0);
      const ended = await hookRound(home, random, given, round, ledger);
      walls.hook.push(...ended.map(({ wallMs }) => wallMs));
      failedExits += ended.filter(({ code }) => code !== 0).length;
      await home.drainsEnded();
      showProgress(round + 1, rounds);
    }
    const audit = ledger.audit(openProject(home.projectFolder()).log);
    const failures = readFailures(join(home.backstory, 'failures.jsonl')).length;
    const wanted = rounds * hooksAtOnce;
    return {
      n: wanted,
      figures: {
        rounds,
        hooksAtOnce,
        megabytes: round(bytes / 1024 / 1024),
        hookP50Ms: round(quantile(walls.hook, 0.5)),
        hookP95Ms: round(quantile(walls.hook, 0.95)),
        p50Ratio: round(quantile(walls.hook, 0.5) / quantile(walls.bare, 0.5)),
        p95Ratio: round(quantile(walls.hook, 0.95) / quantile(walls.bare, 0.95)),
        ...audit,
      },
      bars: {
        acknowledged: exactly(audit.acknowledged, wanted),
        lost: exactly(audit.lost, 0),
        altered: exactly(audit.altered, 0),
        duplicated: exactly(audit.duplicated, 0),
        torn: exactly(audit.torn, 0),
        failures: exactly(failures, 0),
        failedExits: exactly(failedExits, 0),
      },
    };
  },
};

const wordsFor = (random: Random, prose: Prose, name: string): string =>
  `hook ${name} ${prose.take(random.size(smallest, largest), random)}`;

function bareRound({ repo, env }: Home): Promise<number[]> {
  const started = Array.from({ length: hooksAtOnce }, () => startProgram(['-e', '0'], { cwd: repo, env }));
  return Promise.all(started.map(async ({ ended }) => (await ended).wallMs));
}

function hookRound(home: Home, random: Random, given: string[], round: number, ledger: Ledger) {
  const started = given.map((words, at) => {
    const where = { cwd: home.repo, session: `session-${at}` };
    const toInput = random.chance(stopShare) ? stopInput : promptInput;
    return { words, program: home.startHook(toInput(where, `turn-${round}-${at}`, words)) };
  });
  return Promise.all(
    started.map(async ({ words, program }) => {
      const end = await program.ended;
      ledger.enter(words, end.acknowledged);
      return end;
    }),
  );
}
