import { describe, expect, it } from 'vitest';
import type { Drift, DriftState } from '../domain/anchor.ts';
import { summarise } from './summarise.ts';

const piece = (state: DriftState, keptLines: number, of: number): Drift => ({
  state,
  keptLines,
  of,
  path: state,
});

describe('what is said of several pieces of code', () => {
  it('holds for all of them, and names the one that fared worst', () => {
    expect(summarise([])).toMatchObject({ state: 'unanchored' });
    expect(summarise([piece('current', 3, 3), piece('current', 2, 2)])).toMatchObject({
      state: 'current',
      of: 5,
    });
    expect(summarise([piece('current', 3, 3), piece('moved', 2, 2)])).toMatchObject({
      state: 'moved',
      path: 'moved',
    });
    expect(summarise([piece('gone', 0, 3), piece('gone', 0, 2)])).toMatchObject({ state: 'gone', of: 5 });
  });

  it('is changed where only some of it is gone, and never current where some was not looked at', () => {
    expect(summarise([piece('current', 3, 3), piece('gone', 0, 2)])).toMatchObject({
      state: 'changed',
      path: 'gone',
      keptLines: 3,
      of: 5,
    });
    expect(summarise([piece('current', 3, 3), piece('unchecked', 0, 0)])).toMatchObject({
      state: 'unchecked',
    });
    expect(summarise([piece('unchecked', 0, 0), piece('gone', 0, 2)])).toMatchObject({ state: 'changed' });
  });
});
