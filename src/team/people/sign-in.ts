import { AppError } from '../../base/errors.ts';
import { randomHex } from '../../base/ids.ts';
import type { TeamStore, TokenHash } from '../store/team-store.ts';
import { hashOfToken } from './token.ts';

/** No vowels, so that no words come out, and nothing that looks like something else. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';
const codeLength = 8;
const lastsMs = 15 * 60_000;
const pollEveryMs = 3_000;

/** Of eight letters of twenty: twenty-five thousand million, of which each is good for a quarter of an hour. */
function makeCode(): string {
  const random = BigInt(`0x${randomHex(16)}`);
  return Array.from(
    { length: codeLength },
    (_, at) => letters[Number((random / 20n ** BigInt(at)) % 20n)],
  ).join('');
}

/** As people type it: in small letters, with or without the dash. */
export const readCode = (typed: string): string => typed.toUpperCase().replace(/[^A-Z]/g, '');

export async function beginSignIn({ signIns }: TeamStore, device: { hash: TokenHash; name: string }) {
  const code = makeCode();
  if (!(await signIns.ask({ ...device, code }, lastsMs)))
    throw new AppError('OVERLOADED', 'too many devices wait to be let in', {
      hint: 'Try again in a few minutes',
      retryable: true,
    });
  return { code: `${code.slice(0, 4)}-${code.slice(4)}`, page: '/device', expiresInMs: lastsMs, pollEveryMs };
}

/** For people alone: a laptop that was stolen must not let in another one. */
export async function approveSignIn(
  { identify, signIns }: Pick<TeamStore, 'identify' | 'signIns'>,
  token: TokenHash,
  typed: string,
): Promise<{ device: string; name: string }> {
  const { kind } = await identify(token);
  if (kind !== 'user') {
    await signIns.refused(token, 'asked by a device');
    throw new AppError('FORBIDDEN', 'this is for people, not for devices', {
      hint: 'Use the token that you were given yourself',
    });
  }
  try {
    return await signIns.approve(token, readCode(typed));
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') await signIns.refused(token, 'no such code');
    throw error;
  }
}

/** Says nothing about whether there was such a token. */
export async function endSignIn({ signIns }: Pick<TeamStore, 'signIns'>, token: string): Promise<void> {
  try {
    await signIns.leave(hashOfToken(token));
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'UNAUTHORIZED')) throw error;
  }
}
