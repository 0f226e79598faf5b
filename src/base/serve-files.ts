import { join } from 'node:path';
import { readIfThere, readJson, removeIfThere, replaceFile, writeJson } from './files.ts';
import { randomHex } from './ids.ts';

/**
 * How a running `backstory serve` is found by those who want to ask it: a small file that says where it listens, and
 * the token beside it, both for the user alone. What stands there counts only while that process lives.
 */
export interface ServeState {
  v: 1;
  pid: number;
  /** Where it answers; empty when it listens on a socket alone. */
  url: string;
  socket: string;
  version: string;
}

export const serveFiles = (home: string) => ({
  state: join(home, 'serve.json'),
  token: join(home, 'serve.token'),
  lock: join(home, 'serve.lock'),
});

/** Undefined when none runs. Another program may have its number by now; who asks it finds out by the token. */
export function readServeState(home: string): ServeState | undefined {
  const state = readJson<ServeState>(serveFiles(home).state);
  return state?.v === 1 && isAlive(state.pid) ? state : undefined;
}

export const writeServeState = (home: string, state: ServeState): void =>
  writeJson(serveFiles(home).state, state);

export const removeServeState = (home: string): boolean => removeIfThere(serveFiles(home).state);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

export const readToken = (home: string): string | undefined =>
  readIfThere(serveFiles(home).token)?.trim() || undefined;

/** Kept from one run to the next: whoever wrote it into a client's settings should not have to do so again. */
export function ensureToken(home: string, isNew: boolean): string {
  const known = isNew ? undefined : readToken(home);
  if (known !== undefined && known.length >= 32) return known;
  const token = randomHex(32);
  replaceFile(serveFiles(home).token, `${token}\n`);
  return token;
}
