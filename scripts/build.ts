import { chmodSync, cpSync, rmSync } from 'node:fs';
import { build } from 'esbuild';

/**
 * One bundle per process. Pure JavaScript packages are bundled, so an installed Backstory has no dependencies.
 * `--salt TEXT --out DIR` makes a version whose index schema differs, for tests of two versions side by side.
 */
const option = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? undefined : process.argv[at + 1];
};

const outdir = option('out') ?? 'dist';
const shared = {
  bundle: true,
  platform: 'node' as const,
  target: 'node22',
  outdir,
  // Some packages' CommonJS builds hide their parts from a bundler.
  mainFields: ['module', 'main'],
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none' as const,
  define: { BACKSTORY_SCHEMA_SALT: JSON.stringify(option('salt') ?? '') },
  logLevel: 'warning' as const,
};

rmSync(outdir, { recursive: true, force: true });

await build({
  ...shared,
  // The others are loaded by the first when a tool touched files or a plugin speaks; most hooks start without them.
  entryPoints: {
    hook: 'src/cmd/hook.ts',
    'hook-files': 'src/memo/touched-files.ts',
    'hook-plugins': 'src/agents/plugin-call.ts',
  },
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  minifyIdentifiers: true,
});

await build({
  ...shared,
  entryPoints: [
    'src/cmd/main.ts',
    'src/cmd/mcp.ts',
    'src/cmd/drain.ts',
    'src/cmd/index-code.ts',
    'src/cmd/scan-code.ts',
  ],
  format: 'esm',
  splitting: true,
  chunkNames: 'parts/[name]-[hash]',
  // Some bundled packages are CommonJS and ask for Node's modules by require.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
});

// Sources as they are: agents run them, and `install` writes into them where our programs lie.
for (const agent of ['opencode', 'pi'])
  cpSync(`plugins/${agent}`, `${outdir}/plugins/${agent}`, { recursive: true });

// Beside the bundles and not in them: ten megabytes of numbers are read only by those who ask by meaning.
cpSync('assets/static-en.bin', `${outdir}/models/static-en.bin`);

for (const file of ['main.js', 'hook.cjs']) chmodSync(`${outdir}/${file}`, 0o755);
