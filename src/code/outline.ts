import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { unicodeForms } from '../base/unicode-forms.ts';
import type { Checkout } from './checkout.ts';
import { pathsWithWords } from './find-files.ts';
import type { ParseThread } from './parse-thread.ts';
import { insideRoot } from './path-filter.ts';
import { type CodeView, knowsPath } from './view.ts';

export interface OutlineSearch {
  /** The path of a file, or the end of it if that is unique. */
  path: string;
  deadlineMs: number;
}

export async function outlineFile(
  checkout: Checkout,
  { path: given, deadlineMs }: OutlineSearch,
  thread: ParseThread,
  clock: Clock,
) {
  const deadline = clock.now() + deadlineMs;
  const requested = insideRoot(given);
  const { path, state } = await checkout.use(async (view, now) => ({
    path: resolvePath(view, requested),
    state: now,
  }));
  const file = await thread.parse({ root: checkout.root, path, deadline });
  if (file.kind !== 'text') throw unreadable(path, file.kind);
  const { kind: _, occurrences: __, tokens: ___, ...found } = file;
  return { ...found, path, state };
}

/** Resolves a path to a searchable file; ignored files have no outline. */
export function resolvePath(view: CodeView, requested: string): string {
  const forms = unicodeForms(requested);
  const known = [requested, ...forms].find((form) => knowsPath(view, form));
  if (known !== undefined) return known;
  const ending = pathsWithWords(view, [requested.toLowerCase()]).filter((path) =>
    forms.some((form) => path.endsWith(`/${form}`)),
  );
  const [only] = ending;
  if (only !== undefined && ending.length === 1) return only;
  const choices = ending.slice(0, 5).join(', ');
  throw new AppError(
    'NOT_FOUND',
    ending.length === 0 ? `no such file in this checkout: ${requested}` : `several files match ${requested}`,
    {
      hint:
        ending.length === 0
          ? 'Find it with find_files or `backstory search --files`; files that git ignores are not searched'
          : `Use a longer path: ${choices}`,
    },
  );
}

export function unreadable(path: string, kind: 'binary' | 'large' | 'absent' | 'late'): AppError {
  const why = {
    binary: 'is binary',
    large: 'is too large',
    absent: 'does not exist or cannot be read',
    late: 'could not be parsed in time',
  };
  return new AppError('NOT_FOUND', `${path} ${why[kind]}`, {
    hint: kind === 'late' ? 'Search in it with search_content instead' : 'Give the path of a source file',
    retryable: kind === 'late',
  });
}
