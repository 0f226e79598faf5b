import type { Intent } from '../retrieval/story.ts';

/**
 * A statement in a session, and two questions about it with inflected or other words. The first question is for tuning,
 * the second is held out.
 */
export interface Fact {
  intent: Intent;
  /** The user's message. It contains the answer only if there is no reply. */
  said: string;
  replied?: string;
  asked: readonly [string, string];
}
