import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { stampAt } from '../base/plain-file.ts';
import { userConfig } from './git-config.ts';
import { readGitFile } from './git-dir.ts';
import { readHead } from './head.ts';
import type { GitConfig } from './parse-config.ts';
import type { Repository } from './repository.ts';

/**
 * A temporary git directory that git uses in place of the repository's own. It refers to the repository's
 * objects and index, has HEAD as a commit, and contains our own configuration.
 *
 * Git has no option to ignore a repository's configuration, and the list of keys that can name a program, a
 * file to read or an address to fetch from grows with every release. A git that never sees the configuration
 * needs no such list: no filter, textconv, signature program, hook, fsmonitor, promisor remote or include
 * exists for it.
 *
 * Without a `repository` it is empty. Set `readsFiles` if the command reads the working tree: then the user's ignore
 * rules and line endings matter, and reading them costs a git process.
 */
export function createIsolatedGitDir(root: string, repository: Repository | undefined, readsFiles: boolean) {
  const folder = mkdtempSync(join(resolve(tmpdir()), 'backstory-git-dir-'));
  const remove = (): void => {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // Windows may report it as still in use. The system cleans up its temporary folder.
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
    return { folder, environment: { ...environment, ...borrowedFiles(folder, gitDir, commonDir) }, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** The user's ignore rules and attributes for this clone, and the boundary of a shallow clone. */
const copiedFiles = ['info/exclude', 'info/attributes', 'shallow'];
const maxCopiedBytes = 4 * 1024 * 1024;

function borrowedFiles(folder: string, gitDir: string, commonDir: string): Record<string, string> {
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

/** How files on disk relate to what git stores. None of these can name a program, file or address. */
const inheritedKeys = [
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

/** Git older than 2.32 reads the user's configuration anyway; these values override it. */
const fixedValues: [key: string, value: string][] = [
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
  // Prevents `git diff` from writing the index.
  ['diff.autorefreshindex', 'false'],
];

function configFor(repository: GitConfig, user: GitConfig): string {
  const values = inheritedKeys.flatMap((key): [string, string][] => {
    const value = (repository.get(key) ?? user.get(key))?.at(-1);
    return value === undefined ? [] : [[key, value]];
  });
  // Only from the user's configuration: in a repository's, this key could name any file.
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
  return [...lines, ...values, ...fixedValues].map(configLine).join('');
}

function configLine([key, value]: [string, string]): string {
  const [section, name] = key.split('.');
  const quoted = value.replaceAll(/[\\"]/g, '\\$&').replaceAll('\n', '\\n');
  return `[${section}]\n\t${name} = "${quoted}"\n`;
}
