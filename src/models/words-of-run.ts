const maxRunLength = 40;
/** Letters mixed with digits of at least this length are a hash or a key, whose fragments mean nothing. */
const minHashLength = 12;

const parts = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g;
const numberedName = /^[A-Za-z]+\d{1,4}$/;

/** Splits a run of letters and digits into lower-case words: the parts of an identifier, nothing of a hash or key. */
export function wordsOfRun(run: string): string[] {
  if (run.length > maxRunLength) return [];
  if (run.length >= minHashLength && /\d/.test(run) && !numberedName.test(run)) return [];
  return (run.match(parts) ?? []).map((part) => part.toLowerCase());
}
