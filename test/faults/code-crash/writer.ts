/**
 * Changes a tree and indexes it in a loop until it is killed: full builds, deltas and merges. It announces each step on
 * stdout, so that the killer knows what it hit.
 */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openCheckout } from '../../harness/checkout.ts';
import { createRandom } from '../../harness/random.ts';

const [root = '', folder = '', seed = '0'] = process.argv.slice(2);
const random = createRandom(Number(seed));
const checkout = openCheckout(root, folder, { watches: true });
for (;;) {
  for (let left = random.size(1, 60); left > 0; left--) {
    const path = join(root, `d${random.whole(0, 9)}`, `f${random.whole(0, 60)}.ts`);
    mkdirSync(join(path, '..'), { recursive: true });
    if (random.chance(0.15)) rmSync(path, { force: true });
    else
      writeFileSync(
        path,
        `needle ${random.whole(0, 1e6)}\n${'hay stack\n'.repeat(random.size(1, 3_000))}needle\n`,
      );
  }
  const isFull = random.chance(0.2);
  process.stdout.write(isFull ? 'full\n' : 'delta\n');
  await checkout.reindex(isFull);
}
