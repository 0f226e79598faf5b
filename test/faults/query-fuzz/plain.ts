/**
 * A question with nothing in it but its words: what it must mean, whatever else it carries. Written without a
 * look at the product's own splitting. Dots, slashes and inner hyphens stay, because paths and names are words.
 */
export function plainForms(text: string): string[] {
  const cut = text.slice(0, longest).toWellFormed().replaceAll('\ufffd', ' ').normalize('NFKC');
  const forms = [' ', ''].map((instead) =>
    cut
      .replace(unseen, instead)
      .replace(/[^\p{L}\p{M}\p{N}_$./\\-]/gu, ' ')
      // At the edge of a word a connecting sign connects nothing.
      .replace(/(?<![\p{L}\p{N}_$])[./\\-]+|[./\\-]+(?![\p{L}\p{N}_$])/gu, ' ')
      .replace(/\b(?:AND|OR|NOT|NEAR)\b/g, (operator) => operator.toLowerCase())
      .replace(/\s+/g, ' ')
      .trim(),
  );
  // A question of signs alone finds nothing; only an empty one lists what is newest.
  return [...new Set(forms.map((form) => form || (text === '' ? '' : ' ')))];
}

/** Marks that did not join a letter, and signs that show nothing: whether they part a word or not is open. */
const unseen = /[\p{M}\p{Cf}\p{Cc}]/gu;

/** Far beyond what any question needs; what comes after may be cut off. */
const longest = 10_000;
