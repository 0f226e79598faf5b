/** What share of a secret may still be read in one piece before it counts as kept. */
const tolerated = 0.5;
const shortest = 6;

/** True when a piece of the secret that would help somebody can still be read. */
export function isLeft(clean: string, secret: string): boolean {
  // A name before a password is no secret; what follows it is.
  const own = /^["'{]{0,2}[^:]{0,60}["'}]{0,2}:["'{]{0,2}([^:"']{4,})["'}]{0,2}$/.exec(secret)?.[1] ?? secret;
  const piece = Math.max(Math.min(shortest, own.length), Math.ceil(own.length * tolerated));
  for (let at = 0; at + piece <= own.length; at++) {
    if (clean.includes(own.slice(at, at + piece))) return true;
  }
  return false;
}
