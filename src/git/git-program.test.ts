import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findGit, gitEnvironment } from './git-program.ts';

const top = mkdtempSync(join(tmpdir(), 'backstory-git-program-'));
afterAll(() => rmSync(top, { recursive: true, force: true, maxRetries: 10 }));

const folderWith = (folder: string, name: string, mode = 0o755): string => {
  mkdirSync(join(top, folder), { recursive: true });
  writeFileSync(join(top, folder, name), '#!/bin/sh\n');
  chmodSync(join(top, folder, name), mode);
  return join(top, folder);
};
const PATH = (...folders: string[]) => ({ PATH: folders.join(delimiter) });

describe('git', () => {
  it('[git-program] is taken only from absolute entries of PATH', () => {
    const good = folderWith('good', 'git');
    const bin = folderWith('repo/node_modules/.bin', 'git');
    folderWith('work', 'git');
    expect(findGit(PATH('', '.', 'work', './work', bin, good), 'linux')).toBe(join(good, 'git'));
    expect(findGit(PATH('', '.', 'work', bin), 'linux')).toBeUndefined();
    expect(findGit({}, 'linux')).toBeUndefined();
  });

  it('is an executable file, and git.exe on Windows', () => {
    const plain = folderWith('plain', 'git', 0o644);
    mkdirSync(join(top, 'folder', 'git'), { recursive: true });
    const windows = folderWith('windows', 'git.exe');
    folderWith('windows', 'git.cmd');
    if (process.platform !== 'win32')
      expect(findGit(PATH(plain, join(top, 'folder')), 'linux')).toBeUndefined();
    expect(findGit(PATH(windows), 'win32')).toBe(join(windows, 'git.exe'));
  });

  it('[git-program] inherits no variable that configures git, and no relative entry of PATH', () => {
    const hostile = {
      GIT_DIR: '/x',
      GIT_SSH_COMMAND: 'x',
      GIT_CONFIG_COUNT: '1',
      GIT_EXTERNAL_DIFF: 'x',
      LD_PRELOAD: 'x',
      SSH_ASKPASS: 'x',
      PAGER: 'x',
      EDITOR: 'x',
    };
    const env = gitEnvironment({ ...hostile, HOME: '/home/a', LC_ALL: 'C', PATH: `.${delimiter}/usr/bin` });
    expect(env).toMatchObject({
      HOME: '/home/a',
      LC_ALL: 'C',
      PATH: '/usr/bin',
      GIT_ALLOW_PROTOCOL: '',
      GIT_NO_LAZY_FETCH: '1',
    });
    expect(env.GIT_DIR).not.toBe('/x');
    for (const name of Object.keys(hostile).filter((each) => each !== 'GIT_DIR'))
      expect(env, name).not.toHaveProperty(name);
  });
});
