import { describe, expect, it } from 'vitest';
import { aNote } from '../../../test/contract/samples.ts';
import type { Note } from '../../domain/note.ts';
import { distilAuthor } from './distil-mark.ts';
import { inboxOf, reviewable } from './review.ts';

const candidate = (more: Partial<Note>): Note =>
  aNote({ state: 'candidate', author: distilAuthor, trust: 1, ...more });
const waiting = (...notes: Note[]): string[] => inboxOf(notes).candidates.map(({ id }) => id);

describe('the inbox', () => {
  it('includes what was extracted, what a model worded, and what was proposed explicitly', () => {
    const asking = [
      candidate({ kind: 'decision' }),
      candidate({ kind: 'rule', trust: 2 }),
      candidate({ kind: 'failed' }),
      candidate({ kind: 'fix', author: 'claude-code' }),
    ];
    expect(waiting(...asking)).toHaveLength(asking.length);
  });

  it("lists what was learned or chosen in a dialog first, then the user's own words, then what matters most, then what is likeliest to last", () => {
    const one = (id: string, text: string, more: Partial<Note> = {}): Note =>
      candidate({ id, text, kind: 'decision', trust: 2, ...more });
    const notes = [
      one('request', 'fix the test that failed just now please'),
      one('agent', 'We never use default exports in this repository.', { trust: 1 }),
      one('learned', 'the header is too big on this page', { trust: 1, learnedIn: 'aaaa0000' }),
      one('rule', 'We never use default exports in this repository.'),
      one('chosen', 'Chosen: the header? → Smaller', { quote: 'Smaller', proposal: 'the header?' }),
      one('worded', 'the header is smaller', { trust: 1, proposal: 'the header?' }),
      one('important', 'the header is too big on this page', { importance: 'high' }),
    ];
    expect(waiting(...notes)).toEqual([
      'chosen',
      'learned',
      'important',
      'rule',
      'request',
      'agent',
      'worded',
    ]);
  });

  it('is followed by sentences that are told although nobody confirmed them', () => {
    const told = candidate({
      kind: 'rule',
      trust: 2,
      state: 'active',
      text: 'We never use default exports.',
    });
    const request = candidate({
      kind: 'decision',
      trust: 2,
      text: 'fix the test that failed just now please',
    });
    expect(reviewable([request, told])).toEqual([told, request]);
    expect(waiting(request, told)).toEqual([request.id]);
    expect(reviewable([{ ...told, confirmedBy: 'person' }])).toEqual([]);
  });
});
