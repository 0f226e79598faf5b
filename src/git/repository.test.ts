import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { git } from '../../test/support/sandbox.ts';
import { configStamp, readHead } from './head.ts';
import { rootCommit } from './own-commits.ts';
import { findRepository, normaliseRemote, remoteUrls } from './repository.ts';

const top = mkdtempSync(join(tmpdir(), 'backstory-git-'));
afterAll(() => rmSync(top, { recursive: true, force: true, maxRetries: 10 }));

const sameAddress = 'github.com/ann/queue';
const spellings: [url: string, key: string][] = [
  ['git@github.com:ann/queue.git', sameAddress],
  ['git@github.com:ann/queue', sameAddress],
  ['github.com:ann/queue.git', sameAddress],
  ['ssh://git@github.com/ann/queue.git', sameAddress],
  ['ssh://git@github.com:22/ann/queue', sameAddress],
  ['https://github.com/ann/queue', sameAddress],
  ['https://github.com/ann/queue/', sameAddress],
  ['https://github.com/ann/queue.git/', sameAddress],
  ['https://GitHub.com/ann/queue.git', sameAddress],
  ['https://ann@github.com/ann/queue.git', sameAddress],
  [`https://ann:${'pass'}word@github.com:443/ann/queue.git`, sameAddress],
  ['git://github.com/ann/queue.git', sameAddress],
  ['  https://github.com/ann/queue.git  ', sameAddress],
  ['https://github.com/Ann/Queue', 'github.com/Ann/Queue'],
  ['https://[2001:db8::1]:8443/ann/queue.git', '[2001:db8::1]/ann/queue'],
  ['git@host:/srv/git/queue.git', 'host/srv/git/queue'],
  ['/srv/git/queue.git', '/srv/git/queue'],
  ['file:///srv/git/queue.git', '/srv/git/queue'],
  ['../queue.git', '../queue'],
  ['C:\\git\\queue.git', 'C:\\git\\queue'],
];

describe('normaliseRemote', () => {
  it.each(spellings)('[remote-spellings] writes %s as %s', (url, key) => {
    expect(normaliseRemote(url)).toBe(key);
  });

  it('never keeps a user or a password', () => {
    for (const [url] of spellings) expect(normaliseRemote(url)).not.toMatch(/@|password/);
  });
});

describe('a repository', () => {
  const create = (name: string): string => {
    const path = join(top, name);
    mkdirSync(path);
    git(path, 'init', '-q', '-b', 'main', '.');
    return path;
  };
  const commit = (path: string, message: string): string => {
    writeFileSync(join(path, message), message);
    git(path, 'add', '.');
    git(path, 'commit', '-qm', message);
    return git(path, 'rev-parse', 'HEAD').trim();
  };

  it('is found from any folder in it, and nowhere else', () => {
    const path = create('found');
    mkdirSync(join(path, 'a/b'), { recursive: true });
    expect(findRepository(join(path, 'a/b'))).toMatchObject({
      root: path,
      gitDir: join(path, '.git'),
      isShallow: false,
    });
    expect(findRepository(top)).toBeUndefined();
    expect(findRepository(join(top, 'not there'))).toBeUndefined();
  });

  it('knows its first commit, except in a shallow clone', () => {
    const path = create('deep');
    const first = commit(path, 'one');
    commit(path, 'two');
    git(top, 'clone', '-q', '--depth', '1', `file://${path}`, 'shallow');
    const whole = findRepository(path);
    const shallow = findRepository(join(top, 'shallow'));
    expect(whole && rootCommit(whole)).toBe(first);
    expect(shallow?.isShallow).toBe(true);
    expect(shallow && rootCommit(shallow)).toBeUndefined();
  });

  it('uses the remote origin, or every remote if none is called so', () => {
    const path = create('remotes');
    const urls = () => {
      const repository = findRepository(path);
      if (repository === undefined) throw new Error('no repository');
      return remoteUrls(repository);
    };
    expect(urls()).toEqual([]);
    git(path, 'remote', 'add', 'upstream', 'https://example.org/up.git');
    expect(urls()).toEqual(['https://example.org/up.git']);
    git(path, 'remote', 'add', 'fork', 'https://example.org/fork.git');
    expect(urls()).toEqual(['https://example.org/up.git', 'https://example.org/fork.git']);
    git(path, 'remote', 'add', 'origin', 'https://example.org/own.git');
    expect(urls()).toEqual(['https://example.org/own.git']);
  });

  it('reads branch and commit without git, loose, packed, detached, in a worktree and before the first commit', () => {
    const path = create('heads');
    const repository = findRepository(path);
    if (repository === undefined) throw new Error('no repository');
    const head = () => readHead(repository.gitDir, repository.commonDir);
    expect(head()).toEqual({ branch: 'main', head: '' });
    const first = commit(path, 'one');
    expect(head()).toEqual({ branch: 'main', head: first });
    git(path, 'checkout', '-q', '-b', 'feature/deep');
    const second = commit(path, 'two');
    expect(head()).toEqual({ branch: 'feature/deep', head: second });
    git(path, 'pack-refs', '--all');
    expect(head()).toEqual({ branch: 'feature/deep', head: second });
    git(path, 'worktree', 'add', '-q', join(top, 'tree'), 'main');
    const tree = findRepository(join(top, 'tree'));
    expect(tree && readHead(tree.gitDir, tree.commonDir)).toEqual({ branch: 'main', head: first });
    git(path, 'checkout', '-q', '--detach');
    expect(head()).toEqual({ branch: '', head: second });
  });

  it('has another config stamp after a remote is added', () => {
    const path = create('stamp');
    const before = configStamp(join(path, '.git'));
    git(path, 'remote', 'add', 'origin', 'https://example.org/a.git');
    expect(configStamp(join(path, '.git'))).not.toBe(before);
    expect(configStamp(join(path, 'none'))).toBe('');
  });
});
