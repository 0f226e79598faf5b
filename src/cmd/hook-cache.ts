import { existsSync } from 'node:fs';
import { sep } from 'node:path';
import type { HomePaths } from '../base/paths.ts';

/** A hash of the hook's bundles, set by scripts/build.ts. */
declare const BACKSTORY_HOOK_BUILD: string | undefined;

/** Exists once the cache is complete. */
export const readyFile = 'ready';

/** Node's compile cache of the hook, for this version of Backstory and of Node. */
export const hookCacheFolder = ({ hookCaches }: Pick<HomePaths, 'hookCaches'>): string =>
  `${hookCaches}${sep}${process.version}-${typeof BACKSTORY_HOOK_BUILD === 'string' ? BACKSTORY_HOOK_BUILD : 'source'}`;

/** Uses the cache if it is complete. Other options of Node would need, and write, another one. */
export function useHookCache(paths: Pick<HomePaths, 'hookCaches'>, env: NodeJS.ProcessEnv): void {
  const folder = hookCacheFolder(paths);
  if (env.NODE_OPTIONS || process.execArgv.length > 0 || !existsSync(folder + sep + readyFile)) return;
  process.getBuiltinModule('node:module').enableCompileCache(folder);
}

/** Whether the cache was filled by another version of Backstory or Node. */
export const isHookCacheOld = (paths: Pick<HomePaths, 'hookCaches'>): boolean =>
  existsSync(paths.hookCaches) && !existsSync(hookCacheFolder(paths) + sep + readyFile);
