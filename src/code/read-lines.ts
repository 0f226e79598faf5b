import type { CodeLines } from '../wire/answers/code.ts';
import type { Checkout } from './checkout.ts';
import { readSource } from './source.ts';

export interface LinesSearch {
  /** The path of a file, or the end of it if that is unique. */
  path: string;
  /** Number of the first line, from 1. */
  from: number;
  to: number;
}

/** Reads lines of the current file. Only searchable files can be read, never ignored ones. */
export async function readLines(
  checkout: Checkout,
  { path: given, from, to }: LinesSearch,
): Promise<CodeLines> {
  const { path, text } = await readSource(checkout, given);
  const all = text.split('\n');
  const lineCount = all.at(-1) === '' ? all.length - 1 : all.length;
  return { path, from, lines: all.slice(from - 1, Math.min(to, lineCount)), lineCount };
}
