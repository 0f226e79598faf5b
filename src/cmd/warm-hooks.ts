/**
 * Fills the compile cache of the hook by loading its bundles. Calling their functions would add nothing, because Node
 * stores a file as it is when it has just been compiled. `install` runs this, and the drain after an update of
 * Backstory or Node. Hooks only read the cache, because a hook must not write where capture is off. Argument: the
 * Backstory home.
 */

import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { homePaths } from '../base/paths.ts';
import { hookCacheFolder, readyFile } from './hook-cache.ts';

function main(home: string): void {
  // With options that change the code, hooks could not use the cache.
  if (process.env.NODE_OPTIONS || home === '') return;
  process.umask(0o077);
  const folder = hookCacheFolder(homePaths(home));
  for (const old of readdirIfThere(dirname(folder)))
    if (old !== basename(folder)) rmSync(join(dirname(folder), old), { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  enableCompileCache(folder);
  for (const file of readdirSync(__dirname)) if (/^hook-.*\.cjs$/.test(file)) require(join(__dirname, file));
  flushCompileCache();
  writeFileSync(join(folder, readyFile), '');
}

function readdirIfThere(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

// A missing cache only costs time.
try {
  main(process.argv[2] ?? '');
} catch {
  process.exitCode = 1;
}
