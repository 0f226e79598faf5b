/** What share of a secret may still be read in one piece before it counts as kept. */
const tolerated = 0.5;
/** A shorter one has pieces that are ordinary words. */
const shortest = 12;

/**
 * True when a piece of the secret that would help somebody can still be read. What stands elsewhere in the text
 * too, as in `password 'password'`, is left as often as it stands there.
 */
export function isLeft(clean: string, secret: string, elsewhere = ''): boolean {
  // What we put in its place says "secret" and "password" itself.
  const text = clean.replace(/\[redacted:[a-z0-9-]+\]/g, '\0');
  const own = telling(secret);
  const piece = own.length < shortest ? own.length : Math.ceil(own.length * tolerated);
  for (let at = 0; at + piece <= own.length; at++) {
    const part = own.slice(at, at + piece);
    if (text.includes(part) && occurrences(text, part) > occurrences(elsewhere, part)) return true;
  }
  return false;
}

const occurrences = (text: string, part: string): number => text.split(part).length - 1;

/** A name before a password is no secret, nor is what else a connection string says; the password is. */
const telling = (secret: string): string =>
  /;\s?(?:password|pwd)\s?=\s?([^;"']{4,})/i.exec(secret)?.[1] ??
  /^["'{]{0,2}[^:]{0,60}["'}]{0,2}:["'{]{0,2}([^:"']{4,})["'}]{0,2}$/.exec(secret)?.[1] ??
  secret;
