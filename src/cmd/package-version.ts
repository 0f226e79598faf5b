import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const packageVersion = (programFolder: string): string =>
  (JSON.parse(readFileSync(join(programFolder, '..', 'package.json'), 'utf8')) as { version: string })
    .version;
