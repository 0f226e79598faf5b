/**
 * Whether a text is a full or abbreviated commit hash. Fewer than eight characters would match too many other words.
 */
export const isCommitHash = (text: string): boolean => /^[0-9a-f]{8,64}$/.test(text);
