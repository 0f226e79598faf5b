import type { Span } from './redact.ts';
import { isSeedWord } from './seed-word-list.ts';

/**
 * Finds the recovery phrase of a wallet: at least twelve consecutive words of the published BIP 39 list, which contains
 * no function words. The words may be numbered or on separate lines.
 */
const minWords = 12;
const maxWords = 26;
/** Twelve words are hardly ever shorter than this step plus the rest of a word and three tested words. */
const step = 20;
const threeWords =
  /[a-z]{0,8}[ \r\n\t\d.),]{1,6}([a-z]{3,8})[ \r\n\t\d.),]{1,6}([a-z]{3,8})[ \r\n\t\d.),]{1,6}([a-z]{3,8})(?![a-z])/y;
const windowLength = 260;

export function seedPhrases(text: string): Span[] {
  const spans: Span[] = [];
  for (let at = 0; at < text.length - step; at += step) {
    threeWords.lastIndex = at;
    const match = threeWords.exec(text);
    if (match === null || !match.slice(1).every(isSeedWord)) continue;
    const from = Math.max(spans.at(-1)?.end ?? 0, at - windowLength);
    spans.push(...phrasesIn(text.slice(from, at + windowLength), from));
    // Advance by half a window, so that a phrase which the window cuts off is found again.
    at += windowLength / 2;
  }
  return spans;
}

const word = /[a-z]{3,8}(?![a-z])/g;
const gap = /^[ \r\n\t\d.),]{1,6}$/;

function phrasesIn(piece: string, offset: number): Span[] {
  const spans: Span[] = [];
  let start = 0;
  let end = 0;
  let count = 0;
  const different = new Set<string>();
  const close = (): void => {
    // A longer list is an ordinary word list and no recovery phrase, nor is one word over and over.
    if (count >= minWords && count <= maxWords && different.size > 1)
      spans.push({ start: offset + start, end: offset + end, name: 'seed-phrase', rank: 0 });
    count = 0;
    different.clear();
  };
  for (const { 0: own, index } of piece.matchAll(word)) {
    const isNext = count > 0 && gap.test(piece.slice(end, index));
    if (!isNext) close();
    if (!isSeedWord(own)) {
      close();
      continue;
    }
    if (count++ === 0) start = index;
    different.add(own);
    end = index + own.length;
  }
  close();
  return spans;
}
