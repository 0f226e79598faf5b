/**
 * Returns the plain words of a question, which must find the same as the question itself. Implemented independently of
 * the product's tokenizer. Dots, slashes and inner hyphens stay, because paths and names are words.
 */
export function plainForms(text: string): string[] {
  const cut = text.slice(0, longest).toWellFormed().replaceAll('\ufffd', ' ').normalize('NFKC');
  const forms = [' ', ''].map((instead) =>
    cut
      .replace(unseen, instead)
      .replace(/[^\p{L}\p{M}\p{N}_$./\\-]/gu, ' ')
      // A connecting character at the edge of a word connects nothing.
      .replace(/(?<![\p{L}\p{N}_$])[./\\-]+|[./\\-]+(?![\p{L}\p{N}_$])/gu, ' ')
      .replace(/\b(?:AND|OR|NOT|NEAR)\b/g, (operator) => operator.toLowerCase())
      .replace(/\s+/g, ' ')
      .trim(),
  );
  // A question with no words finds nothing; only an empty one lists the newest entries.
  return [...new Set(forms.map((form) => form || (text === '' ? '' : ' ')))];
}

/** Combining marks without a letter, and invisible characters. Whether they separate words is not specified. */
const unseen = /[\p{M}\p{Cf}\p{Cc}]/gu;

/**
 * Number of characters of a question that count. It is longer than any question needs to be; the product may cut off
 * the rest.
 */
const longest = 10_000;
