import { createHash } from 'node:crypto';
import { chmodSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build, type Plugin } from 'esbuild';
import { wordTableOf } from '../src/models/static-embed.ts';
import { schemaNameWith } from '../src/store/sqlite/schema.ts';
import { buildClient } from './build-client.ts';
import { buildViewer } from './build-viewer.ts';
import { bundledPackages, bundledPackagesFile } from './bundled-packages.ts';
import {
  commandLine,
  hookBundles,
  hookPrograms,
  launchers,
  programs,
  recallBundles,
} from './entry-points.ts';

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

/** Keeps programs that `main` and `mcp` import as separate files. */
const externalPrograms: Plugin = {
  name: 'external-programs',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/(?:mcp-server|lsp|drain|serve|team)\.ts$/ }, ({ path }) => ({
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
  define: { BACKSTORY_SCHEMA_NAME: JSON.stringify(schemaNameWith(option('salt') ?? '')) },
  logLevel: 'warning' as const,
  plugins: [removeUnusedCode],
};

/** Programs that users and agents start. They must load on an old Node to be able to say that it is too old. */
const oldNode = 'node12.20';

rmSync(outdir, { recursive: true, force: true });

const hookFormat = {
  ...shared,
  format: 'cjs' as const,
  // Otherwise every non-ASCII character would be escaped with six characters.
  charset: 'utf8' as const,
  outExtension: { '.js': '.cjs' },
  minifyIdentifiers: true,
};
const hookParts = await build({
  ...hookFormat,
  entryPoints: { ...hookBundles, ...recallBundles },
});

// The compile cache of the hook belongs to exactly these bundles.
const hookHash = createHash('sha256');
for (const file of Object.keys(hookParts.metafile.outputs).sort()) hookHash.update(readFileSync(file));
const define = {
  ...shared.define,
  BACKSTORY_HOOK_BUILD: JSON.stringify(hookHash.digest('hex').slice(0, 16)),
};
const hook = await build({
  ...hookFormat,
  define,
  target: oldNode,
  entryPoints: hookPrograms,
});

// Commands are one file, because resolving and linking forty modules took as long as starting Node. It is CommonJS,
// so that the code of a command, with the Node modules it needs, runs only when the command is used.
const commands = await build({
  ...shared,
  entryPoints: [commandLine],
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  define: { ...shared.define, 'import.meta.url': '__url' },
  banner: { js: "const __url = require('node:url').pathToFileURL(__filename).href;" },
});

const main = await build({
  ...shared,
  entryPoints: launchers,
  format: 'esm',
  target: oldNode,
  plugins: [externalPrograms],
});

const servers = await build({
  ...shared,
  define,
  entryPoints: programs,
  format: 'esm',
  splitting: true,
  chunkNames: 'parts/[name]-[hash]',
  // Some bundled packages are CommonJS and `require` Node's modules.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
});

buildClient(`${outdir}/client`);
const viewer = await buildViewer(`${outdir}/ui`);

// For NOTICE and the SBOM.
const packages = bundledPackages(
  [hookParts, hook, commands, main, servers, viewer].map(({ metafile }) => metafile),
);
writeFileSync(`${outdir}/${bundledPackagesFile}`, `${JSON.stringify(packages, null, 2)}\n`);

// Copied as source: agents run them, and `install` writes the paths of our programs into them.
for (const agent of ['opencode', 'pi'])
  cpSync(`plugins/${agent}`, `${outdir}/plugins/${agent}`, { recursive: true });

cpSync('skills', `${outdir}/skills`, {
  recursive: true,
  // The prompts for its evaluation are not published.
  filter: (path) => !path.includes('triggers'),
});

// Separate files, because they are large and read only when needed: the embedding model and the grammars.
cpSync('assets/static-en.bin', `${outdir}/models/static-en.bin`);
writeFileSync(`${outdir}/models/static-en.words`, wordTableOf('assets/static-en.bin'));
cpSync('assets/translations.bin', `${outdir}/models/translations.bin`);
// Migrations of the team database.
cpSync('sql/postgres', `${outdir}/sql`, { recursive: true });
cpSync('assets/grammars', `${outdir}/grammars`, { recursive: true });

for (const file of ['main.js', 'hook.cjs']) chmodSync(`${outdir}/${file}`, 0o755);
