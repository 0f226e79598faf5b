/** The oldest Node that Backstory supports. `engines` in package.json requires the same version. */
export const minNodeVersion = '22.23.0';

const numbersOf = (version: string): number[] => version.replace(/^v/, '').split('.').map(Number);

export function isVersionAtLeast(version: string, minimum: string): boolean {
  const [have, need] = [numbersOf(version), numbersOf(minimum)];
  const at = need.findIndex((part, index) => (have[index] ?? 0) !== part);
  return at === -1 || (have[at] ?? 0) > (need[at] ?? 0);
}

/** One line for the user of a Node that is too old, or undefined. `program` is the path of that Node. */
export const oldNodeMessage = (version: string, program: string): string | undefined =>
  isVersionAtLeast(version, minNodeVersion)
    ? undefined
    : `Backstory needs Node ${minNodeVersion} or newer, but ${program} is ${version}. Install Node 24, then run: npm install -g backstory && backstory doctor`;
