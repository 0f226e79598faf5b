/** A name with its qualifiers: `retry`, `Queue.retry`, `Rails::Engine`, `Class#method`. */
const qualifiedName = /[A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)*/g;
/** camelCase, snake_case and ABBREVIATIONS are names in code. */
const codeLike = /[a-z][A-Z]|_|[A-Z]{2}/;

/**
 * The names in a question that may be symbols of the code: names that are written as in code or qualified, capitalised
 * words that do not start the question, and the only name of a question of one name. Qualifiers are left out.
 */
export function namedSymbols(question: string): string[] {
  const names = question.match(qualifiedName) ?? [];
  const isOneName = names.length === 1 && names[0] === question.trim();
  const symbols = names.flatMap((name, at) => {
    const last = name.split(/[.:#]+/).at(-1) as string;
    const isSymbol = isOneName || last !== name || codeLike.test(name) || (at > 0 && /^[A-Z]/.test(name));
    return isSymbol ? [last] : [];
  });
  return [...new Set(symbols)];
}
