/** Estimates tokens. The constants were fitted to a real tokenizer, to be seldom too low; see tokens.test.ts. */
export function estimateTokens(text: string): number {
  let tokens = 0;
  // Building the sets of scripts takes a hook 3 ms, and most text needs none of them.
  const pieces = isAscii(text) ? /([A-Za-z]+)|(\d+)|(\s+)|[\s\S]/g : piecesOfAllScripts();
  for (const [piece, word, digits, space, han, kana, hangul, letters] of text.matchAll(pieces)) {
    const { length } = piece;
    if (word !== undefined) tokens += length <= 7 ? 1 : length / 5;
    else if (space !== undefined) tokens += length > 1 || space === '\n' ? 0.8 : 0.1;
    else if (digits !== undefined) tokens += Math.ceil(length / 3);
    else if (piece <= '\x7f') tokens += 0.8;
    else if (han !== undefined) tokens += length;
    else if (kana !== undefined) tokens += length * 0.8;
    else if (hangul !== undefined) tokens += length * 0.9;
    else if (letters !== undefined) tokens += Math.max(1, length / 2.5);
    // Two UTF-16 units are one character outside the basic plane: an emoji, or a rare letter.
    else tokens += length > 1 ? 2.5 : 1.5;
  }
  return Math.ceil(tokens);
}

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

const piecesOfAllScripts = (): RegExp =>
  /(\p{Script=Latin}+)|(\d+)|(\s+)|(\p{Script=Han}+)|([\p{Script=Hiragana}\p{Script=Katakana}ー]+)|(\p{Script=Hangul}+)|([\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}]+)|[\s\S]/gu;

const longText = 16_000;
const samples = 8;

/** Like `estimateTokens`, but in bounded time: a long text is extrapolated from eight evenly spaced samples. */
export function roughTokens(text: string): number {
  if (text.length <= longText) return estimateTokens(text);
  const part = longText / samples;
  const stride = (text.length - part) / (samples - 1);
  const sampled = Array.from({ length: samples }, (_, at) => {
    const from = Math.round(at * stride);
    return estimateTokens(text.slice(from, from + part));
  });
  return Math.round((sampled.reduce((sum, tokens) => sum + tokens, 0) * text.length) / longText);
}

/** For compact JSON, in which a run of quotes, colons and braces is mostly one token and words are common ones. */
export function estimateJsonTokens(json: string): number {
  const words = json.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{N}]+/gu) ?? [];
  const marks = json.match(/[^\p{L}\p{N}_\s]+/gu) ?? [];
  const wordTokens = words.reduce((sum, word) => sum + Math.max(1, word.length / 9), 0);
  return Math.ceil(wordTokens + marks.reduce((sum, run) => sum + Math.ceil(run.length / 3), 0));
}
