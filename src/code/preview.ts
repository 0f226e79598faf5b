import { showHidden } from '../text/hidden-characters.ts';

const maxPreview = 200;
const beforeMatch = 60;

/** Returns the line, or the part around the match if it is long; hidden characters are made visible. */
export function previewOf(text: string, matchAt: number): string {
  const line = text.trimEnd();
  const indent = line.length - line.trimStart().length;
  if (line.length - indent <= maxPreview) return showHidden(line.slice(indent));
  const from = Math.max(indent, Math.min(matchAt - beforeMatch, line.length - maxPreview));
  const cut = line.slice(from, from + maxPreview - 2);
  return showHidden(`${from > indent ? '…' : ''}${cut}…`);
}
