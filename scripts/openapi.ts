import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocuments } from './client.ts';

/** Writes the OpenAPI descriptions of `serve` and of the team server to a folder, for a linter. */
const [folder = '.'] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
for (const [name, document] of Object.entries(openApiDocuments))
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(document, null, 2)}\n`);
