import { execFileSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

/** Builds the API client, which other programs import, in a browser or in Node: one module, and its types. */
export async function buildClient(outdir: string): Promise<void> {
  await build({
    entryPoints: { index: 'client/index.ts' },
    outdir,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    logLevel: 'warning',
  });
  const compiler = 'node_modules/typescript/bin/tsc';
  execFileSync(process.execPath, [compiler, '-p', 'client', '--outDir', outdir], { stdio: 'inherit' });
  // The compiler keeps the names of the sources, which are not in the package.
  for (const path of globSync(`${outdir}/**/*.d.ts`))
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/(?<= from '\.[^']*)\.ts';/g, ".js';"));
}
