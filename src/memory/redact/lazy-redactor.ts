import type { Redactor } from './redact.ts';

/**
 * A few words of small letters, as branches and fields of events have them. No rule finds a secret in them. Of the
 * values in `.env` files, one or two such words are never masked anyway; more of them in a branch are not recognised
 * here.
 */
const plainName = /^[A-Za-z][a-z]{0,13}(?:[-_/.][a-z]{1,13}){0,4}$/;
const credentialWord = /pass|pwd|secret|token|key|cred|auth|login|pin|code|private/i;

export const isPlainName = (text: string): boolean =>
  text === '' || (plainName.test(text) && !credentialWord.test(text));

function isPlain(value: unknown): boolean {
  if (typeof value === 'string') return isPlainName(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, inner]) => isPlainField(name) && isPlain(inner));
}

/** Our own names of fields, such as `preludeTokens`, are no secrets. */
const isPlainField = (name: string): boolean => /^[A-Za-z]{1,20}$/.test(name);

/** Loads the real redactor, which takes a quarter of a hook's time, at the first text that is not a plain name. */
export function lazyRedactor(load: () => Redactor): Redactor {
  let loaded: Redactor | undefined;
  const real = (): Redactor => {
    loaded ??= load();
    return loaded;
  };
  return {
    redact: (text) => (isPlainName(text) ? text : real().redact(text)),
    redactDeep: (value) => (isPlain(value) ? value : real().redactDeep(value)),
    maskDeep: (value) => (isPlain(value) ? value : real().maskDeep(value)),
  };
}
