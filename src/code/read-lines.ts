import { join } from 'node:path';
import { createFolderGuard } from '../base/checkout-file.ts';
import { AppError } from '../base/errors.ts';
import type { Checkout } from './checkout.ts';
import { pathIn } from './outline.ts';
import { insideRoot } from './path-filter.ts';
import { readSourceFile } from './source-file.ts';

export interface LinesSearch {
  /** The path of a file, or its end where only one file ends so. */
  path: string;
  /** From 1. */
  from: number;
  to: number;
}

export interface LinesAnswer {
  path: string;
  from: number;
  lines: string[];
  /** Of the whole file. */
  lineCount: number;
}

/** Lines of a file as it is now; only of files that a search would look at, so never of what git ignores. */
export function readLines(checkout: Checkout, { path: given, from, to }: LinesSearch): Promise<LinesAnswer> {
  const asked = insideRoot(given);
  return checkout.use(async (view) => {
    const path = pathIn(view, asked);
    const isInside = createFolderGuard(checkout.root)(path);
    const file = isInside ? readSourceFile(join(checkout.root, path)) : undefined;
    if (file?.kind !== 'text') {
      throw new AppError('NOT_FOUND', `${path} cannot be shown as text`, { hint: 'backstory files NAME' });
    }
    const all = file.bytes.toString('utf8').split('\n');
    const lineCount = all.at(-1) === '' ? all.length - 1 : all.length;
    return { path, from, lines: all.slice(from - 1, Math.min(to, lineCount)), lineCount };
  });
}
