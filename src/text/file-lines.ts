import { sha256 } from '../base/ids.ts';

/** Lines as agents see them: without byte order mark, CR, or an empty line after the last newline. */
export function fileLines(text: string): string[] {
  const plain = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const lines = (plain.includes('\r') ? plain.replaceAll('\r\n', '\n') : plain).split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** A hash keyed by a device's secret. Without the key, nobody can test a guess of what the lines are. */
export const linesHash = (key: string, lines: string[]): string =>
  sha256(`${key}\0${lines.length}\0${lines.join('\n')}`).slice(0, 32);
