import { expect, it } from 'vitest';
import type { Drift } from '../wire/answers/memory.ts';
import { driftText } from './drift-text.ts';

it('says where code is, what became of it, by which commit, and what that means', () => {
  const text = (drift: Partial<Drift>) =>
    driftText({ state: 'current', keptLines: 1, of: 4, path: 'a.js', ...drift });
  expect(text({ from: 3, to: 5 })).toBe('current: a.js:3-5');
  expect(text({ from: 3, to: 3 })).toBe('current: a.js:3');
  expect(text({ from: 3 })).toBe('current: a.js:3');
  expect(driftText({ state: 'current', keptLines: 0, of: 0 })).toBe('current: :0');
  expect(text({ state: 'moved', from: 3, to: 5 })).toBe('moved: now a.js:3-5');
  expect(text({ state: 'moved', from: 3, to: 5, was: 'b.js' })).toBe('moved: now a.js:3-5, was b.js');
  expect(text({ state: 'changed', by: '0123456789abcdef' })).toMatch(
    /^CHANGED since by 0123456789ab: 1 of 4 lines/,
  );
  expect(text({ state: 'changed', by: 'uncommitted' })).toContain('since, not committed yet: 1 of 4');
  expect(text({ state: 'changed' })).toContain('since: 1 of 4 lines still exist in a.js');
  expect(text({ state: 'changed', keptLines: 0 })).toContain('since: its code is gone from a.js; look');
  expect(text({ state: 'gone' })).toMatch(/^GONE: its code/);
  expect(text({ state: 'gone', by: 'uncommitted' })).toMatch(/^GONE, removed, not committed yet: its code/);
  expect(text({ state: 'elsewhere', branch: 'dev' })).toBe('written on dev, NOT here');
  expect(text({ state: 'unchecked' })).toBe('unchecked');
});
