import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';

/**
 * The viewer as files that a browser can keep for ever: each is named after what it holds, and
 * `index.html` alone knows the names of this build. What draws the graph is fetched with the first graph.
 */
export async function buildViewer(outdir: string): Promise<void> {
  const { metafile } = await build({
    entryPoints: {
      main: 'web/main.tsx',
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
  const nameOf = (entry: string): string => {
    const found = Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint === entry);
    if (found === undefined) throw new Error(`${entry} was not built`);
    return relative(outdir, found[0]).replaceAll('\\', '/');
  };
  const page = readFileSync('web/index.html', 'utf8')
    .replace('main.css', nameOf('web/style/main.css'))
    .replace('main.js', nameOf('web/main.tsx'))
    .replace('layout-worker.js', nameOf('web/graph/layout-worker.ts'));
  writeFileSync(join(outdir, 'index.html'), page);
  cpSync('web/icon.svg', join(outdir, 'icon.svg'));
}
