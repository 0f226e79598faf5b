import { describe, expect, it } from 'vitest';
import type { Drift, DriftState } from '../wire/answers/memory.ts';
import { summarise } from './check-drift.ts';

const piece = (state: DriftState, keptLines: number, of: number): Drift => ({
  state,
  keptLines,
  of,
  path: state,
});

describe('summarise', () => {
  it('returns the state of the worst block and names that block', () => {
    expect(summarise([])).toMatchObject({ state: 'unanchored' });
    expect(summarise([piece('current', 3, 3), piece('current', 2, 2)])).toMatchObject({
      state: 'current',
      of: 5,
    });
    expect(summarise([piece('current', 3, 3), piece('moved', 2, 2)])).toMatchObject({
      state: 'moved',
      path: 'moved',
    });
    expect(summarise([piece('gone', 0, 3), { ...piece('gone', 0, 2), path: 'second' }])).toMatchObject({
      state: 'gone',
      path: 'gone',
      of: 5,
    });
  });

  it('returns changed if only some blocks are gone, and never current if some were not checked', () => {
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
