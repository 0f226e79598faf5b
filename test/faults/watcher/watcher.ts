import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { openCheckout, patienceMs, scanFor } from '../../harness/checkout.ts';
import { temporaryFolder } from '../../harness/cleanup.ts';
import { atLeast, type Evaluation, exactly, showProgress } from '../../harness/harness.ts';
import { createRandom } from '../../harness/random.ts';
import { linesWith } from '../../support/lines-with.ts';
import { changes, needle } from './change.ts';

const scenariosPerTree = 25;

/** What a watched checkout answers right after changes is compared with a scan that knows nothing of it. */
export const watcher: Evaluation = {
  name: 'watcher',
  summary: 'Working trees changed in every way: a search right afterwards equals a fresh scan.',
  async run({ isShort, seed }) {
    const random = createRandom(seed);
    const total = isShort ? 60 : 500;
    const kinds = Object.keys(changes);
    // Most of what happens to a tree is writing; without it there would be little left to be wrong about.
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
        // Chance alone leaves some kind of change out of a short run.
        const missing = kinds.filter((kind) => !done.has(kind));
        const steps = [
          ...random.shuffled(missing).slice(0, 2),
          ...Array.from({ length: random.whole(1, 8) }, () => random.pick(usual)),
        ];
        for (const step of steps) {
          if (attempt(() => changes[step]?.(root, random, outside)))
            done.set(step, (done.get(step) ?? 0) + 1);
          if (random.chance(0.1)) await linesWith(checkout, needle, patienceMs);
        }
        if (random.chance(0.3)) await checkout.reindex(random.chance(0.2));
        const found = await linesWith(checkout, needle, patienceMs);
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
        // A run in which hardly anything changed would prove nothing.
        kindsOfChange: exactly(done.size, kinds.length),
        lines: atLeast(answers, total),
      },
    };
  },
};

/** Says whether the tree allowed it. */
function attempt(change: () => void): boolean {
  try {
    change();
    return true;
  } catch {
    return false;
  }
}
