import { join } from 'node:path';
import { readIfThere, readJson, removeIfThere, replaceFile, writeJson } from './files.ts';
import { randomHex } from './ids.ts';

/**
 * How other programs of the user find a running `backstory serve`: a file with its address and a file with
 * the API token, both readable by this user only. The state is valid only while the server holds
 * `serve.lock`.
 */
export interface ServeState {
  v: 1;
  pid: number;
  /** The address; empty if the server listens only on a socket. */
  url: string;
  socket: string;
  version: string;
}

export const serveFiles = (home: string) => ({
  state: join(home, 'serve.json'),
  token: join(home, 'serve.token'),
  lock: join(home, 'serve.lock'),
});

/**
 * Returns the state if it is plausible: the process exists and the address is on this machine. Another
 * program may have taken over the pid and the port; `runningServer` in `cmd` checks the lock as well.
 */
export function readServeState(home: string): ServeState | undefined {
  const state = readJson<ServeState>(serveFiles(home).state);
  const isOurs = state?.v === 1 && (state.url === '' || loopbackUrl.test(state.url)) && isAlive(state.pid);
  return isOurs ? state : undefined;
}

const loopbackUrl = /^http:\/\/127\.0\.0\.1:\d{1,5}$/;

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

/** Returns or creates the API token. It stays the same, because users copy it into the settings of their clients. */
export function ensureToken(home: string, isNew: boolean): string {
  const known = isNew ? undefined : readToken(home);
  if (known !== undefined && known.length >= 32) return known;
  const token = randomHex(32);
  replaceFile(serveFiles(home).token, `${token}\n`);
  return token;
}
