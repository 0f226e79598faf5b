/** What share of a secret may still be read in one piece before it counts as kept. */
const tolerated = 0.5;
const shortest = 6;

/** True when a piece of the secret that would help somebody can still be read. */
export function isLeft(clean: string, secret: string): boolean {
  const piece = Math.max(Math.min(shortest, secret.length), Math.ceil(secret.length * tolerated));
  for (let at = 0; at + piece <= secret.length; at++) {
    if (clean.includes(secret.slice(at, at + piece))) return true;
  }
  return false;
}
