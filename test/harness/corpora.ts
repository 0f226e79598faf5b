import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { repositoryOf } from '../../bench/recall-coding/histories.ts';
import { temporaryFolder } from './cleanup.ts';

/**
 * Folder in which source trees for code search evaluations are cached, outside of the project. Each is downloaded once.
 */
const cache = join(homedir(), '.cache', 'backstory-eval');

/** Debian's linux-source-6.1, without the last lines of its .gitignore, which ignore the whole tree. */
export function linuxSource(): string {
  const folder = join(cache, 'linux');
  if (existsSync(join(folder, '.ready')) || existsSync(join(folder, 'MAINTAINERS'))) return trimmed(folder);
  const work = join(cache, 'linux.unpacking');
  mkdirSync(join(work, 'tree'), { recursive: true });
  const run = (command: string, args: string[]) =>
    execFileSync(command, args, { cwd: work, stdio: ['ignore', 'ignore', 'inherit'] });
  run('apt-get', ['download', 'linux-source-6.1']);
  run('dpkg-deb', ['-x', globSync('*.deb', { cwd: work })[0] as string, 'package']);
  run('tar', ['-xf', 'package/usr/src/linux-source-6.1.tar.xz', '-C', 'tree', '--strip-components=1']);
  renameSync(join(work, 'tree'), folder);
  rmSync(work, { recursive: true });
  return trimmed(folder);
}

function trimmed(folder: string): string {
  const path = join(folder, '.gitignore');
  const text = readFileSync(path, 'utf8');
  const at = text.indexOf('#\n# Debian packaging');
  if (at !== -1) writeFileSync(path, text.slice(0, at));
  return folder;
}

/** The files of an npm package, as a small tree to search. */
export function npmTree(name: string): string {
  const folder = join(cache, 'trees', name.replaceAll('/', '+'));
  if (existsSync(join(folder, 'package'))) return join(folder, 'package');
  mkdirSync(folder, { recursive: true });
  execFileSync('npm', ['pack', '--silent', name], { cwd: folder, stdio: ['ignore', 'ignore', 'ignore'] });
  execFileSync('tar', ['-xzf', globSync('*.tgz', { cwd: folder })[0] as string], { cwd: folder });
  return join(folder, 'package');
}

/** The files of a commit from a history under `--histories`; undefined if the history is missing. */
export function gitTree(histories: string, name: string, commit: string): string | undefined {
  const folder = join(cache, 'trees', `${name.replaceAll('/', '+')}@${commit.slice(0, 12)}`);
  if (existsSync(folder)) return folder;
  const repository = repositoryOf(histories, name);
  if (repository === undefined) return undefined;
  const work = `${folder}.unpacking`;
  mkdirSync(work, { recursive: true });
  const tar = execFileSync('git', ['archive', commit], { cwd: repository, maxBuffer: 1 << 30 });
  execFileSync('tar', ['-x', '-C', work], { input: tar });
  renameSync(work, folder);
  return folder;
}

/** The files that git lists, sorted. */
export function listedFiles(root: string): string[] {
  const empty = join(temporaryFolder('empty'), 'empty.git');
  execFileSync('git', ['init', '-q', '--bare', empty]);
  return execFileSync(
    'git',
    [`--git-dir=${empty}`, `--work-tree=${root}`, 'ls-files', '-z', '-o', '--exclude-standard'],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    },
  )
    .split('\0')
    .filter((path) => path !== '')
    .sort();
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
