import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { Checkout, CheckoutState } from './checkout.ts';
import { pathsWithWords } from './find-files.ts';
import type { ParseThread } from './parse-thread.ts';
import { insideRoot } from './path-filter.ts';
import type { FileSymbols } from './symbols/symbol-reader.ts';
import { type CodeView, knowsPath } from './view.ts';

export interface OutlineSearch {
  /** The path of a file, or its end where only one file ends so. */
  path: string;
  deadlineMs: number;
}

export interface OutlineAnswer extends FileSymbols {
  path: string;
  lineCount: number;
  state: CheckoutState;
  filesKnown: number;
}

export async function outlineFile(
  checkout: Checkout,
  { path: given, deadlineMs }: OutlineSearch,
  thread: ParseThread,
  clock: Clock,
): Promise<OutlineAnswer> {
  const deadline = clock.now() + deadlineMs;
  const asked = insideRoot(given);
  const { path, state, filesKnown } = await checkout.use(async (view, now) => ({
    path: pathIn(view, asked),
    state: now,
    filesKnown: now.indexedFiles + view.live.length,
  }));
  const file = await thread.parse({ root: checkout.root, path, deadline });
  if (file.kind !== 'text') throw unreadable(path, file.kind);
  const { kind: _, occurrences: __, ...found } = file;
  return { ...found, path, state, filesKnown };
}

/** Only what a search would look at: what git ignores has no outline either. */
export function pathIn(view: CodeView, asked: string): string {
  if (knowsPath(view, asked)) return asked;
  const ending = pathsWithWords(view, [asked.toLowerCase()]).filter((path) => path.endsWith(`/${asked}`));
  const [only] = ending;
  if (only !== undefined && ending.length === 1) return only;
  const choices = ending.slice(0, 5).join(', ');
  throw new AppError(
    'NOT_FOUND',
    `${asked} is ${ending.length === 0 ? 'no file' : 'not the only such file'} of this checkout`,
    {
      hint:
        ending.length === 0
          ? 'Find it with find_files or `backstory files`; what git ignores is left out'
          : `Say which: ${choices}`,
    },
  );
}

function unreadable(path: string, kind: 'binary' | 'large' | 'absent' | 'late'): AppError {
  const why = {
    binary: 'is binary',
    large: 'is too large to be read',
    absent: 'is gone, or cannot be read',
    late: 'could not be read in time',
  };
  return new AppError('NOT_FOUND', `${path} ${why[kind]}`, {
    hint: kind === 'late' ? 'Search in it with search_content instead' : 'Give the path of a source file',
    retryable: kind === 'late',
  });
}
