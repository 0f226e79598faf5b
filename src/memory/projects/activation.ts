import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Clock, localTime } from '../../base/clock.ts';
import { type Config, readOverrides, resolveConfig } from '../../base/config.ts';
import { AppError } from '../../base/errors.ts';
import { readJson } from '../../base/files.ts';
import { matchesGlob } from '../../base/glob.ts';
import type { HomePaths } from '../../base/paths.ts';
import type { Project } from '../../domain/project.ts';
import { realPath } from '../../git/git-dir.ts';
import type { OpenProject } from './open-project.ts';
import { currentRoot } from './project-root.ts';

export type Activation =
  | { on: true; config: Config }
  /** `isUninstalled` if the only reason is that no agent is connected. */
  | { on: false; reason: string; isUninstalled?: true };

/** Throws with a hint if nothing may be stored. */
export function requireActive(activation: Activation): void {
  if (!activation.on)
    throw new AppError('NOT_INSTALLED', `capture is off here: ${activation.reason}`, {
      hint: activation.isUninstalled === true ? 'backstory install all' : 'backstory capture on',
    });
}

/**
 * Whether the code index in `folder` may be written. Without a connected agent, that is so if the user wants to build
 * it, or has built it.
 */
export const mayIndexCode = (activation: Activation, folder: string, isWanted = false): boolean =>
  activation.on || (activation.isUninstalled === true && (isWanted || existsSync(folder)));

/** Whether capture is on for a place. If it is off, nothing may be written, so this function only reads. */
export function activationOf(
  paths: HomePaths,
  place: { project: string; root: string; cwd: string; userHome: string },
  clock: Clock,
): Activation {
  const user = readOverrides(paths.config);
  const project = readOverrides(paths.project(place.project).config);
  const config = resolveConfig(user, project);
  const pausedUntil = Date.parse(config.pausedUntil);
  if (pausedUntil > clock.now()) {
    const isOpen = config.pausedUntil.startsWith('9999');
    const end = isOpen ? '`backstory capture resume`' : localTime(pausedUntil);
    return { on: false, reason: `paused until ${end}` };
  }
  const excluded = config.exclude.find((glob) => isBelow(place, glob));
  if (excluded !== undefined) return { on: false, reason: `excluded by ${excluded}` };
  if (config.capture === 'off') return { on: false, reason: 'turned off with `backstory capture off`' };
  if (config.capture === 'opted-in') return { on: false, reason: 'not opted in with `backstory capture on`' };
  // A cloned repository may contain Backstory hooks. They do nothing until this user has run `install`.
  if (!existsSync(paths.installs))
    return { on: false, reason: 'no agent is connected (`backstory install all`)', isUninstalled: true };
  return { on: true, config };
}

/**
 * Returns whether capture is on for an open project, at its current root. Reads the settings on each call, because the
 * user may change them at any time.
 */
export function activationOfProject(project: OpenProject): Activation {
  const { paths, project: id, userHome, clock } = project;
  const root = currentRoot(project) ?? readJson<Project>(paths.project(id).identity)?.paths.at(-1) ?? '';
  return activationOf(paths, { project: id, root, cwd: root, userHome }, clock);
}

/**
 * Returns whether the pattern matches the folder or one of its parents. Both the path that the agent reported and the
 * real path are compared, because either may contain a symbolic link. So may the home folder, which `~` stands for.
 */
function isBelow(
  { root, cwd, userHome }: { root: string; cwd: string; userHome: string },
  glob: string,
): boolean {
  const homes = glob.startsWith('~') ? [userHome, realPath(userHome) ?? userHome] : [userHome];
  return [...withParents(root), ...withParents(cwd)].some((path) =>
    homes.some((home) => matchesGlob(path, glob, home)),
  );
}

/** The folder and all its parents: excluding a folder excludes everything below it. */
function withParents(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [path] : [path, ...withParents(parent)];
}
