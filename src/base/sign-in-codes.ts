import { join } from 'node:path';
import { namesIn, readJson, removeIfThere, writeJson } from './files.ts';
import { randomHex, sha256 } from './ids.ts';

/**
 * One-time codes that sign a browser in to the local server. `backstory ui` makes a code and stores only its
 * hash, so `ui` sends no secret to an unknown program on the port, and a program that reads the home folder
 * finds nothing to sign in with.
 */
interface SignInCode {
  v: 1;
  expiresAt: number;
  /** The code is valid only for the server on this port, so a program on another port cannot pass it on. */
  port: number;
  /** Whether `ui` was run by a person at a terminal. */
  isPerson: boolean;
}

const codeLifeMs = 60_000;

const folderOf = (home: string): string => join(home, 'sign-in-codes');
const fileOf = (home: string, code: string): string => join(folderOf(home), `${sha256(code)}.json`);

export function makeSignInCode(
  home: string,
  { port, isPerson, now }: { port: number; isPerson: boolean; now: number },
): string {
  removeExpired(home, now);
  const code = randomHex(32);
  writeJson(fileOf(home, code), { v: 1, expiresAt: now + codeLifeMs, port, isPerson } satisfies SignInCode);
  return code;
}

/** Uses up a code; undefined unless it is valid now, on this port. Removing the file is atomic: one caller succeeds. */
export function takeSignInCode(
  home: string,
  code: string,
  { port, now }: { port: number; now: number },
): { isPerson: boolean } | undefined {
  const file = fileOf(home, code);
  const found = readJson<SignInCode>(file);
  if (found?.v !== 1 || found.port !== port || !removeIfThere(file)) return undefined;
  const isValid = found.expiresAt > now && found.expiresAt <= now + codeLifeMs;
  return isValid ? { isPerson: found.isPerson === true } : undefined;
}

function removeExpired(home: string, now: number): void {
  const folder = folderOf(home);
  for (const name of namesIn(folder)) {
    const file = join(folder, name);
    const found = readJson<SignInCode>(file);
    if (found === undefined || !(found.expiresAt > now)) removeIfThere(file);
  }
}
