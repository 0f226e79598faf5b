/**
 * Classes of characters, as bits that can be combined. `name`: may be part of a name. `bare`: may be part of an
 * unquoted value. `loose`: may be part of a value in an environment file.
 */
const lower = 1;
const upper = 2;
const digit = 4;
export const letter = lower | upper;
export const name = 8;
export const bare = 16;
export const loose = 32;

const classes = new Uint8Array(128);
for (let code = 33; code < 127; code++) {
  const char = String.fromCharCode(code);
  let mask =
    char >= 'a' && char <= 'z'
      ? lower
      : char >= 'A' && char <= 'Z'
        ? upper
        : char >= '0' && char <= '9'
          ? digit
          : 0;
  if (mask !== 0 || '_-.'.includes(char)) mask |= name;
  if (mask !== 0 || '_-.~+/'.includes(char)) mask |= bare;
  if (!`"'\`\\;,<>(){}[]|&=`.includes(char)) mask |= loose;
  classes[code] = mask;
}
export const classOf = (code: number): number => (code < 128 ? (classes[code] as number) : 0);

export const isAlphanumeric = (code: number): boolean => (classOf(code) & (letter | digit)) !== 0;
