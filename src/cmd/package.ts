import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));

/** The folder of the programs. Code that several of them share is in its folder `parts`. */
export const programFolder = here.endsWith('parts') ? dirname(here) : here;

export const packageVersion = (): string =>
  (JSON.parse(readFileSync(join(programFolder, '..', 'package.json'), 'utf8')) as { version: string })
    .version;
