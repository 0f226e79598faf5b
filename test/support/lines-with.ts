import { systemClock } from '../../src/base/clock.ts';
import type { Checkout } from '../../src/code/checkout.ts';
import { createFinder } from '../../src/code/pattern/finder.ts';
import { searchLines } from '../../src/code/search-lines.ts';
import { hangMs } from './until.ts';

/** `path:line` of every line with this text, sorted. */
export const linesWith = (checkout: Checkout, text: string, deadlineMs = hangMs): Promise<string[]> =>
  checkout.use(async (view) => {
    const finder = createFinder({
      text,
      mode: 'literal',
      ignoreCase: false,
      wholeWord: false,
    });
    const untilMs = systemClock.now() + deadlineMs;
    const search = { finder, maxLines: Number.POSITIVE_INFINITY, untilMs };
    const { files } = await searchLines(view, search, systemClock);
    return files.flatMap(({ path, hits }) => hits.map(({ line }) => `${path}:${line}`)).sort();
  });
