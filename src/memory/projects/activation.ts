import { existsSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { type Config, readOverrides, resolveConfig } from '../../base/config.ts';
import { matchesGlob } from '../../base/glob.ts';
import type { HomePaths } from '../../base/paths.ts';

export type Activation = { on: true; config: Config } | { on: false; reason: string };

/** Whether anything may be written for this place. Off means not one byte, so this only reads. */
export function activationOf(
  paths: HomePaths,
  place: { project: string; root: string; cwd: string; userHome: string },
  clock: Clock,
): Activation {
  // A repository may bring hooks of its own along; they do nothing before this user ran `install`.
  if (!existsSync(paths.installs)) return { on: false, reason: 'Backstory is not installed for this user' };
  const user = readOverrides(paths.config);
  const project = readOverrides(paths.project(place.project).config);
  const config = resolveConfig(user, project);
  if (config.pausedUntil !== '' && Date.parse(config.pausedUntil) > clock.now()) {
    return { on: false, reason: `paused until ${config.pausedUntil}` };
  }
  const excluded = config.exclude.find((glob) => isBelow(place, glob));
  if (excluded !== undefined) return { on: false, reason: `excluded by ${excluded}` };
  if (config.capture === 'off') return { on: false, reason: 'switched off with `backstory off`' };
  if (config.capture === 'opted-in') return { on: false, reason: 'not opted in with `backstory init`' };
  return { on: true, config };
}

/** By the path the agent named and by the real one; either may lead there through a link, and so may home. */
function isBelow(
  { root, cwd, userHome }: { root: string; cwd: string; userHome: string },
  glob: string,
): boolean {
  const homes = glob.startsWith('~') ? [userHome, realPath(userHome)] : [userHome];
  return [...withParents(root), ...withParents(cwd)].some((path) =>
    homes.some((home) => matchesGlob(path, glob, home)),
  );
}

/** The folder itself and every folder above it: excluding a folder excludes all below. */
function withParents(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...withParents(parent)];
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
