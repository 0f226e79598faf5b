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
      of: 3,
    });
  });

  it('never counts lines of other files as lines of the file that it names', () => {
    const left = { ...piece('current', 80, 80), path: 'engine.go' };
    const scratch = { ...piece('gone', 0, 60), path: 'scratch_test.go' };
    const more = { ...piece('changed', 4, 10), path: 'scratch_test.go' };
    expect(summarise([left, scratch])).toMatchObject({ path: 'scratch_test.go', keptLines: 0, of: 60 });
    expect(summarise([left, scratch, more])).toMatchObject({ path: 'scratch_test.go', keptLines: 4, of: 70 });
  });

  it('returns changed if only some blocks are gone, and never current if some were not checked', () => {
    expect(summarise([piece('current', 3, 3), piece('gone', 0, 2)])).toMatchObject({
      state: 'changed',
      path: 'gone',
      keptLines: 0,
      of: 2,
    });
    expect(summarise([piece('current', 3, 3), piece('unchecked', 0, 0)])).toMatchObject({
      state: 'unchecked',
    });
    expect(summarise([piece('unchecked', 0, 0), piece('gone', 0, 2)])).toMatchObject({ state: 'changed' });
  });
});
