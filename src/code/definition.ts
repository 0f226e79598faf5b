import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Checkout, CheckoutState } from './checkout.ts';
import { findNamedFiles, type NamedFile, type NamedFiles } from './named-files.ts';
import type { ParsedFile, ParseThread } from './parse-thread.ts';
import type { PathFilter } from './path-filter.ts';
import type { Route } from './search.ts';
import { grammarOfName } from './symbols/grammars.ts';
import { type AskedName, bareName, matchName, parseName } from './symbols/names.ts';
import type { CodeSymbol, SymbolKind } from './symbols/symbol.ts';

export interface SymbolSearch extends PathFilter {
  /** `name`, `Class.method`, `pkg.Func`, `mod::f`. */
  name: string;
  limit: number;
  offset: number;
  deadlineMs: number;
}

export interface Definition extends CodeSymbol {
  path: string;
  /** Known from a line alone: there is no parser for the file. */
  isGuess: boolean;
}

/** How much of what holds the name was looked at, and how. */
export interface SymbolCoverage {
  filesWithName: number;
  parsed: number;
  /** Files of languages without a parser, and those too large for it: judged by their lines. */
  byLines: number;
  /** Left out for lack of time, the least promising ones. */
  notRead: number;
}

/** What both questions about a name say beside their answer. */
export interface SymbolAnswer {
  /** False when something was left out; then there may be more. */
  isComplete: boolean;
  timedOut: boolean;
  nextOffset: number | undefined;
  coverage: SymbolCoverage;
  route: Route;
  state: CheckoutState;
  filesKnown: number;
}

export interface DefinitionAnswer extends SymbolAnswer {
  definitions: Definition[];
  total: number;
  /** Nothing has exactly this name; these differ in upper and lower case. */
  isFolded: boolean;
}

/** Once something is found, this long is spent on files that may define it too, by how likely that is. */
const patienceMs = [250, 750, 3_000];
/** So many definitions of one name are not read by anybody. */
const maxDefinitions = 2_000;

export async function findDefinitions(
  checkout: Checkout,
  search: SymbolSearch,
  thread: ParseThread,
  clock: Clock,
): Promise<DefinitionAnswer> {
  const asked = parseName(search.name);
  const deadline = clock.now() + search.deadlineMs;
  for (const ignoreCase of [false, true]) {
    const filter = { word: bareName(asked.word), ignoreCase, path: search.path, language: search.language };
    const named = await findNamedFiles(checkout, filter, deadline, clock);
    const read = await readFiles(checkout.root, named, asked, thread, deadline, clock);
    if (read.definitions.length === 0 && !ignoreCase && clock.now() < deadline) continue;
    return answer(search, named, read, deadline <= clock.now(), ignoreCase);
  }
  throw new AppError('BACKEND_FAILURE', 'the search did not end', {
    hint: 'Narrow it by path',
    retryable: true,
  });
}

function answer(
  { offset, limit }: SymbolSearch,
  { isComplete, route, state, filesKnown }: NamedFiles,
  { definitions, coverage }: Read,
  timedOut: boolean,
  isFolded: boolean,
): DefinitionAnswer {
  const ranked = definitions.sort(byRank).map(({ tier: _, ...definition }) => definition);
  return {
    definitions: ranked.slice(offset, offset + limit),
    total: ranked.length,
    isFolded: isFolded && ranked.length > 0,
    isComplete: isComplete && coverage.notRead === 0,
    timedOut,
    nextOffset: ranked.length > offset + limit ? offset + limit : undefined,
    coverage,
    route,
    state,
    filesKnown,
  };
}

type Ranked = Definition & { tier: number };

interface Read {
  definitions: Ranked[];
  coverage: SymbolCoverage;
}

async function readFiles(
  root: string,
  { files }: NamedFiles,
  asked: AskedName,
  thread: ParseThread,
  deadline: number,
  clock: Clock,
): Promise<Read> {
  const coverage: SymbolCoverage = { filesWithName: files.length, parsed: 0, byLines: 0, notRead: 0 };
  const definitions: Ranked[] = [];
  let foundAt = Number.POSITIVE_INFINITY;
  for (const [at, file] of files.entries()) {
    const until = Math.min(deadline, foundAt + (patienceMs[file.promise] as number));
    if (clock.now() > until || definitions.length >= maxDefinitions) {
      coverage.notRead = files.length - at;
      break;
    }
    const parsed = await parseIfPossible(root, file.path, thread, { deadline, only: asked });
    const found = isParsed(parsed) ? parsed.symbols : guesses(file, asked);
    if (isParsed(parsed)) coverage.parsed++;
    else coverage.byLines++;
    for (const symbol of found)
      definitions.push({ ...symbol, path: file.path, tier: file.tier, isGuess: !isParsed(parsed) });
    if (definitions.length > 0) foundAt = Math.min(foundAt, clock.now());
  }
  return { definitions, coverage };
}

export const isParsed = (
  file: ParsedFile | undefined,
): file is ParsedFile & { kind: 'text'; how: 'parsed' } => file?.kind === 'text' && file.how === 'parsed';

/** Files of languages without a parser need no thread to say so. */
export async function parseIfPossible(
  root: string,
  path: string,
  thread: ParseThread,
  request: { deadline: number; only?: AskedName; uses?: string },
): Promise<ParsedFile | undefined> {
  return grammarOfName(path) === undefined ? undefined : thread.parse({ root, path, ...request });
}

/** Lines that look like a definition, as far as a line can tell. */
function guesses({ path, defining }: NamedFile, asked: AskedName): CodeSymbol[] {
  const symbols = defining.map(
    ({ line, column, text }): CodeSymbol => ({
      name: asked.word,
      kind: kindOnLine(text),
      container: '',
      startLine: line,
      endLine: line,
      line,
      column,
      signature: text.trim().slice(0, 200),
    }),
  );
  return symbols.filter((symbol) => matchName(path, symbol, asked) !== undefined);
}

function kindOnLine(text: string): SymbolKind {
  if (/^\s*#\s*define\b/.test(text)) return 'macro';
  const keyword = /\b(class|struct|enum|interface|trait|type|module|namespace)\b/.exec(text)?.[1];
  if (keyword === undefined) return /\b(?:const|let|var|val)\b/.test(text) ? 'variable' : 'function';
  return keyword === 'namespace' ? 'module' : (keyword as SymbolKind);
}

const weights = new Map<SymbolKind, number>([
  ['field', 1],
  ['member', 1],
  ['variable', 1],
  ['declaration', 2],
  ['heading', 3],
]);

/** Sources before tests and what nobody here wrote; there, what is defined before what is only declared. */
function byRank(a: Ranked, b: Ranked): number {
  return (
    a.tier - b.tier ||
    (weights.get(a.kind) ?? 0) - (weights.get(b.kind) ?? 0) ||
    Number(a.isGuess) - Number(b.isGuess) ||
    (a.path < b.path ? -1 : a.path > b.path ? 1 : 0) ||
    a.line - b.line
  );
}
