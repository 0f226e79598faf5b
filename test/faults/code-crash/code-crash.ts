import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { readManifest } from '../../../src/code/index/manifest.ts';
import { openCheckout, scanFor, searchDeadlineMs } from '../../harness/checkout.ts';
import { temporaryFolder } from '../../harness/cleanup.ts';
import { atLeast, type Evaluation, exactly, showProgress } from '../../harness/evaluation.ts';
import { sleep } from '../../harness/program.ts';
import { createRandom } from '../../harness/random.ts';
import { linesWith } from '../../support/lines-with.ts';
import { until } from '../../support/until.ts';

const killsPerTree = 30;

/** Kills an index writer at random moments. After each kill the next search must be correct. */
export const codeCrash: Evaluation = {
  name: 'code-crash',
  summary: 'kill -9 while the code index is built, extended and merged: the next search is correct.',
  file: import.meta.filename,
  measures: [
    'src/code/checkout.ts',
    'src/code/freshness.ts',
    'src/code/open-index.ts',
    'src/code/segment-job.ts',
    'src/code/index',
    'src/code/words',
    'src/cmd/index-code.ts',
    'src/cmd/run-index-job.ts',
    'src/store/sqlite/writer-lock.ts',
    'src/base/files.ts',
  ],
  async run({ isShort, seed }) {
    const random = createRandom(seed);
    const total = isShort ? 20 : 300;
    const tally = { wrong: 0, lines: 0, full: 0, delta: 0, leftovers: 0, generations: 0 };
    const wantedHits = Math.ceil(total / 10);
    let kill = 0;
    while (kill < total) {
      const base = realpathSync(temporaryFolder('code-crash'));
      const [root, folder] = ['tree', 'index'].map((name) => join(base, name)) as [string, string];
      mkdirSync(root);
      execFileSync('git', ['init', '-q', root]);
      for (let at = 0; at < killsPerTree && kill < total; at++, kill++) {
        const before = new Set(unnamedSegments(folder));
        const doing = await writeAndKill(root, folder, random.whole(0, 1e6), {
          steps: random.whole(1, 4),
          isAtWrite: random.chance(0.5),
          afterMs: random.size(1, 100),
        });
        if (doing !== undefined) tally[doing]++;
        if (unnamedSegments(folder).some((name) => !before.has(name))) tally.leftovers++;
        // Opens the checkout as another process would, with the files the killed one left.
        const checkout = openCheckout(root, folder, { watches: false, mayWrite: random.chance(0.5) });
        const found = await linesWith(checkout, 'needle', searchDeadlineMs);
        const expected = scanFor(root, 'needle');
        tally.lines += expected.length;
        if (found.join() !== expected.join()) {
          tally.wrong++;
          console.log(`kill ${kill} during ${doing}: ${found.length} lines instead of ${expected.length}`);
        }
        await checkout.close();
        showProgress(kill + 1, total);
      }
      tally.generations += readManifest(folder)?.generation ?? 0;
    }
    const { wrong, ...figures } = tally;
    return {
      n: kill,
      figures,
      bars: {
        wrong: exactly(wrong, 0),
        // Kills that never hit a write would prove nothing. If a segment file exists that no manifest names, a kill has
        // hit a write.
        leftovers: atLeast(tally.leftovers, wantedHits),
        full: atLeast(tally.full, 1),
        delta: atLeast(tally.delta, 1),
        // Nor would kills before anything was written.
        generations: atLeast(tally.generations, 1),
      },
    };
  },
};

interface Aim {
  /** The step that is hit. */
  steps: number;
  /** Whether the writer is killed as soon as it has begun a segment. Otherwise some time later, whatever it does then. */
  isAtWrite: boolean;
  afterMs: number;
}

/** Starts a writer, kills it, and returns the step that it last announced. */
async function writeAndKill(
  root: string,
  folder: string,
  seed: number,
  { steps, isAtWrite, afterMs }: Aim,
): Promise<'full' | 'delta' | undefined> {
  const program = join(import.meta.dirname, 'writer.ts');
  const child = spawn(process.execPath, [program, root, folder, String(seed)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (data) => {
    output += data;
  });
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const isOver = () => child.exitCode !== null;
  await until(() => isOver() || output.split('\n').length > steps, 'the writer does not go on');
  const before = new Set(unnamedSegments(folder));
  const hasBegun = () => isOver() || unnamedSegments(folder).some((name) => !before.has(name));
  if (isAtWrite) await until(hasBegun, 'the writer begins no segment');
  else await sleep(afterMs);
  child.kill('SIGKILL');
  await ended;
  return output.trim().split('\n').at(-1) as 'full' | 'delta' | undefined;
}

/** Segments that are being written, or whose write a kill has hit: no manifest names them. */
function unnamedSegments(folder: string): string[] {
  const named = new Set(readManifest(folder)?.segments.map(({ file }) => file));
  return exists(folder).filter((name) => name.endsWith('.seg') && !named.has(name));
}

function exists(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The writer was killed before it created its folder.
    return [];
  }
}
