/** Limits of a request that syncs notes with a team server. */
export const maxNotesPerRequest = 100;
export const maxRemovedPerRequest = 1_000;
export const maxDisputesPerRequest = 100;
/** Maximum length of a note's id on the server. Other programs choose the ids of their notes, so these can be long. */
export const maxReferenceLength = 500;
