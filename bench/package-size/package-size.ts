import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { atMost, type Evaluation, exactly, round } from '../../test/harness/evaluation.ts';
import { installPackage } from '../../test/harness/package.ts';

const megabyte = 1024 * 1024;
/** Maximum size of the package without the built-in model, which has its own limit. */
const maxInstalledMb = 15;
const maxModelMb = 10.5;
/** Maximum size of what the hook of a prompt loads. Two thirds are the tables for redaction, which are text and load fast. */
const maxHookKb = 141;

/** Checks what `npm install` writes to a user's disk, and that it runs no script. */
export const packageSize: Evaluation = {
  name: 'package-size',
  summary: 'Installed size, number of packages, install scripts and native binaries.',
  file: import.meta.filename,
  measures: [
    'src',
    'web',
    'assets',
    'client',
    'skills',
    'plugins',
    'sql',
    'scripts/build.ts',
    'package.json',
    'package-lock.json',
  ],
  async run() {
    const installed = installPackage();
    const root = join(installed.prefix, 'node_modules');
    const files = filesIn(root);
    const manifests = files.filter((path) => isPackage(path)).map((path) => readManifest(path));
    const declared = Object.keys(
      readManifest(join(installed.folder, 'package.json')).dependencies ?? {},
    ).length;
    const models = filesIn(join(installed.folder, 'dist', 'models'));
    const modelMb = round(sum(models) / megabyte);
    const installedMb = round((sum(files) - sum(models)) / megabyte);
    const bundles = filesIn(join(installed.folder, 'dist')).filter((path) => /\.c?js$/.test(path));
    const hookKb = round(
      sum(bundles.filter((path) => /^hook(?:-core|-redaction)?\.cjs$/.test(basename(path)))) / 1024,
    );
    const scripts = manifests.filter(({ scripts: own = {} }) =>
      installScripts.some((name) => name in own),
    ).length;
    const binaries = files.filter((path) => path.endsWith('.node')).length;
    return {
      n: 1,
      figures: {
        installedMb,
        modelMb,
        installedFiles: files.length,
        tarballKb: round(installed.tarballBytes / 1024),
        packages: manifests.length,
        declaredDependencies: declared,
        hookKb,
        ...Object.fromEntries(
          bundles.map((path) => [`${relative(installed.folder, path)} KB`, round(sum([path]) / 1024)]),
        ),
      },
      bars: {
        installedMb: atMost(installedMb, maxInstalledMb),
        modelMb: atMost(modelMb, maxModelMb),
        totalMb: atMost(round(installedMb + modelMb), maxInstalledMb + maxModelMb),
        packages: atMost(manifests.length, 1 + declared),
        installScripts: exactly(scripts, 0),
        nativeBinaries: exactly(binaries, 0),
        hookKb: atMost(hookKb, maxHookKb),
      },
    };
  },
};

const installScripts = ['preinstall', 'install', 'postinstall'];

interface Manifest {
  scripts?: Record<string, string>;
  dependencies?: Record<string, string>;
}

const readManifest = (path: string): Manifest => JSON.parse(readFileSync(path, 'utf8')) as Manifest;

/** Whether this is the manifest of an installed package and not of a folder inside one. */
const isPackage = (path: string): boolean =>
  /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/.test(path.split(sep).join('/'));

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

const sum = (paths: string[]): number => paths.reduce((total, path) => total + statSync(path).size, 0);
