import { chmodSync, cpSync, rmSync, writeFileSync } from 'node:fs';
import { build, type Plugin } from 'esbuild';
import { buildViewer } from './build-viewer.ts';
import { bundledPackages, bundledPackagesFile } from './bundled-packages.ts';

/**
 * One bundle per process. Pure JavaScript packages are bundled, so an installed Backstory has no dependencies.
 * `--salt TEXT --out DIR` makes a version whose index schema differs, for tests of two versions side by side.
 */
const option = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? undefined : process.argv[at + 1];
};

/**
 * What packages bring along and nobody here calls, a third of what every server would load: messages of zod in
 * fifty languages, and a validator of forms that an MCP server may ask its user to fill in.
 */
const withoutTheUnused: Plugin = {
  name: 'without-the-unused',
  setup({ onLoad }) {
    onLoad({ filter: /@modelcontextprotocol[\\/]server[\\/]dist[\\/]shimsNode\.mjs$/ }, () => ({
      contents: `
        import process from 'node:process';
        class DefaultJsonSchemaValidator {
          getValidator() { throw new Error('this server asks for no forms'); }
        }
        export { DefaultJsonSchemaValidator, process };`,
      resolveDir: '.',
    }));
    onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({ contents: '' }));
  },
};

/** A program that another one hands over to stays a file of its own. */
const ownFiles: Plugin = {
  name: 'own-files',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/(?:mcp|drain|serve|team)\.ts$/ }, ({ path }) => ({
      path: path.replace(/ts$/, 'js'),
      external: true,
    }));
  },
};

const outdir = option('out') ?? 'dist';
const shared = {
  bundle: true,
  metafile: true as const,
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
  plugins: [withoutTheUnused],
};

rmSync(outdir, { recursive: true, force: true });

const hook = await build({
  ...shared,
  // The others are loaded by the first when a tool touched files or a plugin speaks; most hooks start without them.
  entryPoints: {
    hook: 'src/cmd/hook.ts',
    'hook-files': 'src/memo/touched-files.ts',
    'hook-plugins': 'src/agents/plugin-call.ts',
  },
  format: 'cjs',
  // Words of other scripts stay one character each instead of six.
  charset: 'utf8',
  outExtension: { '.js': '.cjs' },
  minifyIdentifiers: true,
});

// What people wait for is one file: finding and linking forty took as long as starting Node. As CommonJS,
// because there a command's own part, and Node's modules with it, is run only when that command is asked for.
const commandLine = await build({
  ...shared,
  entryPoints: ['src/cmd/command-line.ts'],
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  define: { ...shared.define, 'import.meta.url': '__url' },
  banner: { js: "const __url = require('node:url').pathToFileURL(__filename).href;" },
});

const main = await build({
  ...shared,
  entryPoints: ['src/cmd/main.ts'],
  format: 'esm',
  plugins: [ownFiles],
});

const programs = await build({
  ...shared,
  entryPoints: [
    'src/cmd/mcp.ts',
    'src/cmd/drain.ts',
    'src/cmd/serve.ts',
    'src/cmd/team.ts',
    'src/cmd/index-code.ts',
    'src/cmd/scan-code.ts',
    'src/cmd/parse-code.ts',
    'src/cmd/guard-call.ts',
  ],
  format: 'esm',
  splitting: true,
  chunkNames: 'parts/[name]-[hash]',
  // Some bundled packages are CommonJS and ask for Node's modules by require.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
});

const viewer = await buildViewer(`${outdir}/ui`);

// For NOTICE and the SBOM.
const packages = bundledPackages([hook, commandLine, main, programs, viewer].map(({ metafile }) => metafile));
writeFileSync(`${outdir}/${bundledPackagesFile}`, `${JSON.stringify(packages, null, 2)}\n`);

// Sources as they are: agents run them, and `install` writes into them where our programs lie.
for (const agent of ['opencode', 'pi'])
  cpSync(`plugins/${agent}`, `${outdir}/plugins/${agent}`, { recursive: true });

cpSync('skills/backstory', `${outdir}/skills/backstory`, {
  recursive: true,
  // The prompts it is judged by stay here.
  filter: (path) => !path.includes('triggers'),
});

// Beside the bundles and not in them: ten megabytes of numbers are read only by those who ask by meaning.
cpSync('assets/static-en.bin', `${outdir}/models/static-en.bin`);
// What makes the tables of a team's database.
cpSync('sql/postgres', `${outdir}/sql`, { recursive: true });
// Likewise a grammar is read only by those who ask for symbols of its language.
cpSync('assets/grammars', `${outdir}/grammars`, { recursive: true });

for (const file of ['main.js', 'hook.cjs']) chmodSync(`${outdir}/${file}`, 0o755);
