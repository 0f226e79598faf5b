import {
  cpSync,
  existsSync,
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
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { git } from '../../../test/support/sandbox.ts';
import { canCreateLinks } from '../../../test/support/symbolic-links.ts';
import { hashId } from '../../base/hash.ts';
import { type HomePaths, homePaths } from '../../base/paths.ts';
import type { Place } from '../../domain/project.ts';
import { configStamp } from '../../git/head.ts';
import {
  checkoutId,
  findProject,
  learnRootCommit,
  linkOffer,
  listProjects,
  resolvePlace,
  saveProject,
} from './projects.ts';

const top = realpathSync(mkdtempSync(join(tmpdir(), 'backstory-projects-')));
afterAll(() => rmSync(top, { recursive: true, force: true }));

let folder: string;
let paths: HomePaths;
let count = 0;
beforeEach(() => {
  folder = join(top, String(count++));
  mkdirSync(folder);
  paths = homePaths(join(folder, 'home'));
});

const clock = { now: () => 1_790_000_000_000 };

/** As a hook does: resolve, and store the result. */
function see(path: string): Place {
  const { place, remember } = resolvePlace(paths, path, clock);
  remember();
  return place;
}

function repository(name: string, ...commits: string[]): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  git(path, 'init', '-q', '-b', 'main', '.');
  for (const message of commits) commit(path, message);
  return path;
}

function commit(path: string, message: string): void {
  writeFileSync(join(path, 'file.txt'), message);
  git(path, 'add', '.');
  git(path, 'commit', '-qm', message);
}

const idsOf = () => listProjects(paths).map(({ id }) => id);

describe('a project', () => {
  it('[project-identity] is the same for every clone and worktree of the same remote', () => {
    const origin = repository('origin', 'one', 'two');
    git(folder, 'clone', '-q', origin, 'a');
    git(folder, 'clone', '-q', `file://${origin}/.git`, 'b');
    git(join(folder, 'b'), 'remote', 'set-url', 'origin', `${origin}.git`);
    git(join(folder, 'a'), 'worktree', 'add', '-q', join(folder, 'tree'), '-b', 'side');
    const places = ['a', 'b', 'tree'].map((name) => see(join(folder, name)));
    expect(new Set(places.map(({ project }) => project)).size).toBe(1);
    expect(new Set(places.map(({ checkout }) => checkout)).size, 'each working tree is a checkout').toBe(3);
    expect(places[2]).toMatchObject({ branch: 'side', root: join(folder, 'tree') });
  });

  it('[project-identity] is the same for a repository without a remote and its worktrees', () => {
    const path = repository('alone', 'one');
    git(path, 'worktree', 'add', '-q', join(folder, 'tree'), '-b', 'side');
    expect(see(join(folder, 'tree')).project).toBe(see(path).project);
  });

  it('is a different one for a fork, which has another remote', () => {
    const path = repository('one', 'one');
    git(folder, 'clone', '-q', path, 'fork');
    git(path, 'remote', 'add', 'origin', 'https://example.org/ann/queue.git');
    git(join(folder, 'fork'), 'remote', 'set-url', 'origin', 'https://example.org/bob/queue.git');
    expect(see(path).project).not.toBe(see(join(folder, 'fork')).project);
  });

  it('[project-identity] keeps its id when a remote is added later, and clones of that remote join it', () => {
    const path = repository('queue', 'one');
    const before = see(path).project;
    git(path, 'remote', 'add', 'origin', 'git@example.org:ann/queue.git');
    expect(see(path).project).toBe(before);
    git(folder, 'clone', '-q', path, 'clone');
    const clone = join(folder, 'clone');
    git(clone, 'remote', 'set-url', 'origin', 'https://example.org/ann/queue');
    expect(see(clone).project).toBe(before);
    expect(idsOf()).toEqual([before]);
  });

  describe('remote', () => {
    const remote = 'https://example.org/ann/queue.git';
    /** A known project with one checkout. */
    const known = (...commits: string[]): { path: string; project: string } => {
      const path = repository('known', ...commits);
      git(path, 'remote', 'add', 'origin', remote);
      return { path, project: see(path).project };
    };
    const stranger = (name: string, ...commits: string[]): string => {
      const path = repository(name, ...commits);
      git(path, 'remote', 'add', 'origin', remote);
      return path;
    };
    const cloneOf = (path: string, name: string, ...options: string[]): string => {
      git(folder, 'clone', '-q', ...options, `file://${path}`, name);
      git(join(folder, name), 'remote', 'set-url', 'origin', remote);
      return join(folder, name);
    };

    it('[project-shared-commit] does not identify a repository that shares no commit with the project', () => {
      const { project } = known('one');
      const place = see(stranger('stranger', 'two'));
      expect(place.project).not.toBe(project);
      expect(see(place.root).project, 'and stays so').toBe(place.project);
      expect(linkOffer(paths, place)).toMatchObject({
        other: { id: project },
        command: `backstory capture link ${place.project.slice(0, 8)} ${project.slice(0, 8)}`,
      });
      const own = listProjects(paths).find(({ id }) => id === place.project);
      expect(own?.keys.filter((key) => key.startsWith('remote:'))).toEqual([]);
      expect(listProjects(paths).find(({ id }) => id === project)?.paths).not.toContain(place.root);
    });

    it('[project-shared-commit] does not identify a repository without commits, until it has one of the project', () => {
      const { path, project } = known('one');
      const empty = stranger('empty');
      expect(see(empty).project).not.toBe(project);
      git(empty, 'pull', '-q', path, 'main');
      const place = see(empty);
      expect(place.project).toBe(project);
      expect(linkOffer(paths, place)).toBeUndefined();
    });

    it('[project-shared-commit] identifies a clone, full or shallow, older or newer', () => {
      const { path, project } = known('one');
      const early = cloneOf(path, 'early');
      commit(path, 'two');
      commit(path, 'three');
      for (const clone of [early, cloneOf(path, 'late'), cloneOf(path, 'shallow', '--depth', '1')])
        expect(see(clone).project, clone).toBe(project);
    });

    it('[project-shared-commit] identifies a clone after all known checkouts were deleted', () => {
      const { path, project } = known('one');
      commit(path, 'two');
      const clone = cloneOf(path, 'later');
      rmSync(path, { recursive: true, maxRetries: 10 });
      expect(see(clone).project).toBe(project);
    });

    it('[project-shared-commit] identifies a worktree on a branch without commits', () => {
      const { path, project } = known('one');
      git(path, 'worktree', 'add', '-q', '-b', 'side', join(folder, 'tree'));
      git(join(folder, 'tree'), 'checkout', '-q', '--orphan', 'fresh');
      expect(see(join(folder, 'tree')).project).toBe(project);
    });

    it('[project-shared-commit] does not identify an archive that borrows the objects of a checkout', () => {
      const { path, project } = known('one');
      const archive = stranger('archive', 'two');
      writeFileSync(join(archive, '.git/objects/info/alternates'), `${join(path, '.git/objects')}\n`);
      expect(see(archive).project).not.toBe(project);
    });

    it('[git-embedded] does not identify a folder in a clone that looks like a git directory', () => {
      const { path, project } = known('one');
      const clone = repository('clone', 'two');
      const docs = join(clone, 'docs');
      cpSync(join(path, '.git'), docs, { recursive: true });
      git(docs, '--git-dir=.', 'config', 'core.worktree', '.');
      const place = see(docs);
      expect(place).toMatchObject({ root: clone, project: see(clone).project });
      expect(place.project).not.toBe(project);
    });

    it('[git-embedded] is not taken from an old cache entry', () => {
      const { path, project } = known('one');
      const clone = repository('clone', 'two');
      const docs = join(clone, 'docs');
      see(docs);
      mkdirSync(docs);
      cpSync(join(path, '.git'), docs, { recursive: true });
      const cache = paths.pathCache(hashId('path', docs));
      const stamp = configStamp(docs);
      writeFileSync(
        cache,
        JSON.stringify({
          ...{ project, name: 'known', checkout: checkoutId(docs), root: docs, configStamp: stamp },
          ...{ gitDir: docs, commonDir: docs, isWeak: false },
        }),
      );
      expect(see(docs)).toMatchObject({ root: clone, project: see(clone).project });
    });

    it('can be linked by the user and stays linked', () => {
      const { project } = known('one');
      const place = see(stranger('stranger', 'two'));
      const [into, from] = [project, place.project].map((id) =>
        listProjects(paths).find((each) => each.id === id),
      );
      if (into === undefined || from === undefined) throw new Error('not there');
      saveProject(paths, {
        ...into,
        keys: [...into.keys, ...from.keys],
        paths: [...into.paths, ...from.paths],
      });
      saveProject(paths, { ...from, keys: [], paths: [], linkedTo: project });
      rmSync(join(paths.home, 'paths'), { recursive: true });
      expect(see(place.root).project).toBe(project);
      git(place.root, 'config', 'core.editor', 'true');
      expect(see(place.root).project).toBe(project);
      expect(linkOffer(paths, see(place.root))).toBeUndefined();
    });
  });

  it('[project-identity] keeps its id when the first commit is made', () => {
    const path = repository('fresh');
    const before = see(path).project;
    commit(path, 'one');
    expect(see(path).project).toBe(before);
    commit(path, 'two');
    expect(see(path).project).toBe(before);
    expect(listProjects(paths)[0]?.keys.some((key) => key.startsWith('root:'))).toBe(true);
    expect(idsOf()).toHaveLength(1);
  });

  it('[project-identity] keeps its id when a folder becomes a repository', () => {
    const path = join(folder, 'plain');
    mkdirSync(path);
    const before = see(path);
    expect(before).toMatchObject({ branch: '', head: '', root: path, name: 'plain' });
    repository('plain', 'one');
    expect(see(path).project).toBe(before.project);
  });

  it('never uses the oldest commit of a shallow clone as its key', () => {
    const origin = repository('origin', 'one', 'two', 'three');
    git(folder, 'clone', '-q', '--depth', '1', `file://${origin}`, 'shallow');
    const shallow = join(folder, 'shallow');
    git(shallow, 'remote', 'remove', 'origin');
    see(shallow);
    expect(listProjects(paths)[0]?.keys).toEqual([`path:${shallow}`]);
    git(shallow, 'remote', 'add', 'origin', 'https://example.org/ann/queue.git');
    see(shallow);
    expect(idsOf()).toHaveLength(1);
    expect(listProjects(paths)[0]?.keys).toContain('remote:example.org/ann/queue');
  });

  it.each([
    ['with another remote', 'https://example.org/old.git', 'https://example.org/new.git'],
    ['without a remote, where both had none', undefined, undefined],
    ['with a remote, where the old one had none', undefined, 'https://example.org/new.git'],
    ['without a remote, where the old one had one', 'https://example.org/old.git', undefined],
  ])(
    '[project-path-reuse] is a new one for a different repository at the same path, %s',
    (_how, oldRemote, newRemote) => {
      const path = repository('app', 'old history');
      if (oldRemote !== undefined) git(path, 'remote', 'add', 'origin', oldRemote);
      const before = see(path).project;
      learnRootCommit(paths, before, path);
      rmSync(path, { recursive: true, force: true, maxRetries: 10 });
      repository('app', 'new history');
      if (newRemote !== undefined) git(path, 'remote', 'add', 'origin', newRemote);
      const after = see(path).project;
      expect(after).not.toBe(before);
      expect(see(path).project, 'and stays that one').toBe(after);
    },
  );

  it.each([
    [
      'its remote moves',
      (path: string) => git(path, 'remote', 'set-url', 'origin', 'https://example.org/moved.git'),
    ],
    [
      'its first commit is amended',
      (path: string) => git(path, 'commit', '-q', '--amend', '-m', 'better words'),
    ],
  ])('[project-path-reuse] stays the same if %s', (_how, change) => {
    const path = repository('app', 'one');
    git(path, 'remote', 'add', 'origin', 'https://example.org/first.git');
    const before = see(path).project;
    learnRootCommit(paths, before, path);
    change(path);
    git(path, 'config', 'core.editor', 'true');
    expect(see(path).project).toBe(before);
  });

  it('is found again after its folder was moved, by its remote', () => {
    const path = repository('here', 'one');
    git(path, 'remote', 'add', 'origin', 'https://example.org/ann/queue.git');
    const before = see(path).project;
    renameSync(path, join(folder, 'there'));
    expect(see(join(folder, 'there')).project).toBe(before);
  });

  it.runIf(canCreateLinks)('is the same through a symbolic link and from a subfolder', () => {
    const path = repository('real', 'one');
    mkdirSync(join(path, 'a/b'), { recursive: true });
    symlinkSync(path, join(folder, 'link'));
    const { project, checkout } = see(path);
    expect(see(join(folder, 'link'))).toMatchObject({ project, checkout, root: path });
    expect(see(join(path, 'a/b'))).toMatchObject({ project, checkout, root: path });
  });

  it('is resolved for a folder that does not exist or has no real path', () => {
    for (const path of [join(folder, 'gone'), 'relative/path', 'nul\0byte', '/', 'x'.repeat(5_000)]) {
      expect(resolvePlace(paths, path, clock).place.project).toMatch(/^[0-9a-f]{32}$/);
    }
  });

  it('is resolved without git if no temporary folder can be created', () => {
    const path = repository('full', 'one');
    git(path, 'remote', 'add', 'origin', 'https://example.org/ann/queue.git');
    const { TMPDIR } = process.env;
    process.env.TMPDIR = join(folder, 'missing');
    try {
      expect(see(path)).toMatchObject({ root: path, name: 'queue', branch: 'main' });
    } finally {
      if (TMPDIR === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = TMPDIR;
    }
  });

  it('[off-is-zero] is not written until remember is called', () => {
    resolvePlace(paths, repository('quiet', 'one'), clock);
    expect(existsSync(paths.home)).toBe(false);
  });

  it('[hook-no-git] comes from the cache without git the second time, with the current branch', () => {
    const path = repository('cached', 'one');
    const before = see(path);
    git(path, 'checkout', '-q', '-b', 'other');
    const { PATH } = process.env;
    process.env.PATH = '';
    try {
      expect(see(path)).toEqual({ ...before, branch: 'other' });
    } finally {
      process.env.PATH = PATH;
    }
  });

  it('that was split off keeps its folder, even if it shares a remote', () => {
    const origin = repository('origin', 'one');
    for (const name of ['a', 'b']) git(folder, 'clone', '-q', origin, name);
    const shared = see(join(folder, 'a'));
    see(join(folder, 'b'));
    const own = {
      v: 1 as const,
      id: 'f'.repeat(32),
      name: 'b',
      keys: [],
      paths: [join(folder, 'b')],
      created: '',
      isSplit: true,
    };
    saveProject(paths, own);
    rmSync(join(paths.home, 'paths'), { recursive: true });
    expect(see(join(folder, 'b')).project).toBe(own.id);
    expect(see(join(folder, 'a')).project).toBe(shared.project);
    expect(listProjects(paths).find(({ id }) => id === own.id)?.keys, 'it takes no key of the other').toEqual(
      [],
    );
  });
});

describe('findProject', () => {
  it('accepts an id, a prefix, a name or a path, and rejects ambiguous ones', () => {
    const one = see(repository('x/app', 'one'));
    const two = see(repository('y/app', 'two'));
    expect(findProject(paths, one.project).id).toBe(one.project);
    expect(findProject(paths, two.project.slice(0, 8)).id).toBe(two.project);
    expect(findProject(paths, join(folder, 'x/app')).id).toBe(one.project);
    expect(() => findProject(paths, 'app')).toThrow('matches 2 projects');
    expect(() => findProject(paths, 'nothing')).toThrow('no project matches nothing');
  });

  it('does not return a project that was linked into another', () => {
    const one = see(repository('x/app', 'one'));
    const two = see(repository('y/app', 'two'));
    const linked = listProjects(paths).find(({ id }) => id === one.project);
    if (linked === undefined) throw new Error('not there');
    saveProject(paths, { ...linked, keys: [], paths: [], linkedTo: two.project });
    expect(findProject(paths, 'app').id).toBe(two.project);
  });
});
