import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { stampAt } from '../base/plain-file.ts';
import { userConfig } from './git-config.ts';
import { readGitFile } from './git-file.ts';
import type { GitConfig } from './parse-config.ts';
import { type Repository, readHead } from './repository.ts';

/**
 * A temporary git directory that git is given in place of the repository's own. It borrows the objects and the index,
 * has HEAD as a commit, and a configuration of ours.
 *
 * Git has no switch to ignore a repository's configuration, and the list of keys that can name a program, a file to
 * read or an address to fetch from grows with every release. A git that never sees the configuration needs no such
 * list: no filter, textconv, signature program, hook, fsmonitor, promisor remote or include exists for it.
 */
export interface IsolatedGitDir {
  folder: string;
  environment: Record<string, string>;
  remove(): void;
}

/**
 * Without a repository it is an empty one, for folders that have none. `readsFiles`: git is asked about files of the
 * working tree, so the user's ignore rules and line endings matter; reading those costs a git process.
 */
export function createIsolatedGitDir(
  root: string,
  repository: Repository | undefined,
  readsFiles: boolean,
): IsolatedGitDir {
  const folder = mkdtempSync(join(resolve(tmpdir()), 'backstory-git-dir-'));
  const remove = (): void => {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // In use for a moment longer, as happens on Windows. The system clears its temporary folder.
    }
  };
  try {
    for (const name of ['refs', 'info', 'objects']) mkdirSync(join(folder, name));
    const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
    const head = repository === undefined ? '' : readHead(repository.gitDir, repository.commonDir).head;
    write('HEAD', head === '' ? 'ref: refs/heads/none\n' : `${head}\n`);
    write('config', configFor(repository?.config ?? new Map(), readsFiles ? userConfig() : new Map()));
    const environment = { GIT_DIR: folder, GIT_WORK_TREE: root };
    if (repository === undefined) return { folder, environment, remove };
    const { gitDir, commonDir } = repository;
    for (const name of copiedFiles) {
      const text = readGitFile(join(commonDir, name), maxCopiedBytes);
      if (text !== undefined) write(name, text);
    }
    return { folder, environment: { ...environment, ...borrowed(folder, gitDir, commonDir) }, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Rules of the user for this clone, and where the history of a shallow one ends. */
const copiedFiles = ['info/exclude', 'info/attributes', 'shallow'];
const maxCopiedBytes = 4 * 1024 * 1024;

function borrowed(folder: string, gitDir: string, commonDir: string): Record<string, string> {
  const index = join(gitDir, 'index');
  if (stampAt(index) === undefined) return { GIT_OBJECT_DIRECTORY: join(commonDir, 'objects') };
  // A split index names another file, which git looks for in its git directory.
  for (const name of readdirSync(gitDir)) {
    const path = join(gitDir, name);
    if (/^sharedindex\.[0-9a-f]+$/.test(name) && stampAt(path) !== undefined)
      copyFileSync(path, join(folder, name));
  }
  return { GIT_OBJECT_DIRECTORY: join(commonDir, 'objects'), GIT_INDEX_FILE: index };
}

/** How files on disk relate to what git stores. These name nothing that could be run, read or fetched. */
const passedOn = [
  'core.autocrlf',
  'core.checkstat',
  'core.eol',
  'core.filemode',
  'core.ignorecase',
  'core.longpaths',
  'core.precomposeunicode',
  'core.symlinks',
  'core.trustctime',
];

/** Git older than 2.32 reads the user's configuration all the same; these values win over it. */
const fixed: [key: string, value: string][] = [
  ['core.bare', 'false'],
  ['core.quotepath', 'false'],
  ['core.fsmonitor', 'false'],
  ['core.hookspath', devNull],
  ['core.attributesfile', devNull],
  ['log.showsignature', 'false'],
  ['color.ui', 'false'],
  ['protocol.allow', 'never'],
  ['credential.helper', ''],
  ['submodule.recurse', 'false'],
  ['gc.auto', '0'],
  // Otherwise `git diff` writes the index.
  ['diff.autorefreshindex', 'false'],
];

function configFor(repository: GitConfig, user: GitConfig): string {
  const values = passedOn.flatMap((key): [string, string][] => {
    const value = (repository.get(key) ?? user.get(key))?.at(-1);
    return value === undefined ? [] : [[key, value]];
  });
  // Ignore rules of the user. From a repository this key could name any file to read.
  const excludes = user.get('core.excludesfile')?.at(-1);
  if (excludes !== undefined) values.push(['core.excludesfile', excludes]);
  const format = repository.get('extensions.objectformat')?.at(-1);
  const lines: [string, string][] =
    format === 'sha256'
      ? [
          ['core.repositoryformatversion', '1'],
          ['extensions.objectformat', format],
        ]
      : [['core.repositoryformatversion', '0']];
  return [...lines, ...values, ...fixed].map(configLine).join('');
}

function configLine([key, value]: [string, string]): string {
  const [section, name] = key.split('.');
  const quoted = value.replaceAll(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');
  return `[${section}]\n\t${name} = "${quoted}"\n`;
}
