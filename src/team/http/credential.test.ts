import { describe, expect, it } from 'vitest';
import { cookieName, cookieOf, cookieWith } from './credential.ts';

const terms = { lastsMs: 60_000, sameSite: 'Lax' } as const;

describe('The cookie of a browser that has signed in', () => {
  it('is kept to https and to this host alone, where people come by https', () => {
    expect(cookieWith(true, 'session', 'x', terms)).toBe(
      '__Host-backstory-session=x; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure',
    );
    expect(cookieWith(false, 'session', 'x', terms)).toBe(
      'backstory-session=x; Path=/; Max-Age=60; HttpOnly; SameSite=Lax',
    );
  });

  it('is read by its whole name', () => {
    const name = cookieName(false, 'session');
    expect(cookieOf('a=1; backstory-session=good; b=2', name)).toBe('good');
    expect(cookieOf('x-backstory-session=bad; backstory-session-2=bad', name)).toBeUndefined();
    expect(cookieOf(undefined, name)).toBeUndefined();
    expect(cookieOf('backstory-session=theirs; backstory-session=mine', name)).toBeUndefined();
  });
});
