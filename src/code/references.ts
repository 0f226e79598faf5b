import type { Clock } from '../base/clock.ts';
import type { SymbolCoverage } from '../wire/answers/code.ts';
import type { Checkout } from './checkout.ts';
import { isParsed, parseIfPossible, type SymbolSearch } from './definition.ts';
import { type FileWithName, findFilesWithName } from './files-with-name.ts';
import type { ParsedFile, ParseThread } from './parse-thread.ts';
import { bareName, parseName } from './symbols/names.ts';
import type { Occurrence } from './symbols/occurrences.ts';

interface FileReferences {
  path: string;
  references: Occurrence[];
}

/** Without types, qualifiers cannot be checked, so only the last part of the name counts. */
export async function findReferences(
  checkout: Checkout,
  search: SymbolSearch,
  thread: ParseThread,
  clock: Clock,
) {
  const word = bareName(parseName(search.name).word);
  const deadline = clock.now() + search.deadlineMs;
  const filter = { word, ignoreCase: false, path: search.path };
  const named = await findFilesWithName(checkout, filter, deadline, clock);
  const wanted = search.offset + search.limit;
  const coverage: SymbolCoverage = { filesWithName: named.files.length, parsed: 0, byLines: 0, notRead: 0 };
  const found: FileReferences[] = [];
  let [total, skipped] = [0, 0];
  let isCut = false;
  for (const [at, file] of named.files.entries()) {
    if (clock.now() > deadline || total > wanted) {
      coverage.notRead = named.files.length - at;
      break;
    }
    const parsed = await parseIfPossible(checkout.root, file.path, thread, { deadline, uses: word });
    if (isParsed(parsed)) coverage.parsed++;
    else coverage.byLines++;
    const references = referencesIn(file, parsed);
    skipped += isParsed(parsed) ? (parsed.occurrences?.skipped ?? 0) : 0;
    isCut ||= isParsed(parsed) && parsed.occurrences?.isCut === true;
    total += references.length;
    if (references.length > 0) found.push({ path: file.path, references });
  }
  return {
    files: page(found, search.offset, search.limit),
    total,
    // In comments and strings of parsed files.
    skipped,
    lineCount: named.lineCount,
    isComplete: named.isComplete && coverage.notRead === 0 && !isCut,
    timedOut: clock.now() > deadline,
    nextOffset: total > wanted ? wanted : undefined,
    coverage,
    route: named.route,
    state: named.state,
  };
}

/** Returns what the parser found, or every line with the word if there is no parser. */
function referencesIn({ hits, defining }: FileWithName, parsed: ParsedFile | undefined): Occurrence[] {
  if (isParsed(parsed)) return parsed.occurrences?.found ?? [];
  const definitions = new Set(defining.map(({ line }) => line));
  return hits.map((hit) => ({ ...hit, role: definitions.has(hit.line) ? 'definition' : 'text', within: '' }));
}

function page(files: FileReferences[], offset: number, limit: number): FileReferences[] {
  let [skip, left] = [offset, limit];
  return files.flatMap(({ path, references }) => {
    const shown = references.slice(skip, skip + left);
    skip = Math.max(0, skip - references.length);
    left -= shown.length;
    return shown.length === 0 ? [] : [{ path, references: shown }];
  });
}
