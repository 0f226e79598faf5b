import { describe, expect, it } from 'vitest';
import { AppError } from '../../base/errors.ts';
import type { Requester } from '../../domain/memory.ts';
import type { TeamStore } from '../store/team-store.ts';
import { approveSignIn, beginSignIn, endSignIn, normalizeCode } from './sign-in.ts';
import { hashOfToken } from './token.ts';

const ann: Requester = {
  org: 'o',
  principal: 'ann',
  person: 'ann',
  kind: 'user',
  orgRole: 'member',
  scopes: [],
};
const hash = hashOfToken('bst_x');

/** A store whose caller is `requester`, and what it was asked to do. */
function aStore(
  requester: Partial<Requester> = {},
  fails: Partial<Record<'approve' | 'revoke', unknown>> = {},
) {
  const asked: unknown[][] = [];
  const store = {
    identify: async () => ({ ...ann, ...requester }),
    signIns: {
      request: async (device: object, lifetimeMs: number) => {
        asked.push(['request', device, lifetimeMs]);
        return asked.length <= 2;
      },
      approve: async (_: unknown, code: string) => {
        asked.push(['approve', code]);
        if (fails.approve !== undefined) throw fails.approve;
        return { device: 'd', name: 'laptop' };
      },
      logRefusal: async (_: unknown, why: string) => {
        asked.push(['refused', why]);
      },
      revoke: async (token: Uint8Array) => {
        asked.push(['revoke', token]);
        if (fails.revoke !== undefined) throw fails.revoke;
      },
    },
  };
  return { store: store as unknown as TeamStore, asked };
}

describe('sign-in of a device', () => {
  it('gives a code of eight letters without vowels, which a person may type in any case and without the dash', async () => {
    const { store, asked } = aStore();
    const begun = await beginSignIn(store, { hash, name: 'laptop' });
    expect(begun).toMatchObject({ page: '/device', expiresInMs: 900_000, pollEveryMs: 3_000 });
    expect(begun.code).toMatch(/^[B-DF-HJ-NP-TVWXZ]{4}-[B-DF-HJ-NP-TVWXZ]{4}$/);
    const typed = normalizeCode(` ${begun.code.toLowerCase()} `);
    expect(asked).toEqual([['request', { hash, name: 'laptop', code: typed }, 900_000]]);
    expect((await beginSignIn(store, { hash, name: 'laptop' })).code).not.toBe(begun.code);
  });

  it('can be repeated later if too many devices wait', async () => {
    const { store } = aStore();
    for (const name of ['a', 'b']) await beginSignIn(store, { hash, name });
    await expect(beginSignIn(store, { hash, name: 'c' })).rejects.toMatchObject({
      code: 'OVERLOADED',
      retryable: true,
    });
  });

  it('is approved by a person, and never by a device, whose attempt is logged', async () => {
    const person = aStore();
    expect(await approveSignIn(person.store, hash, 'bcdf-ghjk')).toEqual({ device: 'd', name: 'laptop' });
    expect(person.asked).toEqual([['approve', 'BCDFGHJK']]);
    const device = aStore({ kind: 'device' });
    await expect(approveSignIn(device.store, hash, 'bcdf-ghjk')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect(device.asked).toEqual([['refused', 'asked by a device']]);
  });

  it('logs a wrong code, and fails with the error of the store', async () => {
    const absent = new AppError('NOT_FOUND', 'no such code', { hint: '' });
    const wrong = aStore({}, { approve: absent });
    await expect(approveSignIn(wrong.store, hash, 'x')).rejects.toBe(absent);
    expect(wrong.asked.at(-1)).toEqual(['refused', 'no such code']);
    for (const failure of [
      new AppError('BACKEND_FAILURE', 'down', { hint: '' }),
      Object.assign(new Error(), { code: 'NOT_FOUND' }),
    ]) {
      const down = aStore({}, { approve: failure });
      await expect(approveSignIn(down.store, hash, 'x')).rejects.toBe(failure);
      expect(down.asked).toEqual([['approve', 'X']]);
    }
  });

  it('ends without saying whether the token existed, but not if the store fails', async () => {
    const { store, asked } = aStore();
    await endSignIn(store, 'bst_x');
    expect(asked).toEqual([['revoke', hash]]);
    await endSignIn(
      aStore({}, { revoke: new AppError('UNAUTHORIZED', 'invalid token', { hint: '' }) }).store,
      'bst_x',
    );
    for (const failure of [
      new AppError('BACKEND_FAILURE', 'down', { hint: '' }),
      Object.assign(new Error(), { code: 'UNAUTHORIZED' }),
    ])
      await expect(endSignIn(aStore({}, { revoke: failure }).store, 'bst_x')).rejects.toBe(failure);
  });
});
