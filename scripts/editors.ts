import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { bundledPackages, licenceText } from './bundled-packages.ts';
import { noticeFor } from './notice.ts';

/** `npm run editors`: bundles the VS Code extension and packs it as `editors/vscode/dist/backstory-VERSION.vsix`. */
const folder = 'editors/vscode';
const versionIn = (path: string): string => JSON.parse(readFileSync(path, 'utf8')).version;
const version = versionIn('package.json');
if (versionIn(`${folder}/package.json`) !== version)
  throw new Error(`the version in ${folder}/package.json is not ${version}`);

const { metafile } = await build({
  entryPoints: [`${folder}/extension.js`],
  outfile: `${folder}/dist/extension.js`,
  bundle: true,
  metafile: true,
  platform: 'node',
  format: 'cjs',
  // That of the oldest VS Code in `engines`.
  target: 'node20',
  external: ['vscode'],
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
});

copyFileSync('LICENSE', `${folder}/LICENSE`);
const packages = bundledPackages([metafile]).map((one) => ({ ...one, text: licenceText(one) }));
// The rest of the head is about the models and grammars, which the extension does not contain.
const [head = ''] = readFileSync('scripts/notice-head.txt', 'utf8').split('\n\n');
writeFileSync(`${folder}/NOTICE`, noticeFor(head, packages));

const flags = ['--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links'];
execFileSync(
  'npx',
  ['--yes', '@vscode/vsce@4.1.0', 'package', ...flags, '--out', `dist/backstory-${version}.vsix`],
  { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' },
);
