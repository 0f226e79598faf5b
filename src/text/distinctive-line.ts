const common =
  /^(?:else|return|null|true|false|none|break|continue|pass|begin|then|end|endif|fi|done|default)$/i;

/** False for lines such as a closing brace, which occur in every file and so identify no code. */
export function isDistinctive(line: string): boolean {
  const words = line.replace(/[^\p{L}\p{N}_]+/gu, ' ').trim();
  return words.length >= 4 && !common.test(words);
}
