import type { FileChange } from '../agents/agent.ts';
import type { KeptPiece } from '../domain/memo.ts';
import { isWholeFile } from '../domain/memo.ts';
import { fileLines, linesHash } from '../text/file-lines.ts';
import { roughTokens } from '../text/tokens.ts';
import type { PieceInContext } from './context-contents.ts';
import { standsIn } from './freshness.ts';

/**
 * What an agent knows of a file after its own edit: the pieces it held, if they were right, with the edit in them.
 * `onDisk` is the file now; undefined when it is not to be had.
 */
export function contextAfterEdit(
  change: FileChange,
  held: PieceInContext[],
  onDisk: () => string | undefined,
  key: string,
): KeptPiece[] {
  if (change.kind === 'written') {
    const lines = fileLines(change.text);
    return lines.length === 0 ? [] : [pieceOf(lines, 0, lines.length, key)];
  }
  if (held.length === 0) return [];
  const candidates = change.kind === 'texts' ? [change] : textsAround(onDisk(), change.blocks);
  const isKnown = ({ before }: { before: string }) =>
    held.some((piece) => standsIn(fileLines(before), piece, key));
  const texts = candidates.find(isKnown);
  if (texts === undefined) return [];
  const [before, after] = [fileLines(texts.before), fileLines(texts.after)];
  const region = changedRegion(before, after);
  return held.flatMap((piece) => {
    if (!standsIn(before, piece, key)) return [];
    const moved = isWholeFile(piece) ? { from: 0, to: after.length } : move(piece, region);
    if (moved === undefined || moved.to <= moved.from) return [];
    const kept = pieceOf(after, moved.from, moved.to, key);
    return [{ ...kept, was: piece.hash }];
  });
}

function pieceOf(file: string[], from: number, to: number, key: string): KeptPiece {
  const lines = file.slice(from, to);
  const isWhole = from === 0 && to === file.length;
  return {
    startLine: from + 1,
    lines: lines.length,
    ...(isWhole ? { total: file.length } : {}),
    hash: linesHash(key, lines),
    tokens: roughTokens(lines.join('\n')),
  };
}

/** Where the same words stand more often, which of them are the new ones is not worth finding out. */
const maxPlaces = 20;

/**
 * The file before the edit, by taking the edit back, wherever it may have been: the right place is the one that gives
 * what was known. Should somebody else have changed the file in the same moment, none does, and nothing is kept.
 */
function textsAround(
  after: string | undefined,
  blocks: { now: string; before: string }[],
): { before: string; after: string }[] {
  if (after === undefined) return [];
  let befores = [after.replaceAll('\r\n', '\n')];
  for (const block of blocks.toReversed()) {
    befores = befores.flatMap((text) =>
      placesOf(block.now, text).map(
        (at) => text.slice(0, at) + block.before + text.slice(at + block.now.length),
      ),
    );
    if (befores.length > maxPlaces) return [];
  }
  return befores.map((before) => ({ before, after }));
}

function placesOf(words: string, text: string): number[] {
  const places: number[] = [];
  if (words === '') return places;
  for (
    let at = text.indexOf(words);
    at !== -1 && places.length <= maxPlaces;
    at = text.indexOf(words, at + 1)
  )
    places.push(at);
  return places;
}

interface Region {
  from: number;
  /** In the lines before and in the lines after. */
  oldEnd: number;
  grown: number;
}

/** From the first line that differs to the last. */
function changedRegion(before: string[], after: string[]): Region {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from++;
  let same = 0;
  while (same < shorter - from && before.at(-1 - same) === after.at(-1 - same)) same++;
  return { from, oldEnd: before.length - same, grown: after.length - before.length };
}

/** Where the lines of a piece stand after the edit; undefined when the piece begins or ends within what changed. */
function move(
  piece: PieceInContext,
  { from, oldEnd, grown }: Region,
): { from: number; to: number } | undefined {
  const first = piece.startLine - 1;
  const end = first + piece.lines;
  const start = first <= from ? first : first >= oldEnd ? first + grown : undefined;
  const stop = end >= oldEnd ? end + grown : end <= from ? end : undefined;
  return start === undefined || stop === undefined ? undefined : { from: start, to: stop };
}
