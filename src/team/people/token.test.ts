import { expect, it } from 'vitest';
import { bearerToken, hashOfToken, makeBrowserSession, makeToken, sessionInCookie } from './token.ts';

it('accepts a token only in the header, and a browser session only in the cookie', () => {
  const [token, session] = [makeToken(), makeBrowserSession()];
  expect(token).toMatch(/^bst_[0-9a-f]{64}$/);
  expect(bearerToken(`Bearer ${token}`)).toBe(token);
  expect(sessionInCookie(session)).toBe(session);
  for (const header of [undefined, '', token, `Bearer ${session}`, `bearer ${token}`, `Bearer ${token}0`])
    expect(bearerToken(header)).toBeUndefined();
  for (const cookie of [undefined, '', token, `${session}0`, `x${session}`])
    expect(sessionInCookie(cookie)).toBeUndefined();
});

it('makes another token each time, of which the database has only the hash', () => {
  expect(makeToken()).not.toBe(makeToken());
  expect(hashOfToken('bst_a')).toEqual(hashOfToken('bst_a'));
  expect(hashOfToken('bst_a')).not.toEqual(hashOfToken('bst_b'));
});
