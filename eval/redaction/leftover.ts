/** What share of a secret may still be read in one piece before it counts as kept. */
const tolerated = 0.5;
/** A shorter one has pieces that are ordinary words. */
const shortest = 12;

/** True when a piece of the secret that would help somebody can still be read. */
export function isLeft(clean: string, secret: string): boolean {
  // What we put in its place says "secret" and "password" itself.
  const text = clean.replace(/\[redacted:[a-z0-9-]+\]/g, '\0');
  // A name before a password is no secret; what follows it is.
  const own = /^["'{]{0,2}[^:]{0,60}["'}]{0,2}:["'{]{0,2}([^:"']{4,})["'}]{0,2}$/.exec(secret)?.[1] ?? secret;
  const piece = own.length < shortest ? own.length : Math.ceil(own.length * tolerated);
  for (let at = 0; at + piece <= own.length; at++) {
    if (text.includes(own.slice(at, at + piece))) return true;
  }
  return false;
}
