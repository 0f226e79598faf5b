import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { clientSource } from './client.ts';

/** Builds the API client, which other programs import, in a browser or in Node: one module, and its types. */
export function buildClient(outdir: string): void {
  const source = `${outdir}/index.ts`;
  mkdirSync(outdir, { recursive: true });
  writeFileSync(source, clientSource());
  const options =
    '--ignoreConfig --declaration --strict --target es2022 --module esnext --moduleResolution bundler --lib es2022,dom,dom.iterable --types';
  execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', source, ...options.split(' '), ''], {
    stdio: 'inherit',
  });
  rmSync(source);
}
