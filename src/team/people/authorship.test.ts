import { describe, expect, it } from 'vitest';
import {
  isForeign,
  mayReplace,
  notYours,
  type Writer,
  withoutSignature,
  writesForAll,
} from './authorship.ts';

const own = ['ann', 'laptop of ann'];
const authors = { own: 'ann', 'own, from a device': 'laptop of ann', foreign: 'ben', 'of a source': null };

/** Whether the caller may replace and remove memories of these authors, in the order of `authors`. */
const table: [kind: Writer['kind'], role: Writer['role'], ...may: boolean[]][] = [
  ['user', 'owner', true, true, true, true],
  ['user', 'member', true, true, false, false],
  ['user', 'reader', true, true, false, false],
  ['device', 'owner', true, true, false, false],
  ['device', 'member', true, true, false, false],
  ['device', 'reader', true, true, false, false],
  ['webhook', 'owner', true, true, true, true],
  ['webhook', 'member', true, true, true, true],
  ['webhook', 'reader', true, true, true, true],
];

describe('who may replace and remove a memory of a team', () => {
  it.each(table)('a %s with the role %s: its own, and others only as an operator', (kind, role, ...may) => {
    const writer: Writer = { kind, role };
    expect(Object.values(authors).map((author) => mayReplace(writer, own, author))).toEqual(may);
    expect(writesForAll(writer)).toBe(may.every(Boolean));
  });

  it('a memory is somebody else’s unless the caller or one of their devices wrote it', () => {
    expect(Object.values(authors).map((author) => isForeign(author, own))).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect(isForeign('ann', [])).toBe(true);
  });

  it('names the author in the refusal, or says that it comes from a source', () => {
    const member: Writer = { kind: 'user', role: 'member' };
    expect(notYours(member, 'Ben')).toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining('Ben'),
    });
    expect(notYours(member, undefined).message).toContain('a source of the team');
  });

  it('tells only an owner with a device that their own token would be accepted', () => {
    const hints = table.map(([kind, role]) => notYours({ kind, role }, 'Ben').hint ?? '');
    expect(hints.map((hint) => hint.includes('your own token'))).toEqual(
      table.map(([kind, role]) => kind === 'device' && role === 'owner'),
    );
  });

  it('stores no author or account that the tags of a request claim, and all their other tags', () => {
    expect(
      withoutSignature({ author: 'Ben', account: 'github:1', pinned: true, of: { author: 'x' } }),
    ).toEqual({
      pinned: true,
      of: { author: 'x' },
    });
  });
});
