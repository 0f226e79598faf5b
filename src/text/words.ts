import { createRecentResults } from '../base/recent-results.ts';
import { foreignStopWords } from './foreign-stop-words.ts';
import { stem } from './stem.ts';

/** One tokenizer serves every store and unindexed events, so that a query has the same matches everywhere. */
export interface Terms {
  /** Stemmed words, in order. */
  words: string[];
  /** Parts of identifiers, paths and dotted names, in order. */
  idents: string[];
}

const token = /[\p{L}\p{N}_$]+(?:[.\-/\\:][\p{L}\p{N}_$]+)*/gu;
/** Equivalent to `token` for ASCII text, and faster. */
const plainToken = /[A-Za-z0-9_$]+(?:[.\-/\\:][A-Za-z0-9_$]+)*/g;
const foreign = /[^\x00-\x7f]/;
const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const maxTermLength = 64;
const maxTokenLength = 400;

export function termsOf(text: string): Terms {
  const terms: Terms = { words: [], idents: [] };
  // Unicode normalisation is needed only for non-ASCII text. Most text is ASCII, and testing for that is cheaper.
  const plain = foreign.test(text) ? text.normalize('NFKC') : text;
  for (const raw of plain.match(foreign.test(plain) ? token : plainToken) ?? []) {
    if (raw.length > maxTokenLength) continue;
    const known = pieces.get(raw);
    if (known !== undefined || !parted.test(raw)) {
      add(terms, known ?? learnPiece(raw), false);
      continue;
    }
    // Whole paths seldom repeat, but their parts do, so only the parts are cached.
    const parts = raw.split(parted).filter((part) => part !== '');
    for (const part of parts) add(terms, pieceOf(part), parts.length > 1);
  }
  return terms;
}

const parted = /[.\-/\\:]/;

/** The terms of one token without separators. */
interface Piece {
  words: string[];
  parts: string[];
  /** An identifier of several parts, such as `retryCount`. Its parts are terms even if it is not in a path. */
  isCompound: boolean;
}

function add(terms: Terms, { words, parts, isCompound }: Piece, isWithOthers: boolean): void {
  for (const word of words) terms.words.push(word);
  if (isCompound || isWithOthers) for (const part of parts) terms.idents.push(part);
}

/** A few thousand tokens make up nearly all text, so their terms are cached. */
const pieces = createRecentResults<Piece>(20_000);

const pieceOf = (raw: string): Piece => pieces.get(raw) ?? learnPiece(raw);

const learnPiece = (raw: string): Piece => pieces.compute(raw, takeApart);

const plainWord = /^[a-z]+$/;

/** Removes the accents of Latin letters, which many people do not type: "migración" and "migracion" are one word. */
const withoutLatinAccents = (word: string): string =>
  word
    .normalize('NFD')
    .replace(/([a-z])[\u0300-\u036f]+/gi, '$1')
    .normalize('NFC')
    .replaceAll('ß', 'ss');

function takeApart(written: string): Piece {
  const isForeign = foreign.test(written);
  // Tested second, because the first use of a pattern with Unicode sets takes a hook a millisecond.
  if (isForeign && cjk.test(written)) return { words: pairsOf(written), parts: [], isCompound: false };
  const raw = isForeign ? withoutLatinAccents(written) : written;
  const isShort = (term: string): boolean => term.length <= maxTermLength;
  const words = [stem(raw.toLowerCase())].filter(isShort);
  if (plainWord.test(raw)) return { words, parts: words, isCompound: false };
  const parts = splitIdentifier(raw);
  return { words, parts: parts.map(stem).filter(isShort), isCompound: parts.length > 1 };
}

/** Chinese, Japanese and Korean are written without spaces, so text is indexed as overlapping bigrams. */
function pairsOf(piece: string): string[] {
  const letters = [...piece.toLowerCase()];
  if (letters.length < 2) return letters;
  return letters.slice(0, -1).map((letter, at) => letter + letters[at + 1]);
}

/** `parseHTTPResponse2` → parse, http, response, 2; `retry_backoff` → retry, backoff. */
export function splitIdentifier(name: string): string[] {
  return (foreign.test(name) ? spacedForeign(name) : spaced(name))
    .split(/[\s_$]+/)
    .filter((part) => part !== '')
    .map((part) => part.toLowerCase());
}

const spacedForeign = (name: string): string =>
  name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/(\p{L})(\p{N})/gu, '$1 $2');

/** Equivalent to `spacedForeign` for ASCII text, and faster. */
const spaced = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replace(/([A-Za-z])([0-9])/g, '$1 $2');

/** Stop words of English, including the halves of "don't" and "it's", of Russian and of other languages. */
export const stopWords: ReadonlySet<string> = new Set([
  ...`a about above after again all also am an and any are as at be because been before being below between both but by
  can could d did didn do does doesn doing don done down during each few for from further get got had has have having
  he her here hers him his how i if in into is isn it its just kind let like ll m many may me might more most much my
  no nor not now of off on once one only or other our ours out over own re s same she should so some such t tell than
  that the their theirs them then there these they this those through to too type under until up us use used using ve
  very was wasn we were what when where which while who whom why will with would you your yours
  а без бы был была были было в вам вас весь во вот все всего вы где да для до его ее если есть еще же за и из или им
  их к как когда кто ли мне мой мы на над нам нас не него нее нет ни них но ну о об он она они оно от по под при с со
  так также такой там те тем то того тоже только том тот ты у уже чем что чтобы эта эти это этот я`.split(
    /\s+/,
  ),
  ...foreignStopWords,
]);

const maxQueryTerms = 64;

export interface FoundTerms {
  /** Positions of each term among the words of the text, from 0, ascending. */
  places: Map<string, number[]>;
  idents: string[];
  length: number;
}

/** Finds the terms of a query in many texts. */
export function createTermFinder(terms: Iterable<string>): (text: string) => FoundTerms {
  const asked = new Set(terms);
  return (text) => {
    const { words, idents } = termsOf(text);
    const found = [...words.entries()].filter(([, word]) => asked.has(word));
    const places = Map.groupBy(found, ([, word]) => word);
    return {
      places: new Map([...places].map(([word, own]) => [word, own.map(([at]) => at)])),
      idents: idents.filter((part) => asked.has(part)),
      length: words.length + idents.length,
    };
  };
}

export function hasTerms(text: string, terms: string[]): boolean {
  const { words, idents } = termsOf(text);
  const own = new Set([...words, ...idents]);
  return terms.every((term) => own.has(term));
}

export function queryTerms(question: string) {
  const { words, idents } = termsOf(question.slice(0, 10_000));
  const all = [...new Set([...words, ...idents])];
  const contentTerms = all.filter((term) => !isStopWord(term));
  const chosen = contentTerms.length > 0 ? contentTerms : all;
  const whole = new Set(words);
  return {
    terms: chosen.slice(0, maxQueryTerms),
    /** How many of the terms are whole words of the question. The other terms are parts of its identifiers. */
    words: chosen.filter((term) => whole.has(term)).length,
    /** True if the question consists only of stop words, which were then kept as terms. */
    isCommon: contentTerms.length === 0,
  };
}

/** Stems of stop words that differ from the word. Precomputed, because stemming them would slow down every start. */
export const stopStems: ReadonlySet<string> = new Set(
  `abov alguno alor ander apena aunqu autr avon becaus befor cett chaqu darub depoi depui desd dess dest
  dies doe dond durant dure einig ell ello encor entonc entr ess estamo estoi etr etwa hatt hemo jamai
  konnt laquel lor lorsqu mai mani mientra nosotro notr nou ohn onc ond onli plusieur porqu pue pui puisqu
  quai quell quelqu sempr siempr sobr sollt somm somo sou sui temo thei thi tien tou toujour tra ust vamo
  veri votr vou welch werd wurd адж вес вон всь дуж завжд когд лиш маю мен мож наві нем ніко ніч пок післ
  сам себ соб такж тоб тод тож тольк треб хоч чтоб щод яко якщ інш`.split(/\s+/),
);

/** Accepts a word or the stem of one. */
export const isStopWord = (word: string): boolean => stopWords.has(word) || stopStems.has(word);
