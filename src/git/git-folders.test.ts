import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { git } from '../../test/support/sandbox.ts';
import { gitFoldersOf } from './git-folders.ts';
import { readHead, readRef } from './head.ts';
import { ownCommits, rootCommit } from './own-commits.ts';
import { findRepository } from './repository.ts';

const top = realpathSync(mkdtempSync(join(tmpdir(), 'backstory-git-folders-')));
afterAll(() => rmSync(top, { recursive: true, force: true }));

function create(name: string): string {
  const path = join(top, name);
  mkdirSync(path, { recursive: true });
  git(path, 'init', '-q', '-b', 'main', '.');
  writeFileSync(join(path, 'a.ts'), name);
  git(path, 'add', '.');
  git(path, 'commit', '-qm', name);
  return path;
}

let app: string;
beforeAll(() => {
  app = create('app');
});

describe('a repository is accepted', () => {
  it('in a linked worktree and in a submodule, which name their working tree', () => {
    git(app, 'worktree', 'add', '-q', join(top, 'tree'), '-b', 'side');
    expect(findRepository(join(top, 'tree'))).toMatchObject({
      root: join(top, 'tree'),
      gitDir: join(app, '.git/worktrees/tree'),
      commonDir: join(app, '.git'),
    });
    const outer = create('outer');
    git(outer, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', app, 'sub');
    expect(findRepository(join(outer, 'sub'))).toMatchObject({
      root: join(outer, 'sub'),
      gitDir: join(outer, '.git/modules/sub'),
    });
    git(outer, 'commit', '-qm', 'submodule');
    git(outer, 'worktree', 'add', '-q', join(top, 'outer-tree'));
    git(
      join(top, 'outer-tree'),
      '-c',
      'protocol.file.allow=always',
      'submodule',
      '--quiet',
      'update',
      '--init',
    );
    expect(findRepository(join(top, 'outer-tree/sub'))?.root).toBe(join(top, 'outer-tree/sub'));
  });

  it('with a separate git directory only if that names the working tree', () => {
    mkdirSync(join(top, 'separate'));
    git(join(top, 'separate'), 'init', '-q', `--separate-git-dir=${join(top, 'elsewhere.git')}`);
    expect(findRepository(join(top, 'separate'))).toBeUndefined();
    git(join(top, 'separate'), 'config', 'core.worktree', join(top, 'separate'));
    expect(findRepository(join(top, 'separate'))?.gitDir).toBe(join(top, 'elsewhere.git'));
  });
});

describe('[git-embedded] a folder is part of the enclosing repository', () => {
  it('if it only looks like a git directory', () => {
    const clone = create('clone');
    const docs = join(clone, 'docs');
    cpSync(join(app, '.git'), docs, { recursive: true });
    git(docs, '--git-dir=.', 'config', 'core.bare', 'false');
    git(docs, '--git-dir=.', 'config', 'core.worktree', '.');
    expect(git(docs, 'rev-parse', '--absolute-git-dir').trim(), 'git itself believes it').toBe(docs);
    expect(findRepository(docs)?.root).toBe(clone);
    expect(findRepository(join(docs, 'objects'))?.root).toBe(clone);
    expect(gitFoldersOf(docs)).toBeUndefined();
    cpSync(join(app, '.git'), join(top, 'bare', 'x'), { recursive: true });
    expect(findRepository(join(top, 'bare', 'x'))).toBeUndefined();
  });
});

describe('[git-embedded] a folder is not taken for the checkout of another repository', () => {
  const folder = (name: string): string => {
    mkdirSync(join(top, name));
    return join(top, name);
  };

  it('if its .git file or link leads to that one', () => {
    const pointing = folder('pointing');
    writeFileSync(join(pointing, '.git'), `gitdir: ${app}/.git\n`);
    expect(git(pointing, 'rev-parse', '--absolute-git-dir').trim()).toBe(join(app, '.git'));
    expect(findRepository(pointing)).toBeUndefined();
    const linking = folder('linking');
    symlinkSync(join(app, '.git'), join(linking, '.git'));
    expect(findRepository(linking)).toBeUndefined();
    const tree = folder('as-tree');
    writeFileSync(join(tree, '.git'), `gitdir: ${app}/.git/worktrees/tree\n`);
    expect(findRepository(tree)).toBeUndefined();
  });

  it('if its .git folder shares the files of that one', () => {
    const sharing = create('sharing');
    writeFileSync(join(sharing, '.git', 'commondir'), `${app}/.git\n`);
    expect(findRepository(sharing)).toBeUndefined();
  });

  it('if a worktree was moved without `git worktree move`', () => {
    git(app, 'worktree', 'add', '-q', join(top, 'moving'), '-b', 'moving');
    renameSync(join(top, 'moving'), join(top, 'moved'));
    expect(findRepository(join(top, 'moved'))).toBeUndefined();
    git(join(top, 'moved'), 'worktree', 'repair');
    expect(findRepository(join(top, 'moved'))?.root).toBe(join(top, 'moved'));
  });
});

describe('commits that a repository has of its own', () => {
  it('do not include those of another object folder', () => {
    const head = git(app, 'rev-parse', 'HEAD').trim();
    const own = findRepository(app);
    if (own === undefined) throw new Error('no repository');
    expect([...ownCommits(own, [head, 'f'.repeat(40), 'HEAD'])]).toEqual([head]);
    for (const [name, borrow] of Object.entries({
      alternates: (objects: string) =>
        writeFileSync(join(objects, 'info/alternates'), `${app}/.git/objects\n`),
      'linked objects': (objects: string) => {
        rmSync(objects, { recursive: true });
        symlinkSync(join(app, '.git/objects'), objects);
      },
      'linked object': (objects: string) => {
        const of = head.slice(0, 2);
        rmSync(join(objects, of), { recursive: true, force: true });
        symlinkSync(join(app, '.git/objects', of), join(objects, of));
      },
    })) {
      const path = create(name);
      borrow(join(path, '.git', 'objects'));
      const repository = findRepository(path);
      if (repository === undefined) throw new Error('no repository');
      expect(git(path, 'cat-file', '-t', head).trim(), `${name}: git finds it`).toBe('commit');
      expect([...ownCommits(repository, [head])], name).toEqual([]);
      expect(rootCommit(repository), name).toBeUndefined();
    }
  });
});

describe('files of a git directory', () => {
  it('are read only if they are regular files inside it', () => {
    const path = create('odd');
    const gitDir = join(path, '.git');
    writeFileSync(join(top, 'hash'), `${'a'.repeat(40)}\n`);
    for (const head of [
      'ref: ../../hash',
      'ref: refs/../../../hash',
      `ref: ${join(top, 'hash')}`,
      'ref: refs/heads/.invalid',
    ]) {
      writeFileSync(join(gitDir, 'HEAD'), head);
      expect(readHead(gitDir, gitDir), head).toEqual({ branch: '', head: '' });
    }
    symlinkSync(join(top, 'hash'), join(gitDir, 'refs/heads/linked'));
    expect(readRef(gitDir, 'refs/heads/linked')).toBe('');
    writeFileSync(join(gitDir, 'refs/heads/text'), 'not a commit');
    expect(readRef(gitDir, 'refs/heads/text')).toBe('');
  });

  it.skipIf(process.platform === 'win32')('are read without blocking', () => {
    const path = create('pipes');
    const gitDir = join(path, '.git');
    for (const name of ['config', 'commondir', 'HEAD']) {
      rmSync(join(gitDir, name), { force: true });
      execFileSync('mkfifo', [join(gitDir, name)]);
    }
    expect(findRepository(path)).toBeUndefined();
    rmSync(join(gitDir, 'HEAD'));
    symlinkSync('/dev/zero', join(gitDir, 'HEAD'));
    expect(findRepository(path)).toBeUndefined();
  });
});
