/** Key of a session in the index. After a rebuild, every session is processed again, which changes nothing. */
export const distilMark = (agentSession: string): string => `distil:${agentSession}`;

/** The author of automatically extracted notes. */
export const distilAuthor = 'backstory';
