import { escapePattern } from '../text/escape-pattern.ts';

/**
 * Returns a statement without what can be left out of it: remarks in parentheses, reasons and further sentences. The
 * longest comes first. Writers add such details from their own knowledge. A piece that limits is never left out, because
 * the rest would then say more than the whole. A contrast, such as ", not Redis", may be left out only if the user
 * negated nothing.
 */
export function shorterStatements(
  statement: string,
  { mayDropContrast }: { mayDropContrast: boolean },
): string[] {
  const plain = withoutRemarks(statement);
  const start = mayDropContrast ? pieceOrContrastStart : pieceStart;
  const shorter = [plain, ...withoutPieces(statement, start), ...withoutPieces(plain, start)];
  return [...new Set(shorter)]
    .filter((text) => text.length < statement.length)
    .sort((a, b) => b.length - a.length);
}

/**
 * Returns the statement without a name that only specifies the noun after it: "the eBPF programs" are "the programs".
 * Undefined if the name is more than that.
 */
export function withoutName(statement: string, name: string): string | undefined {
  const specifying = new RegExp(
    `(?<=(?:^|(?<!\\p{L})(?:the|all|every|each|our|in|of|for|on))\\s*)${escapePattern(name)}\\s+(?=\\p{Ll}{3,})`,
    'giu',
  );
  const shorter = statement.replace(specifying, '');
  return shorter === statement ? undefined : shorter;
}

const withoutRemarks = (statement: string): string =>
  statement.replace(/\s*\(([^()]*)\)/gu, (remark, inner: string) => (limiting.test(inner) ? remark : ''));

function withoutPieces(statement: string, start: RegExp): string[] {
  const pieces = statement.split(start).filter((piece) => piece.trim() !== '');
  const optional = pieces.flatMap((piece, at) => (at > 0 && !limiting.test(piece) ? [at] : []));
  const without = (...left: number[]): string => joined(pieces.filter((_, at) => !left.includes(at)));
  return [
    ...optional.map((one) => without(one)),
    ...optional.flatMap((one, at) => optional.slice(at + 1).map((other) => without(one, other))),
    ...(optional.length > 2 ? [without(...optional)] : []),
  ];
}

const limiting =
  /(?<!\p{L})(?:except|unless|only|but|other than|apart from|if|when|until|provided|as long as|otherwise|else|außer|nur|sauf|salvo|solamente|кроме|только)(?!\p{L})/iu;

/** What begins with a semicolon, a new sentence, "because" or "which". What follows a colon is often the main point. */
const pieceStart =
  /(?=;\s)|(?<=[.!?])\s+(?=\p{Lu})|(?=,?\s(?:because|since(?!\s+(?:\p{N}|v\p{N}|last|the (?:start|beginning)))|so that|in order to|porque|weil|parce que)\s)|(?=,\s(?:which|who|where|so|and)\s)/u;
const contrastStart =
  /(?=,\s(?:not|no|never|nicht|kein\p{L}*|pas|не)\s)|(?=,?\s(?:rather than|instead of|statt|anstatt|au lieu de?|en vez de|вместо)\s)/u;
const pieceOrContrastStart = new RegExp(`${pieceStart.source}|${contrastStart.source}`, 'u');

function joined(pieces: string[]): string {
  const text = pieces
    .map((piece, at) => (at > 0 && /^[\p{L}\p{N}`"]/u.test(piece) ? ` ${piece}` : piece))
    .join('')
    .trim();
  return /[.!?]$/u.test(text) ? text : `${text.replace(/[,;:]$/u, '')}.`;
}
