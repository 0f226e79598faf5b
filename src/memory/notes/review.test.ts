import { describe, expect, it } from 'vitest';
import { aNote } from '../../../test/contract/samples.ts';
import type { Note } from '../../domain/note.ts';
import { distilAuthor } from './distil-mark.ts';
import { inboxOf } from './review.ts';

const candidate = (more: Partial<Note>): Note =>
  aNote({ state: 'candidate', author: distilAuthor, trust: 1, ...more });
const waiting = (...notes: Note[]): string[] => inboxOf(notes).candidates.map(({ id }) => id);

describe('the inbox', () => {
  it.each(['fix', 'failed'] as const)(
    '[review-rare] does not include a %s that was extracted from the words of an agent',
    (kind) => {
      expect(waiting(candidate({ kind }))).toEqual([]);
    },
  );

  it('includes notes that the prelude would show, and notes that were proposed explicitly', () => {
    const asking = [
      candidate({ kind: 'decision' }),
      candidate({ kind: 'rule', trust: 2 }),
      candidate({ kind: 'failed', trust: 2 }),
      candidate({ kind: 'fix', author: 'claude-code' }),
    ];
    expect(waiting(...asking)).toHaveLength(asking.length);
  });

  it("lists the user's own words first, and then the newest first", () => {
    const at = (day: number, more: Partial<Note>): Note =>
      candidate({ id: `note-${day}`, kind: 'decision', updated: `2026-11-0${day}T00:00:00.000Z`, ...more });
    expect(waiting(at(1, { trust: 2 }), at(2, {}), at(3, {}), at(4, { trust: 0 }))).toEqual([
      'note-1',
      'note-3',
      'note-2',
      'note-4',
    ]);
  });
});
