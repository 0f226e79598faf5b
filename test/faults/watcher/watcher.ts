import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { openCheckout, scanFor, searchDeadlineMs } from '../../harness/checkout.ts';
import { temporaryFolder } from '../../harness/cleanup.ts';
import { atLeast, type Evaluation, exactly, showProgress } from '../../harness/evaluation.ts';
import { createRandom } from '../../harness/random.ts';
import { linesWith } from '../../support/lines-with.ts';
import { changes, needle } from './change.ts';

const scenariosPerTree = 25;

/**
 * Changes a checkout whose files are watched and compares the search results right afterwards with an independent scan.
 */
export const watcher: Evaluation = {
  name: 'watcher',
  summary: 'Working trees changed in many ways: a search right afterwards equals a fresh scan.',
  file: import.meta.filename,
  measures: [
    'src/code/checkout.ts',
    'src/code/folder-watch.ts',
    'src/code/freshness.ts',
    'src/code/open-index.ts',
    'src/code/search-file.ts',
    'src/code/search-lines.ts',
    'src/code/search.ts',
    'src/code/segment-job.ts',
    'src/code/source-file.ts',
    'src/code/source.ts',
    'src/code/view.ts',
    'src/code/index',
    'src/git/git.ts',
    'src/git/git-program.ts',
    'src/git/in-repository.ts',
    'src/git/worktree-files.ts',
    'src/base/checkout-file.ts',
  ],
  async run({ isShort, seed }) {
    const random = createRandom(seed);
    const total = isShort ? 60 : 500;
    const kinds = Object.keys(changes);
    // Most changes are writes; without them few files would be left to search.
    const usual = [...kinds, ...Array<string>(12).fill('write'), ...Array<string>(4).fill('unlinkFolders')];
    const done = new Map<string, number>();
    let differences = 0;
    let answers = 0;
    for (let scenario = 0; scenario < total; ) {
      const base = realpathSync(temporaryFolder('watcher'));
      const [root, outside] = ['tree', 'outside'].map((name) => join(base, name)) as [string, string];
      mkdirSync(root);
      mkdirSync(outside);
      execFileSync('git', ['init', '-q', root]);
      const checkout = openCheckout(root, join(base, 'index'), { watches: true });
      for (let at = 0; at < scenariosPerTree && scenario < total; at++, scenario++) {
        // A short random run could leave out some kinds of change, so do these explicitly.
        const missing = kinds.filter((kind) => !done.has(kind));
        const steps = [
          ...random.shuffled(missing).slice(0, 2),
          ...Array.from({ length: random.whole(1, 8) }, () => random.pick(usual)),
        ];
        for (const step of steps) {
          if (attempt(() => changes[step]?.(root, random, outside)))
            done.set(step, (done.get(step) ?? 0) + 1);
          if (random.chance(0.1)) await linesWith(checkout, needle, searchDeadlineMs);
        }
        if (random.chance(0.3)) await checkout.reindex(random.chance(0.2));
        const found = await linesWith(checkout, needle, searchDeadlineMs);
        const expected = scanFor(root, needle);
        answers += expected.length;
        if (found.join() !== expected.join()) {
          differences++;
          console.log(
            `scenario ${scenario}: ${steps}\n  found ${found.filter((line) => !expected.includes(line))} too much, missed ${expected.filter((line) => !found.includes(line))}`,
          );
        }
        showProgress(scenario + 1, total);
      }
      await checkout.close();
    }
    return {
      n: total,
      figures: { lines: answers, ...Object.fromEntries(done) },
      bars: {
        differences: exactly(differences, 0),
        // A run with hardly any changes would prove nothing.
        kindsOfChange: exactly(done.size, kinds.length),
        lines: atLeast(answers, total),
      },
    };
  },
};

/** Returns whether the tree allowed the change. */
function attempt(change: () => void): boolean {
  try {
    change();
    return true;
  } catch {
    return false;
  }
}
