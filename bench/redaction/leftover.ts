/** A secret counts as leaked if more than this share of it is readable in one piece. */
const tolerated = 0.5;
/** Shorter secrets count as leaked only if they are readable in full, because pieces of them are ordinary words. */
const shortest = 12;

/**
 * True if a useful piece of the secret is still readable. `elsewhere` is the text around the secret: words
 * that it contains too, as in `password 'password'`, may remain as often as they occur in it.
 */
export function isLeft(clean: string, secret: string, elsewhere = ''): boolean {
  // Remove the placeholders first, because they contain words such as "secret" and "password".
  const text = clean.replace(/\[redacted:[a-z0-9-]+\]/g, '\0');
  const own = secretPart(secret);
  const piece = own.length < shortest ? own.length : Math.ceil(own.length * tolerated);
  for (let at = 0; at + piece <= own.length; at++) {
    const part = own.slice(at, at + piece);
    if (text.includes(part) && occurrences(text, part) > occurrences(elsewhere, part)) return true;
  }
  return false;
}

const occurrences = (text: string, part: string): number => text.split(part).length - 1;

/** Returns the secret part of a text: of a connection string, only the password. */
const secretPart = (secret: string): string =>
  /;\s?(?:password|pwd)\s?=\s?([^;"']{4,})/i.exec(secret)?.[1] ??
  /^["'{]{0,2}[^:]{0,60}["'}]{0,2}:["'{]{0,2}([^:"']{4,})["'}]{0,2}$/.exec(secret)?.[1] ??
  secret;
