import { join } from 'node:path';
import { createFolderGuard } from '../base/checkout-file.ts';
import { AppError } from '../base/errors.ts';
import type { CodeLines } from '../wire/answers/code.ts';
import type { Checkout } from './checkout.ts';
import { resolvePath } from './outline.ts';
import { insideRoot } from './path-filter.ts';
import { readSourceFile } from './source-file.ts';

export interface LinesSearch {
  /** The path of a file, or the end of it if that is unique. */
  path: string;
  /** Number of the first line, from 1. */
  from: number;
  to: number;
}

/** Reads lines of the current file. Only searchable files can be read, never ignored ones. */
export function readLines(checkout: Checkout, { path: given, from, to }: LinesSearch): Promise<CodeLines> {
  const requested = insideRoot(given);
  return checkout.use(async (view) => {
    const path = resolvePath(view, requested);
    const isInside = createFolderGuard(checkout.root)(path);
    const file = isInside ? readSourceFile(join(checkout.root, path)) : undefined;
    if (file?.kind !== 'text') {
      throw new AppError('NOT_FOUND', `${path} is not a text file`, {
        hint: 'backstory search --files NAME',
      });
    }
    const all = file.bytes.toString('utf8').split('\n');
    const lineCount = all.at(-1) === '' ? all.length - 1 : all.length;
    return { path, from, lines: all.slice(from - 1, Math.min(to, lineCount)), lineCount };
  });
}
