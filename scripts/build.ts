import { chmodSync, cpSync, rmSync, writeFileSync } from 'node:fs';
import { build, type Plugin } from 'esbuild';
import { buildViewer } from './build-viewer.ts';
import { bundledPackages, bundledPackagesFile } from './bundled-packages.ts';

/**
 * Builds one bundle per program. Pure JavaScript packages are bundled, so an installed Backstory has no dependencies.
 * `--salt TEXT --out DIR` builds a version with another index schema, for tests of two versions side by side.
 */
const option = (name: string): string | undefined => {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? undefined : process.argv[at + 1];
};

/**
 * Removes unused code of packages, a third of what every server would load: zod's messages in fifty languages, and the
 * JSON Schema validator that the MCP SDK needs only for elicitation forms.
 */
const removeUnusedCode: Plugin = {
  name: 'remove-unused-code',
  setup({ onLoad }) {
    onLoad({ filter: /@modelcontextprotocol[\\/]server[\\/]dist[\\/]shimsNode\.mjs$/ }, () => ({
      contents: `
        import process from 'node:process';
        class DefaultJsonSchemaValidator {
          getValidator() { throw new Error('elicitation is not supported'); }
        }
        export { DefaultJsonSchemaValidator, process };`,
      resolveDir: '.',
    }));
    onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({ contents: '' }));
  },
};

/** Keeps programs that `main` imports as separate files. */
const externalPrograms: Plugin = {
  name: 'external-programs',
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
  // A bundler cannot tree-shake the CommonJS builds of some packages.
  mainFields: ['module', 'main'],
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none' as const,
  define: { BACKSTORY_SCHEMA_SALT: JSON.stringify(option('salt') ?? '') },
  logLevel: 'warning' as const,
  plugins: [removeUnusedCode],
};

rmSync(outdir, { recursive: true, force: true });

const hook = await build({
  ...shared,
  // The hook loads the other two only if a tool touched files or an agent's plugin calls; most calls need neither.
  entryPoints: {
    hook: 'src/cmd/hook.ts',
    'hook-files': 'src/memo/touched-files.ts',
    'hook-plugins': 'src/agents/plugin-call.ts',
  },
  format: 'cjs',
  // Otherwise every non-ASCII character would be escaped with six characters.
  charset: 'utf8',
  outExtension: { '.js': '.cjs' },
  minifyIdentifiers: true,
});

// Commands are one file, because resolving and linking forty modules took as long as starting Node. It is CommonJS,
// so that the code of a command, with the Node modules it needs, runs only when the command is used.
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
  plugins: [externalPrograms],
});

const programs = await build({
  ...shared,
  entryPoints: [
    'src/cmd/mcp.ts',
    'src/cmd/drain.ts',
    'src/cmd/serve.ts',
    'src/cmd/team.ts',
    'src/cmd/index-code.ts',
    'src/cmd/search-thread.ts',
    'src/cmd/parse-code.ts',
    'src/cmd/guard-call.ts',
  ],
  format: 'esm',
  splitting: true,
  chunkNames: 'parts/[name]-[hash]',
  // Some bundled packages are CommonJS and `require` Node's modules.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
});

const viewer = await buildViewer(`${outdir}/ui`);

// For NOTICE and the SBOM.
const packages = bundledPackages([hook, commandLine, main, programs, viewer].map(({ metafile }) => metafile));
writeFileSync(`${outdir}/${bundledPackagesFile}`, `${JSON.stringify(packages, null, 2)}\n`);

// Copied as source: agents run them, and `install` writes the paths of our programs into them.
for (const agent of ['opencode', 'pi'])
  cpSync(`plugins/${agent}`, `${outdir}/plugins/${agent}`, { recursive: true });

cpSync('skills/backstory', `${outdir}/skills/backstory`, {
  recursive: true,
  // The prompts for its evaluation are not published.
  filter: (path) => !path.includes('triggers'),
});

// Separate files, because they are large and read only when needed: the embedding model and the grammars.
cpSync('assets/static-en.bin', `${outdir}/models/static-en.bin`);
// Migrations of the team database.
cpSync('sql/postgres', `${outdir}/sql`, { recursive: true });
cpSync('assets/grammars', `${outdir}/grammars`, { recursive: true });

for (const file of ['main.js', 'hook.cjs']) chmodSync(`${outdir}/${file}`, 0o755);
