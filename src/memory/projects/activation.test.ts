import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { canCreateLinks } from '../../../test/support/symbolic-links.ts';
import { writeJson } from '../../base/files.ts';
import { homePaths } from '../../base/paths.ts';
import { activationOf } from './activation.ts';

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
