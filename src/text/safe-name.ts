import { hashId } from '../base/hash.ts';
import { harmlessLine } from './fence.ts';

/**
 * Guards against prompt injection through names. The author of a pull request chooses the names of its branch and
 * files, and an agent sees those names without asking for them. So a name is shown only if it has plain characters, a
 * usual length, and does not read like a sentence. Otherwise a short id is shown instead.
 *
 * The rules are heuristics. They prefer hiding a long but honest name over showing an instruction.
 */
export const safeName = (kind: 'branch' | 'file' | 'project' | 'person', name: string): string =>
  isPlainName(name) ? name : `${kind}#${hashId(name).slice(0, 6)}`;

/**
 * The name of a file that was edited here. Blanks, accents and long words are shown too, in quotes, if the name does not
 * read like a sentence, and so is every name that the user typed. A name in another script can only be shown if the user
 * typed it, because these rules do not know its words.
 */
export function editedName(path: string, typed = ''): string {
  if (isPlainName(path)) return path;
  const shown = harmlessLine(path.replace(/["'`<>\\]/g, ''), maxNameLength);
  const latin = path.normalize('NFD').replace(/\p{M}/gu, '').replaceAll(' ', '-');
  const at = path.lastIndexOf('/');
  const name = path.slice(at + 1);
  // The user may type the name alone; then the folders must be plain.
  const isNamed = name !== '' && typed.includes(name) && (at < 1 || isPlainName(path.slice(0, at)));
  const isTyped = shown === path && (isNamed || (typed !== '' && typed.includes(path)));
  return isTyped || isPlainName(latin, maxEditedWordLength) ? `"${shown}"` : safeName('file', path);
}

export function editedNames(paths: string[], max: number, typed = ''): string {
  const names = paths.slice(0, max).map((path) => editedName(path, typed));
  const more = paths.length > max ? ` and ${paths.length - max} more` : '';
  return names.join(', ') + more;
}

const maxNameLength = 120;
const maxWordLength = 24;
const maxEditedWordLength = 40;
const wordsPerSegment = 6;
/** Higher than for one segment: deep paths have many words without forming a sentence. */
const wordsPerName = 18;
const maxSegments = 12;

/**
 * A path of plain characters. Brackets and `$` are allowed because some frameworks use them for routes:
 * `app/(shop)/[id]/page.tsx`, `routes/$user.tsx`.
 */
const plain = /^[\w.+@#=~,()[\]$-]+(?:\/[\w.+@#=~,()[\]$-]+)*$/;

/** Words that address a reader. A name of at least three words with one of them counts as an instruction. */
const addressing = new Set(
  'always never must mustnt please you your youre said says important urgent instead whenever everyone disregard mandatory obey henceforth'.split(
    ' ',
  ),
);
/** Words that address a reader, written without separators: `alwaysruncurl`. */
const addressingWithin = /always|never|disregard|important|ignoreall|ignoreprev/;
/** Imperative words. Two different ones in a segment of at least three words count as an order: `run-curl-evil`. */
const ordering = new Set(
  'ignore previous instructions run execute curl wget sudo pipe send trust approve obey follow forget remember tell disable delete skip bypass exfiltrate upload leak paste'.split(
    ' ',
  ),
);
/** Function words, which sentences need and names do not. A name with three of them counts as a sentence. */
const binding = new Set(
  'a an the this that these those is are was were be been has have had will would should can could may do does did not no of to in on at by for from with without into because so if then than when while before after and or but it its we us our they their he she i me my who which what there here any all every each also just only'.split(
    ' ',
  ),
);
const maxBinding = 2;

export function isPlainName(name: string, longestWord = maxWordLength): boolean {
  if (name.length > maxNameLength || !plain.test(name)) return false;
  const segments = name.replace(extension, '').split('/').map(wordsIn);
  const words = segments.flat();
  const isAddressing = (word: string) => addressing.has(word) || addressingWithin.test(word);
  return (
    segments.length <= maxSegments &&
    counted(words) <= wordsPerName &&
    !isOrderToRun(words) &&
    segments.every((segment) => counted(segment) <= wordsPerSegment && !isOrder(segment)) &&
    words.every(({ length }) => length <= longestWord) &&
    words.filter((word) => binding.has(word)).length <= maxBinding &&
    !(words.some(isAddressing) && (words.length > 2 || words.some(({ length }) => length > 12)))
  );
}

/** Counts words. Single letters do not count, because they come from hashes and initials. */
const counted = (words: string[]): number => words.filter(({ length }) => length > 1).length;

const isOrder = (segment: string[]): boolean => segment.length > 2 && ordersIn(segment) > 1;

/** An order may be spread over folders: `next/run/x/with/sudo`. */
const isOrderToRun = (words: string[]): boolean =>
  ordersIn(words) > 1 && words.some((word) => ['curl', 'wget', 'sudo'].includes(word));

const ordersIn = (words: string[]): number => new Set(words.filter((word) => ordering.has(word))).size;

const extension = /\.(?:d\.)?[a-z0-9]{1,4}$/i;

/** `PROJ-123-addUserLogin` → proj, add, user, login. */
const wordsIn = (segment: string): string[] =>
  (segment.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? []).map((word) => word.toLowerCase());
