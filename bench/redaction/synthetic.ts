import { createRandom, type Random } from '../../test/harness/random.ts';
import { type SecretKind, secretKinds } from './synthetic-kinds.ts';

/** A secret in typical surroundings; `parts` must not be readable after redaction. */
export interface Sample {
  kind: string;
  text: string;
  parts: string[];
}

type Shape = (secret: string, kind: SecretKind, random: Random) => string;

const camel = (name: string): string =>
  name.toLowerCase().replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const quoted = (text: string): string => JSON.stringify(text);

/** Surroundings of secrets that authors of redaction rules may read. */
const shownShapes: Shape[] = [
  (secret, { variable }) => `${variable}=${secret}`,
  (secret, { variable }) => `export ${variable}="${secret}"`,
  (secret, { variable }) => `const ${camel(variable)} = '${secret}';`,
  (secret, { variable }) => `{"${camel(variable)}": ${quoted(secret)}}`,
  (secret, { variable }) => `${variable.toLowerCase()}: ${quoted(secret)}`,
  (secret, { variable }) => `I set ${variable} to "${secret}", does that work?`,
  (secret, { variable }) => `PATH=/usr/bin\n${variable}=${secret}\nHOME=/root\n`,
  (secret, { variable }) => `docker run -e ${variable}=${quoted(secret)} app`,
];

/** Held-out surroundings, which authors of rules do not read: only the share of found secrets is reported. */
const heldOutShapes: Shape[] = [
  (secret, { variable }) => `${variable} = ${quoted(secret)} # do not commit`,
  (secret, { variable }) => quoted(quoted(`${variable}=${secret}\nDEBUG=1`)),
  (secret, { variable }) => `  - name: ${variable}\n    value: ${quoted(secret)}\n`,
  (secret, { variable }) => `os.environ["${variable}"] = ${quoted(secret)}`,
  (secret, { variable }) => `declare -x ${variable}=${quoted(secret)}\n`,
  (secret, { variable }) => `+${variable}=${secret}\n-${variable}=\n`,
  (secret, { variable }) => `  "${variable}" => '${secret}',`,
  (secret, { variable }) => `fly secrets set ${variable}=${quoted(secret)}`,
  (secret, { variable }) => `Error: request failed: 401 {"${variable.toLowerCase()}":${quoted(secret)}}`,
  (secret, { variable }) => `here is the ${variable.toLowerCase().replaceAll('_', ' ')}: ${secret}`,
  (secret, { variable }) => `$env:${variable} = '${secret}'`,
  (secret, { variable }) => `setx ${variable} ${quoted(secret)}`,
];

/** A key of several lines is redacted if none of its lines is readable. */
const partsOf = (secret: string): string[] =>
  secret
    .split('\n')
    .filter((line) => !line.startsWith('-----'))
    .map((line) => line.trim());

function createSamples(shapes: Shape[], count: number, seed: number): Sample[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, at) => {
    const kind = secretKinds[at % secretKinds.length] as SecretKind;
    const secret = kind.make(random);
    const shape = random.pick(shapes);
    return { kind: kind.name, text: shape(secret, kind, random), parts: partsOf(secret) };
  });
}

export const shownSamples = (count: number, seed: number): Sample[] =>
  createSamples(shownShapes, count, seed);

export const heldOutSamples = (count: number, seed: number): Sample[] =>
  createSamples(heldOutShapes, count, seed + 1_000_003);
