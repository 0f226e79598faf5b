/**
 * The key under which the index records that notes were extracted from a session. If the index is rebuilt, this is
 * lost and every session is processed again, with the same result.
 */
export const distilMark = (agentSession: string): string => `distil:${agentSession}`;

/** The author of automatically extracted notes. */
export const distilAuthor = 'backstory';
