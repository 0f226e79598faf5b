import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../../test/harness/random.ts';
import { letters, secretKinds } from './synthetic-kinds.ts';

const perFile = 100;
const symbols = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789!%*+,-.:;?@^_~';

/**
 * Writes generated secrets to the working tree's `.env` and yields its lines. The file is rewritten for every hundred
 * secrets, because Backstory reads only some hundreds from it.
 */
export function* writeEnvFile(root: string, count: number, random: Random): Generator<string> {
  for (let written = 0; written < count; written += perFile) {
    const lines = Array.from({ length: Math.min(perFile, count - written) }, (_, at) => {
      const kind = random.pick(
        secretKinds.filter(({ name }) => !name.endsWith('key') || name.startsWith('aws')),
      );
      const value = random.chance(0.5) ? kind.make(random) : letters(random, symbols, random.whole(12, 40));
      return `${kind.variable}_${at}=${random.chance(0.5) ? `"${value}"` : value}`;
    });
    const text = `# settings\nNODE_ENV=development\n${lines.join('\n')}\n`;
    writeFileSync(join(root, '.env'), text);
    yield lines.join('\n');
  }
}
