const setback =
  /\b(?:did(?:n't| not) (?:work|help)|does(?:n't| not) work|still (?:fails|failing|broken)|made it worse|roll(?:ed)? (?:it |that )?back|revert(?:ed)? (?:it|that)|wrong approach|dead end)\b/i;

/** Whether somebody says that a way did not lead anywhere. */
export const isFailureReport = (text: string): boolean => setback.test(text);
