import type { Clock } from '../base/clock.ts';
import type { SymbolCoverage } from '../wire/answers/code.ts';
import type { Checkout } from './checkout.ts';
import { type FilesWithName, type FileWithName, findFilesWithName } from './files-with-name.ts';
import type { ParsedFile, ParseThread } from './parse-thread.ts';
import { grammarOfName } from './symbols/grammars.ts';
import { kindOfKeyword } from './symbols/line-symbols.ts';
import { bareName, matchesName, parseName, type QualifiedName } from './symbols/names.ts';
import type { CodeSymbol, SymbolKind } from './symbols/symbol.ts';

export interface SymbolSearch {
  /** `name`, `Class.method`, `pkg.Func`, `mod::f`. */
  name: string;
  path?: string | undefined;
  limit: number;
  offset: number;
  deadlineMs: number;
}

export interface Definition extends CodeSymbol {
  path: string;
  /** Found only by the text of its line, because there is no parser for the file. */
  isGuess: boolean;
}

export interface SymbolAnswer extends Pick<FilesWithName, 'isComplete' | 'route' | 'state'> {
  timedOut: boolean;
  nextOffset: number | undefined;
  coverage: SymbolCoverage;
}

/** How long the search continues after the first result, by how likely the remaining files are to define the name. */
const extraSearchMs = [250, 750, 3_000];
/** Maximum number of definitions to return. More of one name are of no use. */
const maxDefinitions = 2_000;

export async function findDefinitions(
  checkout: Checkout,
  search: SymbolSearch,
  thread: ParseThread,
  clock: Clock,
) {
  const wantedName = parseName(search.name);
  const deadline = clock.now() + search.deadlineMs;
  const find = async (ignoreCase: boolean) => {
    const filter = { word: bareName(wantedName.word), ignoreCase, path: search.path };
    const named = await findFilesWithName(checkout, filter, deadline, clock);
    const read = await readFiles(checkout.root, named, wantedName, thread, deadline, clock);
    return answer(search, named, read, deadline <= clock.now(), ignoreCase);
  };
  const exact = await find(false);
  return exact.total === 0 && clock.now() < deadline ? find(true) : exact;
}

function answer(
  { offset, limit }: SymbolSearch,
  { isComplete, route, state }: FilesWithName,
  { definitions, coverage }: Read,
  timedOut: boolean,
  isFolded: boolean,
) {
  const ranked: Definition[] = definitions.sort(byRank).map(({ tier: _, ...definition }) => definition);
  return {
    definitions: ranked.slice(offset, offset + limit),
    total: ranked.length,
    // No exact match: the names differ from the wanted one in case.
    isFolded: isFolded && ranked.length > 0,
    isComplete: isComplete && coverage.notRead === 0,
    timedOut,
    nextOffset: ranked.length > offset + limit ? offset + limit : undefined,
    coverage,
    route,
    state,
  };
}

type Ranked = Definition & { tier: number };

interface Read {
  definitions: Ranked[];
  coverage: SymbolCoverage;
}

async function readFiles(
  root: string,
  { files }: FilesWithName,
  wantedName: QualifiedName,
  thread: ParseThread,
  deadline: number,
  clock: Clock,
): Promise<Read> {
  const coverage: SymbolCoverage = { filesWithName: files.length, parsed: 0, byLines: 0, notRead: 0 };
  const definitions: Ranked[] = [];
  let foundAt = Number.POSITIVE_INFINITY;
  for (const [at, file] of files.entries()) {
    const until = Math.min(deadline, foundAt + (extraSearchMs[file.likelihood] as number));
    if (clock.now() > until || definitions.length >= maxDefinitions) {
      coverage.notRead = files.length - at;
      break;
    }
    const parsed = await parseIfPossible(root, file.path, thread, { deadline, only: wantedName });
    const found = isParsed(parsed) ? parsed.symbols : guesses(file, wantedName);
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

/** Skips the thread for languages without a parser. */
export async function parseIfPossible(
  root: string,
  path: string,
  thread: ParseThread,
  request: { deadline: number; only?: QualifiedName; uses?: string },
): Promise<ParsedFile | undefined> {
  return grammarOfName(path) === undefined ? undefined : thread.parse({ root, path, ...request });
}

function guesses({ path, defining }: FileWithName, wantedName: QualifiedName): CodeSymbol[] {
  const symbols = defining.map(
    ({ line, column, text }): CodeSymbol => ({
      name: wantedName.word,
      kind: kindOnLine(text),
      container: '',
      startLine: line,
      endLine: line,
      line,
      column,
      signature: text.trim().slice(0, 200),
    }),
  );
  return symbols.filter((symbol) => matchesName(path, symbol, wantedName));
}

function kindOnLine(text: string): SymbolKind {
  if (/^\s*#\s*define\b/.test(text)) return 'macro';
  const keyword = /\b(class|struct|enum|interface|trait|type|module|namespace)\b/.exec(text)?.[1];
  return kindOfKeyword[keyword ?? ''] ?? (/\b(?:const|let|var|val)\b/.test(text) ? 'variable' : 'function');
}

const weights = new Map<SymbolKind, number>([
  ['field', 1],
  ['member', 1],
  ['variable', 1],
  ['declaration', 2],
  ['heading', 3],
]);

/** Sources before tests and generated or vendored files; within these, definitions before declarations. */
function byRank(a: Ranked, b: Ranked): number {
  return (
    a.tier - b.tier ||
    (weights.get(a.kind) ?? 0) - (weights.get(b.kind) ?? 0) ||
    Number(a.isGuess) - Number(b.isGuess) ||
    (a.path < b.path ? -1 : a.path > b.path ? 1 : 0) ||
    a.line - b.line
  );
}
