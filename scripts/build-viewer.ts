import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build, type Metafile } from 'esbuild';

/**
 * Builds the viewer as files that browsers can cache for ever: each name contains a hash of the content. Only the two
 * pages, for the local viewer and for teams, refer to the names of this build.
 */
export async function buildViewer(outdir: string): Promise<{ metafile: Metafile }> {
  const { metafile } = await build({
    entryPoints: {
      main: 'web/main.tsx',
      team: 'web/team/main.tsx',
      style: 'web/style/main.css',
    },
    outdir,
    entryNames: 'assets/[name]-[hash]',
    chunkNames: 'assets/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome123', 'firefox128', 'safari17.5'],
    tsconfig: 'web/tsconfig.json',
    define: { 'process.env.NODE_ENV': '"production"' },
    minify: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  const outputOf = (entry: string): string => {
    const found = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === entry);
    if (found === undefined) throw new Error(`${entry} was not built`);
    return found[0];
  };
  const named = (path: string): string => relative(outdir, path).replaceAll('\\', '/');
  const partsOf = (path: string): string[] =>
    (metafile.outputs[path]?.imports ?? [])
      .filter(({ kind }) => kind === 'import-statement')
      .flatMap(({ path: part }) => [part, ...partsOf(part)]);
  const page = readFileSync('web/index.html', 'utf8');
  const writePage = (name: string, entry: string): void => {
    const script = outputOf(entry);
    // Preloaded together with the script, not only after it has been parsed.
    const parts = [...new Set(partsOf(script))].map(
      (part) => `<link rel="modulepreload" href="${named(part)}" />\n    `,
    );
    const whole = page
      .replace('main.css', named(outputOf('web/style/main.css')))
      .replace('<script', `${parts.join('')}<script`)
      .replace('main.js', named(script));
    writeFileSync(join(outdir, name), whole);
  };
  writePage('index.html', 'web/main.tsx');
  writePage('team.html', 'web/team/main.tsx');
  cpSync('web/icon.svg', join(outdir, 'icon.svg'));
  return { metafile };
}
