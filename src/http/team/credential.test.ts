import { describe, expect, it } from 'vitest';
import { type BrowserAccess, cookieName, cookieOf, cookieWith } from './credential.ts';

const nobody = () => Promise.reject(new Error('nobody signs in'));
const at = (publicUrl: string): BrowserAccess => ({ publicUrl, provider: { begin: nobody, finish: nobody } });

describe('The cookie of a browser that has signed in', () => {
  it('is kept to https and to this host alone, where people come by https', () => {
    expect(cookieWith(at('https://team.example.org'), 'session', 'x', 60_000)).toBe(
      '__Host-backstory-session=x; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure',
    );
    expect(cookieWith(at('http://127.0.0.1:7420'), 'session', 'x', 60_000)).toBe(
      'backstory-session=x; Path=/; Max-Age=60; HttpOnly; SameSite=Lax',
    );
  });

  it('is read by its whole name', () => {
    const name = cookieName(at('http://127.0.0.1:7420'), 'session');
    expect(cookieOf('a=1; backstory-session=good; b=2', name)).toBe('good');
    expect(cookieOf('x-backstory-session=bad; backstory-session-2=bad', name)).toBeUndefined();
    expect(cookieOf(undefined, name)).toBeUndefined();
    expect(cookieOf('backstory-session=theirs; backstory-session=mine', name)).toBeUndefined();
  });
});
