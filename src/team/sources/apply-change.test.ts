import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SourceState } from '../store/team-sources.ts';
import { outcomeOf } from './apply-change.ts';

type Change = { change: 'saved' | 'hidden' | 'deleted'; at: number };

/** Applies changes in this order and returns the final state. */
function applyAll(changes: Change[]): { isRemoved: boolean; shows: number | undefined } {
  let shows: number | undefined;
  const state: SourceState = { at: undefined, isRemoved: false, isParentRemoved: false, isKept: false };
  for (const change of changes) {
    const outcome = outcomeOf(change, { ...state, isKept: shows !== undefined });
    if (outcome === 'stale' || outcome === 'gone') continue;
    state.at = Math.max(state.at ?? 0, change.at);
    state.isRemoved ||= outcome === 'deleted';
    shows = outcome === 'saved' ? change.at : undefined;
  }
  return { isRemoved: state.isRemoved, shows };
}

const changes = fc
  .uniqueArray(fc.nat(1_000), { minLength: 1, maxLength: 8 })
  .chain((times) =>
    fc.tuple(
      ...times.map((at) =>
        fc.record({ change: fc.constantFrom('saved' as const, 'hidden' as const), at: fc.constant(at) }),
      ),
    ),
  );

describe('Changes of a source', () => {
  it('lead to the same final state in every order', () => {
    fc.assert(
      fc.property(changes, fc.boolean(), fc.infiniteStream(fc.nat()), (updates, isDeleted, random) => {
        const all: Change[] = [...updates, ...(isDeleted ? [{ change: 'deleted' as const, at: 0 }] : [])];
        const shuffled = all
          .map((change) => ({ change, place: random.next().value ?? 0 }))
          .sort((a, b) => a.place - b.place)
          .map(({ change }) => change);
        const newest = updates.toSorted((a, b) => b.at - a.at)[0];
        expect(applyAll(shuffled)).toEqual({
          isRemoved: isDeleted,
          shows: isDeleted || newest?.change === 'hidden' ? undefined : newest?.at,
        });
      }),
    );
  });

  it('have no effect when repeated, and do not restore what was removed on the server', () => {
    const kept: SourceState = { at: 5, isRemoved: false, isParentRemoved: false, isKept: true };
    expect(outcomeOf({ change: 'saved', at: 5 }, kept)).toBe('saved');
    expect(outcomeOf({ change: 'saved', at: 5, isFirst: true }, kept)).toBe('stale');
    expect(outcomeOf({ change: 'saved', at: 5 }, { ...kept, isKept: false })).toBe('stale');
    expect(outcomeOf({ change: 'saved', at: 6 }, { ...kept, isKept: false })).toBe('saved');
    expect(outcomeOf({ change: 'saved', at: 9 }, { ...kept, isParentRemoved: true })).toBe('gone');
  });
});
