import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { canCreateLinks } from '../../../test/support/symbolic-links.ts';
import { readOverrides } from '../../base/config.ts';
import { writeJson } from '../../base/files.ts';
import { homePaths } from '../../base/paths.ts';
import { activationOf, mayIndexCode } from './activation.ts';

const top = realpathSync(mkdtempSync(join(tmpdir(), 'backstory-activation-')));
afterAll(() => rmSync(top, { recursive: true, force: true }));

it.skipIf(!canCreateLinks)('[off-is-zero] excludes a folder of a home that is a link, by either path', () => {
  const real = join(top, 'real');
  const userHome = join(top, 'home');
  mkdirSync(real);
  symlinkSync(real, userHome);
  const paths = homePaths(join(userHome, '.backstory'));
  writeJson(paths.installs, { v: 1, installs: [] });
  writeJson(paths.config, { exclude: ['~/clients/**'] });
  const isOn = (root: string, cwd = root) =>
    activationOf(paths, { project: 'p', root, cwd, userHome }, { now: () => 0 }).on;
  for (const home of [userHome, real]) {
    expect(isOn(join(home, 'clients'))).toBe(false);
    expect(isOn(join(home, 'clients/acme/src'))).toBe(false);
    expect(isOn(join(home, 'own'), join(home, 'clients/acme'))).toBe(false);
    expect(isOn(join(home, 'own'))).toBe(true);
  }
});

it('a pause is told with its end in the time of this machine', () => {
  const paths = homePaths(join(top, 'paused'));
  const end = new Date(2026, 10, 19, 7, 5);
  writeJson(paths.config, { pausedUntil: end.toISOString() });
  const place = { project: 'p', root: '/work', cwd: '/work', userHome: '/home/ann' };
  expect(activationOf(paths, place, { now: () => end.getTime() - 1 })).toMatchObject({
    reason: expect.stringMatching(/^paused until 2026-11-19 07:05 (?:UTC|[+-]\d\d:\d\d)$/),
  });
  expect(activationOf(paths, place, { now: () => end.getTime() })).not.toMatchObject({
    reason: expect.stringContaining('paused'),
  });
});

it('without a connected agent, only a code index that the user built is written, and none where capture is off', () => {
  const paths = homePaths(join(top, 'code-only'));
  const place = { project: 'p', root: '/work', cwd: '/work', userHome: '/home/ann' };
  const may = (folder: string, isWanted?: boolean) =>
    mayIndexCode(activationOf(paths, place, { now: () => 0 }), folder, isWanted);
  const unbuilt = join(top, 'no-index');
  expect([may(unbuilt), may(unbuilt, true), may(top)]).toEqual([false, true, true]);
  writeJson(paths.config, { capture: 'off' });
  expect([may(unbuilt, true), may(top)]).toEqual([false, false]);
});

describe('a config.json written by hand', () => {
  const paths = homePaths(join(top, 'by-hand'));
  const files = [paths.config, paths.project('p').config];
  const activation = () => {
    writeJson(paths.installs, { v: 1, installs: [] });
    const place = { project: 'p', root: '/work/secret', cwd: '/work/secret', userHome: '/home/ann' };
    return activationOf(paths, place, { now: () => 0 });
  };

  it.each([
    ['capture', 'Off'],
    ['capture', false],
    ['capture', null],
    ['exclude', '/work/secret/**'],
    ['exclude', [1]],
    ['pausedUntil', 'tomorrow'],
    ['pausedUntil', 'May 1'],
    ['pausedUntil', 4_102_444_800_000],
    ['tell', 'off'],
    ['tell', ['preludes']],
    ['distil', false],
    ['actor', 7],
    ['dailyTokens', 'none'],
    ['retentionDays', -1],
    ['writer', { since: 1 }],
  ])('[off-is-zero] captures nothing if %s is %j, and names the key and the file', (key, value) => {
    for (const file of files) {
      writeJson(file, { [key]: value });
      expect(activation).toThrow(`"${key}" in ${file}`);
      rmSync(file);
    }
  });

  it('is followed if its values are allowed, and may have keys of other versions', () => {
    const values = { capture: 'all', exclude: [], pausedUntil: '', writer: { since: '2026-01-01' } };
    writeJson(paths.config, { ...values, later: 1 });
    expect(activation().on).toBe(true);
    for (const config of [{ capture: 'off' }, { exclude: ['/work'] }, { pausedUntil: '2999-01-01' }]) {
      writeJson(paths.config, config);
      expect(activation().on).toBe(false);
    }
  });

  it('can be read by the command that replaces the broken value', () => {
    writeJson(paths.config, { capture: 'Off', actor: 'ann' });
    expect(readOverrides(paths.config, ['capture'])).toMatchObject({ actor: 'ann' });
    expect(() => readOverrides(paths.config, ['actor'])).toThrow('"capture"');
  });
});
