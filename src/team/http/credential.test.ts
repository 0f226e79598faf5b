import { describe, expect, it } from 'vitest';
import { cookieName, cookieOf, cookieWith } from './credential.ts';

const terms = { lifetimeMs: 60_000, sameSite: 'Lax' } as const;

describe('The session cookie', () => {
  it('is bound to https and to this host if the server uses https', () => {
    expect(cookieWith(true, 'session', 'x', terms)).toBe(
      '__Host-backstory-session=x; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax',
    );
    expect(cookieWith(false, 'session', 'x', terms)).toBe(
      'backstory-session=x; Max-Age=60; Path=/; HttpOnly; SameSite=Lax',
    );
  });

  it('is matched by its full name, and ignored if it occurs twice', () => {
    const name = cookieName(false, 'session');
    expect(cookieOf('a=1; backstory-session=good; b=2', name)).toBe('good');
    expect(cookieOf('x-backstory-session=bad; backstory-session-2=bad', name)).toBeUndefined();
    expect(cookieOf(undefined, name)).toBeUndefined();
    expect(cookieOf('backstory-session=theirs; backstory-session=mine', name)).toBeUndefined();
  });
});
