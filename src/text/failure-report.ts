const failurePhrases =
  /\b(?:did(?:n't| not) (?:work|help)|does(?:n't| not) work|still (?:fails|failing|broken)|made it worse|roll(?:ed)? (?:it |that )?back|revert(?:ed)? (?:it|that)|wrong approach|dead end)\b/i;

/** Whether the text says that an attempt did not work. */
export const isFailureReport = (text: string): boolean => failurePhrases.test(text);
