import { randomInt } from 'node:crypto';
import { AppError } from '../../base/errors.ts';
import type { TeamStore, TokenHash } from '../store/team-store.ts';
import { hashOfToken } from './token.ts';

/** No vowels, so that a code never spells a word, and no letters that are easily confused. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';
const codeLength = 8;
const codeLifetimeMs = 15 * 60_000;
const pollEveryMs = 3_000;

/** There are 20^8 (about 25 billion) codes, and each expires after 15 minutes. */
const makeCode = (): string =>
  Array.from({ length: codeLength }, () => letters[randomInt(letters.length)]).join('');

/** Normalizes a code as typed: case and dashes do not matter. */
export const normalizeCode = (typed: string): string => typed.toUpperCase().replace(/[^A-Z]/g, '');

export async function beginSignIn({ signIns }: TeamStore, device: { hash: TokenHash; name: string }) {
  const code = makeCode();
  if (!(await signIns.request({ ...device, code }, codeLifetimeMs)))
    throw new AppError('OVERLOADED', 'too many devices are waiting for approval', {
      hint: 'Try again in a few minutes',
      retryable: true,
    });
  return {
    code: `${code.slice(0, 4)}-${code.slice(4)}`,
    page: '/device',
    expiresInMs: codeLifetimeMs,
    pollEveryMs,
  };
}

/** Lets a device sign in. Only a person can approve it: a stolen laptop must not be able to add another device. */
export async function approveSignIn(
  { identify, signIns }: Pick<TeamStore, 'identify' | 'signIns'>,
  token: TokenHash,
  typed: string,
): Promise<{ device: string; name: string }> {
  const { kind } = await identify(token);
  if (kind !== 'user') {
    await signIns.logRefusal(token, 'asked by a device');
    throw new AppError('FORBIDDEN', 'only a person can do this, not a device', {
      hint: 'Use your personal token',
    });
  }
  try {
    return await signIns.approve(token, normalizeCode(typed));
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND')
      await signIns.logRefusal(token, 'no such code');
    throw error;
  }
}

/** Revokes a device's token. Succeeds for an unknown token too, so that it does not reveal which tokens exist. */
export async function endSignIn({ signIns }: Pick<TeamStore, 'signIns'>, token: string): Promise<void> {
  try {
    await signIns.revoke(hashOfToken(token));
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'UNAUTHORIZED')) throw error;
  }
}
