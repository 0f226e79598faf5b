import type { HomePaths } from '../base/paths.ts';

/**
 * Keeps Node's compile cache in the Backstory home. Node spends most of the time of a short command compiling. Without a
 * projects folder nothing is written, so that a user who never enabled capture finds no files.
 */
export function enableCompileCache({ projects, compiled }: Pick<HomePaths, 'projects' | 'compiled'>): void {
  const { existsSync } = process.getBuiltinModule('node:fs');
  if (!existsSync(projects)) return;
  // Node would create the folder readable for all users.
  const before = process.umask(0o077);
  process.getBuiltinModule('node:module').enableCompileCache(compiled);
  process.umask(before);
}

let isShort = false;

/** Turns off the optimiser, whose faster code would hardly be used. */
export function expectShortRun(): void {
  isShort = true;
  setFlags('--no-opt', '--no-maglev');
}

/** For a short command that turns out to be long, for example because it must update the index. */
export function expectLongRun(): void {
  if (isShort) setFlags('--opt', '--maglev');
  isShort = false;
}

function setFlags(...flags: string[]): void {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  for (const flag of flags) setFlagsFromString(flag);
}
