import type { FileChange } from '../agents/agent.ts';
import type { KeptPiece } from '../domain/memo.ts';
import { isWholeFile } from '../domain/memo.ts';
import { fileLines, linesHash } from '../text/file-lines.ts';
import { roughTokens } from '../text/tokens.ts';
import { isPieceIn, type PieceInContext } from './context-contents.ts';

/**
 * The pieces of a file in an agent's context after its own edit: the pieces it had, with the edit applied. Pieces that
 * did not match the file before the edit are dropped. `onDisk` returns the file now, or undefined if it cannot be read.
 */
export function contextAfterEdit(
  change: FileChange,
  known: PieceInContext[],
  onDisk: () => string | undefined,
  key: string,
): KeptPiece[] {
  if (change.kind === 'written') {
    const lines = fileLines(change.text);
    return lines.length === 0 ? [] : [pieceOf(lines, 0, lines.length, key)];
  }
  if (known.length === 0) return [];
  const candidates = change.kind === 'texts' ? [change] : textsAround(onDisk(), change.blocks);
  const isKnown = ({ before }: { before: string }) =>
    known.some((piece) => isPieceIn(fileLines(before), piece, key));
  const texts = candidates.find(isKnown);
  if (texts === undefined) return [];
  const [before, after] = [fileLines(texts.before), fileLines(texts.after)];
  const region = changedRegion(before, after);
  return known.flatMap((piece) => {
    if (!isPieceIn(before, piece, key)) return [];
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

/** If the file contains the edit's new text more often than this, Backstory does not search for the edit's position. */
const maxPlaces = 20;

/**
 * Rebuilds the file as it was before the edit, by undoing the edit at every place where it may have been made. The
 * caller chooses the candidate that matches the pieces the agent had read. If another process changed the file at the
 * same time, none matches.
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
  let at = words === '' ? -1 : text.indexOf(words);
  while (at !== -1 && places.length <= maxPlaces) {
    places.push(at);
    at = text.indexOf(words, at + 1);
  }
  return places;
}

/**
 * The lines from the first difference to the last. `oldEnd` is their end before the edit, and `growth` how many lines the
 * edit added, less those it removed.
 */
function changedRegion(before: string[], after: string[]) {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from++;
  let same = 0;
  while (same < shorter - from && before.at(-1 - same) === after.at(-1 - same)) same++;
  return { from, oldEnd: before.length - same, growth: after.length - before.length };
}

/** The position of a piece after the edit; undefined if the piece starts or ends inside the changed region. */
function move(
  piece: PieceInContext,
  { from, oldEnd, growth }: ReturnType<typeof changedRegion>,
): { from: number; to: number } | undefined {
  const first = piece.startLine - 1;
  const end = first + piece.lines;
  const start = first <= from ? first : first >= oldEnd ? first + growth : undefined;
  const stop = end >= oldEnd ? end + growth : end <= from ? end : undefined;
  return start === undefined || stop === undefined ? undefined : { from: start, to: stop };
}
