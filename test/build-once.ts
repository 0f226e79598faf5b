import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the package as npm installs it from its tarball. */
    installedPackage: string;
  }
}

/**
 * Builds, packs and installs the package once, without install scripts, as npm does for a user. Tests run this copy.
 * If BACKSTORY_TEST_PACKAGE names the folder of an installed package, they run that one: scripts/windows.sh installs it
 * outside Wine, where npm does not run.
 */
export function setup(project: TestProject): () => void {
  const installed = process.env.BACKSTORY_TEST_PACKAGE;
  if (installed !== undefined) {
    project.provide('installedPackage', installed);
    return () => {};
  }
  const folder = mkdtempSync(join(tmpdir(), 'backstory-package-'));
  const npm = (args: string[], cwd: string) =>
    execFileSync('npm', args, {
      cwd,
      stdio: ['ignore', 'pipe', 'inherit'],
      shell: process.platform === 'win32',
    });
  execFileSync(process.execPath, ['scripts/pack.ts', folder], { stdio: 'inherit' });
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) as string;
  npm(
    [
      'install',
      '--silent',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      '--prefix',
      folder,
      join(folder, tarball),
    ],
    folder,
  );
  project.provide('installedPackage', join(folder, 'node_modules', 'backstory'));
  return () => rmSync(folder, { recursive: true, force: true });
}
