import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  hostileAttributes,
  hostileConfig,
  hostileKeys,
  plantPrograms,
} from '../../test/support/hostile-config.ts';
import { git } from '../../test/support/sandbox.ts';
import { blame } from './blame.ts';
import { readCheckpoints } from './checkpoints.ts';
import { commitLines } from './commit-lines.ts';
import { readHistory } from './history.ts';
import { committedFile, readObjects } from './objects.ts';
import { rootCommit } from './own-commits.ts';
import { filesTouchedBy, pathHistory } from './path-history.ts';
import { reflogCommits } from './reflog-commits.ts';
import { findRepository, headOf, settingOf } from './repository.ts';
import { changedFiles, changedLines, commitsSince, uncommittedChanges } from './uncommitted-changes.ts';
import { createWorktreeFiles } from './worktree-files.ts';

const top = realpathSync(mkdtempSync(join(tmpdir(), 'backstory-isolation-')));
afterAll(() => rmSync(top, { recursive: true, force: true }));

function create(name: string, ...options: string[]): string {
  const path = join(top, name);
  mkdirSync(path);
  git(path, 'init', '-q', '-b', 'main', ...options, '.');
  return path;
}

function commit(path: string, files: Record<string, string>, message: string): string {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  git(path, 'add', '-A');
  git(path, 'commit', '-qm', message);
  return git(path, 'rev-parse', 'HEAD').trim();
}

/** Runs every git command that Backstory uses, and returns the results. */
async function runEveryCommand(root: string) {
  const head = headOf(root) ?? '';
  const history = [];
  for await (const each of readHistory(root, { known: [] })) history.push(each.message);
  const repository = findRepository(root);
  return {
    history,
    head,
    first: repository && rootCommit(repository),
    email: repository && settingOf(repository, 'user.email'),
    made: (await reflogCommits(root)).size,
    changed: await changedFiles(root),
    edits: (await uncommittedChanges(root))?.files,
    branch: (await uncommittedChanges(root))?.branch,
    lines: await changedLines(root),
    since: await commitsSince(root, head, 5),
    blamed: await blame(root, 'a.ts'),
    checkpoints: (await readCheckpoints(root)).length,
    committed: committedFile(root, 'HEAD', 'a.ts'),
    objects: (await readObjects(root, [`${head}:a.ts`, 'refs/heads/main:a.ts'])).size,
    added: (await commitLines(root, [head], 5_000)).length,
    touched: await filesTouchedBy(root, head, 5_000),
    past: (await pathHistory(root, ['a.ts'], 0, 5_000))?.length,
    listed: (await createWorktreeFiles(root).list()).paths,
  };
}

describe('a repository whose configuration names programs', () => {
  let root: string;
  const traps = (() => {
    mkdirSync(join(top, 'traps'));
    return plantPrograms(join(top, 'traps'));
  })();

  beforeAll(() => {
    root = create('hostile');
    git(root, 'config', 'user.email', 't@example.org');
    commit(root, { 'a.ts': 'one\ntwo\n', '.gitattributes': hostileAttributes }, 'one');
    const signed = git(root, 'cat-file', 'commit', 'HEAD').replace(
      '\n\n',
      '\ngpgsig -----BEGIN PGP SIGNATURE-----\n x\n -----END PGP SIGNATURE-----\n\n',
    );
    writeFileSync(join(top, 'signed'), signed);
    const hash = git(root, 'hash-object', '-t', 'commit', '-w', join(top, 'signed')).trim();
    git(root, 'reset', '-q', '--soft', hash);
    writeFileSync(join(root, 'a.ts'), 'one\nthree\n');
    writeFileSync(join(root, 'new.ts'), 'new\n');
    appendFileSync(join(root, '.git', 'config'), hostileConfig(hostileKeys, traps.command));
  });

  it('runs them with plain git, which shows that this test can fail', () => {
    const plain = (...args: string[]): void => {
      try {
        git(root, ...args);
      } catch {
        // A program that fails makes git fail; only whether it ran matters here.
      }
    };
    for (const args of [
      ['status'],
      ['log', '-p', '--ext-diff'],
      ['diff'],
      ['blame', 'a.ts'],
      ['show', '--textconv', 'HEAD:a.ts'],
    ])
      plain(...args);
    const sprung = new Set(traps.programsRun().map(({ key }) => key));
    for (const key of [
      'core.fsmonitor',
      'gpg.openpgp.program',
      'diff.evil.textconv',
      'filter.evil.process',
      'diff.external',
    ])
      expect([...sprung], key).toContain(key);
  });

  it('[git-isolation] answers every command without running any of them, as if there were none', async () => {
    const answers = await runEveryCommand(root);
    expect(traps.programsRun()).toEqual([]);
    expect(answers).toMatchObject({
      history: ['one'],
      email: 't@example.org',
      branch: 'main',
      made: 1,
      changed: ['a.ts', 'new.ts'],
      edits: [
        { path: 'a.ts', state: 'modified' },
        { path: 'new.ts', state: 'untracked' },
      ],
      lines: [{ path: 'a.ts', added: 1, removed: 1, lines: ['-two', '+three'] }],
      committed: 'one\ntwo\n',
      objects: 2,
      touched: [{ path: '.gitattributes' }, { path: 'a.ts' }],
      listed: ['.gitattributes', 'a.ts', 'new.ts'],
    });
    expect(answers.blamed).toMatchObject({
      kind: 'lines',
      lines: [{ text: 'one' }, { text: 'three', commit: '' }],
    });
    expect(answers.first).toBe(answers.head);
  });

  it('[git-isolation] starts no git in a submodule, which has its own configuration', async () => {
    const outer = create('outer');
    commit(outer, { 'a.ts': 'one\n' }, 'one');
    git(outer, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', root, 'sub');
    git(outer, 'commit', '-qm', 'two');
    appendFileSync(join(outer, '.git/modules/sub/config'), hostileConfig(hostileKeys, traps.command));
    writeFileSync(join(outer, 'sub', 'a.ts'), 'changed\n');
    traps.programsRun();
    const { changed, listed } = await runEveryCommand(outer);
    const inside = await runEveryCommand(join(outer, 'sub'));
    expect(traps.programsRun()).toEqual([]);
    expect(changed).toEqual([]);
    expect(listed).toContain('sub/a.ts');
    expect(inside.changed, 'as a checkout of its own').toEqual(['a.ts']);
  });

  it('[git-isolation] does not fetch missing objects', async () => {
    const source = create('promised');
    git(source, 'config', 'uploadpack.allowFilter', 'true');
    commit(source, { 'a.ts': 'one\n', 'b.ts': 'b\n' }, 'one');
    commit(source, { 'a.ts': 'two\n' }, 'two');
    git(top, 'clone', '-q', '--filter=blob:none', '--no-checkout', `file://${source}`, 'partial');
    const partial = join(top, 'partial');
    git(partial, 'config', 'remote.origin.uploadpack', traps.command('remote.origin.uploadpack'));
    git(partial, 'config', 'protocol.file.allow', 'always');
    expect(() => git(partial, 'cat-file', '-p', 'HEAD:a.ts')).toThrow();
    expect(traps.programsRun(), 'plain git does').toMatchObject([{ key: 'remote.origin.uploadpack' }]);
    const answers = await runEveryCommand(partial);
    expect(traps.programsRun()).toEqual([]);
    expect(answers).toMatchObject({ history: ['two', 'one'], committed: undefined });
  });

  it('takes no repository, configuration or program from the environment', async () => {
    const set = {
      GIT_DIR: join(root, '.git'),
      GIT_EXTERNAL_DIFF: traps.command('env'),
      GIT_CONFIG_COUNT: 'x',
    };
    const other = create('other');
    commit(other, { 'a.ts': 'other\n' }, 'other');
    Object.assign(process.env, set);
    try {
      const answers = await runEveryCommand(other);
      expect(answers).toMatchObject({ history: ['other'], committed: 'other\n' });
    } finally {
      for (const name of Object.keys(set)) delete process.env[name];
    }
    expect(traps.programsRun()).toEqual([]);
  });
});

describe('an isolated git directory', () => {
  it('works for a repository with SHA-256 object names', async () => {
    const root = create('sha256', '--object-format=sha256');
    const head = commit(root, { 'a.ts': 'one\n' }, 'one');
    expect(head).toHaveLength(64);
    expect(await runEveryCommand(root)).toMatchObject({
      history: ['one'],
      head,
      changed: [],
      committed: 'one\n',
    });
  });

  it('works for a shallow clone and for a split index', async () => {
    const source = create('deep');
    commit(source, { 'a.ts': 'one\n' }, 'one');
    commit(source, { 'a.ts': 'two\n' }, 'two');
    git(top, 'clone', '-q', '--depth', '1', `file://${source}`, 'shallow');
    const root = join(top, 'shallow');
    git(root, 'update-index', '--split-index');
    writeFileSync(join(root, 'b.ts'), 'b\n');
    git(root, 'add', 'b.ts');
    expect(await runEveryCommand(root)).toMatchObject({
      history: ['two'],
      changed: ['b.ts'],
      listed: ['a.ts', 'b.ts'],
      first: undefined,
    });
  });

  it('keeps the settings for line endings and file modes', async () => {
    const root = create('endings');
    git(root, 'config', 'core.autocrlf', 'true');
    git(root, 'config', 'core.filemode', 'false');
    commit(root, { 'a.ts': 'one\r\ntwo\r\n' }, 'one');
    git(root, 'update-index', '--chmod=+x', 'a.ts');
    git(root, 'commit', '-qm', 'mode');
    utimesSync(join(root, 'a.ts'), 1, 1);
    expect(await runEveryCommand(root)).toMatchObject({ changed: [], lines: [], committed: 'one\ntwo\n' });
  });

  it('keeps the ignore rules of the clone', async () => {
    const root = create('excluding');
    writeFileSync(join(root, '.git', 'info', 'exclude'), 'secret.ts\n');
    writeFileSync(join(root, 'secret.ts'), 'x');
    expect((await createWorktreeFiles(root).list()).paths).toEqual([]);
  });

  it('changes nothing in the repository and leaves no temporary files', async () => {
    const root = create('untouched');
    commit(root, { 'a.ts': 'one\n' }, 'one');
    utimesSync(join(root, 'a.ts'), 1, 1);
    const listing = () => git(root, 'ls-files', '--debug') + git(top, '-C', root, 'count-objects', '-v');
    const before = listing();
    await runEveryCommand(root);
    expect(listing()).toBe(before);
  });
});
