import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './cleanup.ts';

export interface InstalledPackage {
  /** Folder of the installed package. */
  folder: string;
  /** The npm prefix, which was empty before the installation. */
  prefix: string;
  tarballBytes: number;
}

const alwaysPacked = ['package.json', 'README.md', 'LICENSE'];

/**
 * Builds, packs and installs the package without install scripts, as npm does for a user, so that tests and evaluations
 * run what users get. It builds in a temporary folder, because the `dist` of the working tree may be in use.
 * If BACKSTORY_TEST_PACKAGE names the folder of an installed package, they run that one: `.ci/run` installs it once,
 * and scripts/windows.sh outside Wine, where npm does not run.
 */
export function installPackage(): InstalledPackage {
  const given = process.env.BACKSTORY_TEST_PACKAGE;
  if (given !== undefined) return installedIn(join(given, '../..'));
  const folder = temporaryFolder('package');
  const staged = join(folder, 'staged');
  const prefix = join(folder, 'prefix');
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { files: string[] };
  for (const name of [...alwaysPacked, ...manifest.files]) {
    if (name !== 'dist' && existsSync(name)) cpSync(name, join(staged, name), { recursive: true });
  }
  execFileSync(process.execPath, ['scripts/build.ts', '--out', join(staged, 'dist')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  npm(['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], staged);
  const tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) as string);
  npm(
    ['install', '--silent', '--no-audit', '--no-fund', '--ignore-scripts', '--prefix', prefix, tarball],
    folder,
  );
  return installedIn(prefix);
}

/** The tarball is beside the prefix. */
function installedIn(prefix: string): InstalledPackage {
  const beside = join(prefix, '..');
  const tarball = readdirSync(beside).find((name) => name.endsWith('.tgz'));
  return {
    folder: join(prefix, 'node_modules', 'backstory'),
    prefix,
    tarballBytes: tarball === undefined ? 0 : statSync(join(beside, tarball)).size,
  };
}

function npm(args: string[], cwd: string): void {
  execFileSync('npm', args, {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  });
}
