import type { Hit, RecallAnswer } from '../../src/recall/hit.ts';

/** A complete answer with these hits. */
export const answerOf = (hits: Hit[], more: Partial<RecallAnswer> = {}): RecallAnswer => ({
  hits,
  match: 'good',
  arms: { lexical: 'answered', tail: 'unused', dense: 'answered' },
  incomplete: false,
  truncated: false,
  ...more,
});
