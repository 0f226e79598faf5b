/**
 * About how many tokens a model will count. Words cost by length, everything else by itself; the constants
 * were set against a real tokenizer so that the estimate is seldom below the truth (tokens.test.ts).
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(/[A-Za-z]+|\d+|\s+|[^\sA-Za-z\d]/gu)) {
    const first = piece.charCodeAt(0);
    if (first > 0x7f) tokens += 1.5;
    else if (/[A-Za-z]/.test(piece)) tokens += piece.length <= 7 ? 1 : piece.length / 5;
    else if (/\d/.test(piece)) tokens += Math.ceil(piece.length / 3);
    else if (/\s/.test(piece)) tokens += piece.includes('\n') || piece.length > 1 ? 0.8 : 0.1;
    else tokens += 0.75;
  }
  return Math.ceil(tokens);
}
