/**
 * The tokenizer of uncased BERT models, from their vocab.txt. Made to give what the reference gives, unlike
 * pieces.ts, which serves our own model and knows identifiers.
 */
export interface BertTokens {
  /** With the marks of beginning and end, cut to `limit`. */
  encode(text: string, limit: number): number[];
}

const longestWord = 100;
const cjk = /[\u4e00-\u9fff\u3400-\u4dbf\uf900-\ufaff\u{20000}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/u;
/** A run of what is neither space nor punctuation, or one sign. */
const word = /[^\s\p{P}$+<=>^`|~]+|[\p{P}$+<=>^`|~]/gu;
const cjkLetter = new RegExp(cjk.source, 'gu');
const ignored = /[\0\ufffd\p{Cc}\p{Cf}]/gu;

export function createBertTokens(vocabulary: string): BertTokens {
  const numbers = new Map(vocabulary.split(/\r?\n/).map((entry, number) => [entry, number]));
  const numberOf = (entry: string): number => numbers.get(entry) ?? 0;
  const [unknown, begin, end] = ['[UNK]', '[CLS]', '[SEP]'].map(numberOf) as [number, number, number];

  const wordPieces = (text: string): number[] => {
    const letters = [...text];
    if (letters.length > longestWord) return [unknown];
    const found: number[] = [];
    for (let start = 0; start < letters.length; ) {
      let stop = letters.length;
      let piece: number | undefined;
      for (; stop > start; stop--) {
        piece = numbers.get((start === 0 ? '' : '##') + letters.slice(start, stop).join(''));
        if (piece !== undefined) break;
      }
      if (piece === undefined) return [unknown];
      found.push(piece);
      start = stop;
    }
    return found;
  };

  return {
    encode(text, limit) {
      const plain = text
        .replace(/[\t\n\r]/g, ' ')
        .replace(ignored, '')
        .replace(cjkLetter, ' $& ')
        .toLowerCase()
        .normalize('NFD')
        .replace(/\p{Mn}/gu, '');
      const found = [begin];
      for (const [part] of plain.matchAll(word)) {
        found.push(...wordPieces(part));
        if (found.length >= limit) break;
      }
      return [...found.slice(0, limit - 1), end];
    },
  };
}
