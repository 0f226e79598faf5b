import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Folder in which source trees for code search evaluations are cached, outside of the project. Each is downloaded once.
 */
const cache = join(homedir(), '.cache', 'backstory-eval');

/** The files of an npm package, as a small tree to search. */
export function npmTree(name: string): string {
  const folder = join(cache, 'trees', name.replaceAll('/', '+'));
  if (existsSync(join(folder, 'package'))) return join(folder, 'package');
  mkdirSync(folder, { recursive: true });
  execFileSync('npm', ['pack', '--silent', name], { cwd: folder, stdio: ['ignore', 'ignore', 'ignore'] });
  execFileSync('tar', ['-xzf', globSync('*.tgz', { cwd: folder })[0] as string], { cwd: folder });
  return join(folder, 'package');
}

/** The ripgrep binary that editors use, from the npm registry. */
export function ripgrep(): string {
  const folder = join(cache, 'ripgrep');
  const find = (): string | undefined =>
    globSync('node_modules/@vscode/ripgrep-*/bin/rg*', { cwd: folder })[0];
  if (find() === undefined) {
    mkdirSync(folder, { recursive: true });
    execFileSync(
      'npm',
      [
        'install',
        '--silent',
        '--no-audit',
        '--no-fund',
        '--ignore-scripts',
        '--prefix',
        folder,
        '@vscode/ripgrep@1.18.0',
      ],
      {
        stdio: ['ignore', 'ignore', 'ignore'],
      },
    );
  }
  return join(folder, find() as string);
}

/** Number of lines that ripgrep finds in the same files, and the elapsed time including its startup. */
export function runRipgrep(program: string, root: string, regex: string): { lines: number; ms: number } {
  const started = performance.now();
  const { stdout } = spawnSync(
    program,
    ['--hidden', '--no-require-git', '--no-messages', '--no-filename', '-g', '!.git', '-c', '-e', regex, '.'],
    { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 },
  );
  const ms = performance.now() - started;
  return { lines: stdout.split('\n').reduce((sum, line) => sum + (Number(line) || 0), 0), ms };
}
