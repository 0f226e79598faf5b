import type { Intent } from '../retrieval/story.ts';

/**
 * Something that was said in a session, and two questions about it in other forms of its words or in other words.
 * The first question is for tuning, the second is held out.
 */
export interface Fact {
  intent: Intent;
  /** What the user wrote. It holds the answer only when nobody replied. */
  said: string;
  replied?: string;
  asked: readonly [string, string];
}
