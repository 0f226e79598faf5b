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
    const wantedHits = Math.ceil(total / 50);
    // Enough kills must hit a write. How long a write takes depends on the machine, so the run goes on until then.
    const isDone = (kill: number): boolean =>
      kill >= total && (tally.leftovers >= wantedHits || kill >= total * 8);
    let kill = 0;
    while (!isDone(kill)) {
      const base = realpathSync(temporaryFolder('code-crash'));
      const [root, folder] = ['tree', 'index'].map((name) => join(base, name)) as [string, string];
      mkdirSync(root);
      execFileSync('git', ['init', '-q', root]);
      for (let at = 0; at < killsPerTree && !isDone(kill); at++, kill++) {
        const doing = await writeAndKill(root, folder, random.whole(0, 1e6), random.size(20, 900));
        if (doing !== undefined) tally[doing]++;
        const named = new Set(readManifest(folder)?.segments.map(({ file }) => file));
        if (exists(folder).some((name) => name.endsWith('.seg') && !named.has(name))) tally.leftovers++;
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
        showProgress(Math.min(kill + 1, total), total);
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
      },
    };
  },
};

/** Starts a writer, kills it, and returns the step that it last announced. */
async function writeAndKill(
  root: string,
  folder: string,
  seed: number,
  afterMs: number,
): Promise<'full' | 'delta' | undefined> {
  const program = join(import.meta.dirname, 'writer.ts');
  const child = spawn(process.execPath, [program, root, folder, String(seed)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  const started = new Promise<void>((resolve) => {
    child.stdout.on('data', (data) => {
      output += data;
      resolve();
    });
    child.on('close', () => resolve());
  });
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()));
  await started;
  await sleep(afterMs / 4);
  child.kill('SIGKILL');
  await ended;
  return output.trim().split('\n').at(-1) as 'full' | 'delta' | undefined;
}

function exists(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The writer was killed before it created its folder.
    return [];
  }
}
