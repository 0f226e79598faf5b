/**
 * Recognises sentences that settle something, by their wording alone. It rather misses a decision than guesses one:
 * such sentences are shown to every later session, so a question or a wish must not pass for a decision.
 */
const settled = [
  /\b(?:we|i)(?:'ve| have)? (?:decided|chose|agreed|settled|picked|went with)\b/i,
  /\b(?:we|i)(?:'re| are|'m| am) (?:going with|sticking (?:with|to)|moving (?:to|from|away)|dropping|switching (?:to|from))\b/i,
  /\bdecision:/i,
  /\b(?:let's|let us|lets) (?:use|go with|stick (?:with|to)|keep|avoid|switch to|drop)\b/i,
  /\b(?:always|never|from now on|going forward|whenever)\b.{3,}/i,
  /\b(?:must|must not|mustn't|should never|do not ever|don't ever)\b.{3,}\bbecause\b/i,
  /\b(?:use|using|prefer|keep|choose|chose|pick)\b.{2,80}\b(?:instead of|rather than|over|not)\b.{2,}/i,
  /\b(?:use|using|keep|prefer|choose|went with|go with)\b.{2,160}\b(?:because|since|so that)\b.{5,}/i,
  /\bwe (?:use|prefer|require|support|do not use|don't use|no longer use)\b.{3,}/i,
];

const doubtful =
  /\?\s*$|^(?:should|could|can|would|do|does|did|is|are|what|why|how|when|where|who|which|maybe|perhaps)\b|\b(?:what if|not sure|i wonder|for example|e\.g\.)\b/i;

const minLength = 15;
const maxLength = 400;

export function decisionsIn(text: string): string[] {
  return sentencesOf(text).filter(
    (sentence) =>
      sentence.length >= minLength &&
      sentence.length <= maxLength &&
      !doubtful.test(sentence) &&
      settled.some((pattern) => pattern.test(sentence)),
  );
}

/** Splits a text into sentences. Code blocks and quoted lines are left out, because they are somebody else's words. */
export function sentencesOf(text: string): string[] {
  return text
    .slice(0, 20_000)
    .replace(/```[\s\S]*?(?:```|$)/g, '\n')
    .split('\n')
    .filter((line) => !/^\s*(?:>|\||\$ |at .+\(.+:\d+|[{}[\]();]+\s*$)/.test(line))
    .flatMap((line) => line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, '').split(/(?<=[.!?])\s+(?=[\p{Lu}"'`(])/u))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}
