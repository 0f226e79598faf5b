const common =
  /^(?:else|return|null|true|false|none|break|continue|pass|begin|then|end|endif|fi|done|default)$/i;

/** Whether a line of code says something; a closing brace stands everywhere and is evidence of nothing. */
export function isDistinctive(line: string): boolean {
  const words = line.replace(/[^\p{L}\p{N}_]+/gu, ' ').trim();
  return words.length >= 4 && !common.test(words);
}
