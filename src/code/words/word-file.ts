import { closeSync, existsSync, fstatSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../base/files.ts';
import { type FileStamp, isSameStamp, readFully } from '../../base/plain-file.ts';
import type { Segment } from '../index/segment.ts';
import { createSourceReader, type SourceFile } from '../source-file.ts';
import { type CodeView, filesOf, isSearched, type ViewPart } from '../view.ts';
import { type FileWords, hasMeaningfulWords, wordsOfFile } from './file-words.ts';
import type { GoalWords } from './goal-words.ts';
import { WordMatcher } from './match-words.ts';
import { WordCounter } from './word-keys.ts';

/**
 * The words of a segment's files, stored next to it: a magic number, the number of files, the start of each file's
 * words, all words. Any process that needs a word file creates it: the same segment gives the same bytes.
 */
const nameOf = (folder: string, { entry }: Segment): string => join(folder, `${entry.file}.words`);
const magic = 0x31575342;
const headWords = 2;

export const hasWordFile = (folder: string, segment: Segment): boolean => existsSync(nameOf(folder, segment));

export function writeWordFile(
  root: string,
  folder: string,
  part: ViewPart,
  onProgress?: (done: number, total: number) => void,
): void {
  const { segment } = part;
  const count = segment.entry.files;
  const starts = new Uint32Array(count + 1);
  const records: FileWords[] = [];
  const counter = new WordCounter();
  const read = createSourceReader(root);
  for (let file = 0; file < count; file++) {
    if (file % 256 === 0) onProgress?.(file, count);
    const path = segment.pathOf(file);
    const words = isSearched(part, file) ? wordsOf(path, read(path), counter, segment.stampOf(file)) : none;
    records.push(words);
    starts[file + 1] = (starts[file] as number) + words.length;
  }
  const bytes = new Uint32Array(headWords + starts.length + (starts[count] as number));
  bytes.set([magic, count]);
  bytes.set(starts, headWords);
  records.forEach((words, file) => {
    bytes.set(words, headWords + starts.length + (starts[file] as number));
  });
  replaceFile(nameOf(folder, segment), new Uint8Array(bytes.buffer));
}

const none: FileWords = new Uint32Array(0);

/** The words of a file; none if it has changed since it was `indexed`: queries read it until it is indexed again. */
function wordsOf(path: string, file: SourceFile, counter: WordCounter, indexed?: FileStamp): FileWords {
  if (file.kind !== 'text' || !hasMeaningfulWords(path, file.bytes.length)) return none;
  return indexed === undefined || isSameStamp(file.stamp, indexed) ? wordsOfFile(file.bytes, counter) : none;
}

const windowBytes = 4 * 1024 * 1024;

/** Visits the words of each file; returns false if there is no valid word file. */
function eachFileWords(
  folder: string,
  segment: Segment,
  visit: (file: number, words: FileWords) => void,
): boolean {
  let fd: number;
  try {
    fd = openSync(nameOf(folder, segment), 'r');
  } catch {
    return false;
  }
  try {
    const count = segment.entry.files;
    const head = new Uint32Array(readWords(fd, 0, headWords + count + 1));
    const starts = head.subarray(headWords);
    const firstByte = head.length * 4;
    const isWhole =
      head[0] === magic &&
      head[1] === count &&
      fstatSync(fd).size === firstByte + (starts[count] as number) * 4;
    if (!isWhole) return false;
    for (let file = 0; file < count; ) {
      // Read the words of as many files at once as fit into the buffer, at least of one.
      let end = file + 1;
      while (end < count && ((starts[end + 1] as number) - (starts[file] as number)) * 4 <= windowBytes)
        end++;
      const from = starts[file] as number;
      const words = readWords(fd, firstByte + from * 4, (starts[end] as number) - from);
      for (; file < end; file++)
        visit(file, words.subarray((starts[file] as number) - from, (starts[file + 1] as number) - from));
    }
    return true;
  } finally {
    closeSync(fd);
  }
}

function readWords(fd: number, offset: number, count: number): Uint32Array {
  const words = new Uint32Array(count);
  readFully(fd, Buffer.from(words.buffer), offset);
  return words;
}

/** Matches a goal with the word files of the segments, and with all other files themselves. */
export function matchCheckout(view: CodeView, folder: string, goal: GoalWords): WordMatcher {
  const matcher = new WordMatcher(goal);
  const counter = new WordCounter();
  const readFile = createSourceReader(view.root);
  const read = (path: string): void => matcher.add(path, wordsOf(path, readFile(path), counter));
  for (const part of view.parts) {
    const isKnown = eachFileWords(folder, part.segment, (file, words) => {
      if (isSearched(part, file)) matcher.add(part.segment.pathOf(file), words);
    });
    if (!isKnown) for (const { file, path } of filesOf(part)) if (isSearched(part, file)) read(path);
  }
  for (const path of view.live) read(path);
  return matcher;
}
