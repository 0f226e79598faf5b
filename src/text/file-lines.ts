import { sha256 } from '../base/ids.ts';

/** The lines of a file as agents are shown them: whichever line ends it has, and without the emptiness after the last. */
export function fileLines(text: string): string[] {
  const plain = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  const lines = (plain.includes('\r') ? plain.replaceAll('\r\n', '\n') : plain).split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** 128 bits that say nothing about the lines to somebody without the key. */
export const linesHash = (key: string, lines: string[]): string =>
  sha256(`${key}\0${lines.length}\0${lines.join('\n')}`).slice(0, 32);
