import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build, type Metafile } from 'esbuild';

/**
 * The viewer as files that a browser can keep for ever: each is named after what it holds, and the two pages alone,
 * one's own and a team's, know the names of this build. What draws the graph is fetched with the first graph.
 */
export async function buildViewer(outdir: string): Promise<{ metafile: Metafile }> {
  const { metafile } = await build({
    entryPoints: {
      main: 'web/main.tsx',
      team: 'web/team/main.tsx',
      style: 'web/style/main.css',
      'layout-worker': 'web/graph/layout-worker.ts',
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
    // Asked for together with the script, and not only once it has been read.
    const parts = [...new Set(partsOf(script))].map(
      (part) => `<link rel="modulepreload" href="${named(part)}" />\n    `,
    );
    const whole = page
      .replace('main.css', named(outputOf('web/style/main.css')))
      .replace('layout-worker.js', named(outputOf('web/graph/layout-worker.ts')))
      .replace('<script', `${parts.join('')}<script`)
      .replace('main.js', named(script));
    writeFileSync(join(outdir, name), whole);
  };
  writePage('index.html', 'web/main.tsx');
  writePage('team.html', 'web/team/main.tsx');
  cpSync('web/icon.svg', join(outdir, 'icon.svg'));
  return { metafile };
}
