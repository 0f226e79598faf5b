import { estimateTokens } from '../text/tokens.ts';
import { truncateLine } from '../text/truncate-line.ts';
import { withoutColour, wrap } from '../text/wrap.ts';

/** The size of a default answer: one screen, and little of an agent's context. */
export const pageSize = { lines: 25, columns: 100, tokens: 900 };

/** A hit on a page: the passage of its text that matters, and below it who said it, when, and whether it still holds. */
export interface PageEntry {
  text: string;
  about: string;
}

/** How many lines of text each hit gets before another hit is added. More text of a good hit answers more questions. */
const minTextLines = 3;

/** Cuts entries to what is left of a page beside `rest`, the lines around them. The last entries may be left out. */
export function fitPage(entries: PageEntry[], rest: string, size: typeof pageSize): string[] {
  const linesOf = (text: string): number => wrap(text, size.columns).split('\n').length;
  const shown: { entry: PageEntry; lines: number; needed: number }[] = [];
  let left = size.lines - linesOf(rest);
  for (const entry of entries) {
    const needed = linesOf(entry.text);
    const lines = Math.min(minTextLines, needed);
    const cost = lines + linesOf(entry.about);
    if (cost > left && shown.length > 0) break;
    left -= cost;
    shown.push({ entry, lines, needed });
  }
  for (; left > 0; left -= 1) {
    const [shortest] = shown.filter(({ lines, needed }) => lines < needed).sort((a, b) => a.lines - b.lines);
    if (shortest === undefined) break;
    shortest.lines += 1;
  }
  const page = () => shown.map(({ entry, lines }) => `${cutTo(entry.text, lines, size)}\n${entry.about}`);
  while (shown.length > 1 && estimateTokens(withoutColour([rest, ...page()].join('\n'))) > size.tokens) {
    const longest = shown.reduce((a, b) => (b.lines >= a.lines ? b : a));
    if (longest.lines > minTextLines) longest.lines -= 1;
    else shown.pop();
  }
  return page();
}

function cutTo(text: string, lines: number, { columns }: typeof pageSize): string {
  let cut = text;
  for (let limit = text.length; wrap(cut, columns).split('\n').length > lines; ) {
    limit = Math.floor(limit * 0.97);
    cut = truncateLine(text, limit);
  }
  return cut;
}
