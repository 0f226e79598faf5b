import { describe, expect, it } from 'vitest';
import { aNote } from '../../../test/contract/samples.ts';
import type { Note } from '../../domain/note.ts';
import { distilAuthor } from './distil-mark.ts';
import { inboxOf } from './review.ts';

const candidate = (more: Partial<Note>): Note =>
  aNote({ state: 'candidate', author: distilAuthor, trust: 1, ...more });
const waiting = (...notes: Note[]): string[] => inboxOf(notes).candidates.map(({ id }) => id);

describe('the inbox', () => {
  it.each(['fix', 'discovery', 'failed-path'] as const)(
    '[review-rare] does not ask about a %s that was drawn from the words of an agent',
    (kind) => {
      expect(waiting(candidate({ kind }))).toEqual([]);
    },
  );

  it('asks about what would be told to every session, and about what somebody proposed on purpose', () => {
    const asking = [
      candidate({ kind: 'decision' }),
      candidate({ kind: 'convention', trust: 2 }),
      candidate({ kind: 'failed-path', trust: 2 }),
      candidate({ kind: 'discovery', author: 'claude-code' }),
    ];
    expect(waiting(...asking)).toHaveLength(asking.length);
  });

  it("shows the user's own words first, and the newest first among equals", () => {
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
