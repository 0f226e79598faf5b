/** Lost if the index is rebuilt. Then every session is processed again, with the same result. */
export const distilMark = (agentSession: string): string => `distil:${agentSession}`;

export const distilAuthor = 'backstory';
