/** Kept in the index: after a rebuild every session is looked at again, which changes nothing. */
export const distilMark = (agentSession: string): string => `distil:${agentSession}`;

/** The author of notes that nobody wrote by hand. */
export const distilAuthor = 'backstory';
