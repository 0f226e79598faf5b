import { isAbsolute } from 'node:path';
import { entryAt } from '../base/checkout-file.ts';
import { isoTime } from '../base/clock.ts';
import type { Anchor, Drift, DriftState } from '../domain/anchor.ts';
import type { Note } from '../domain/note.ts';
import { checkAnchors } from '../drift/check-drift.ts';
import { type CheckedCode, CurrentCode } from '../drift/current-code.ts';
import { findAnchors } from '../drift/find-anchors.ts';
import { summarise } from '../drift/summarise.ts';
import { gitIn } from '../git/in-repository.ts';
import { readObjects } from '../git/objects.ts';
import { chunksOfNote } from '../recall/chunks.ts';
import { withEvidence } from '../recall/evidence.ts';
import { quickLimits, type RecallParts } from '../recall/with-index.ts';
import { fileLines, linesHash } from '../text/file-lines.ts';

/** A piece of code in one version of its file. */
export interface CodePiece {
  path: string;
  /** From 1. */
  startLine: number;
  text: string;
  commit?: string;
}

/** The code that a note was made for, and what stands there now. */
export interface NoteCode {
  path: string;
  state: DriftState;
  symbol?: string;
  /** The commit that changed it. */
  by?: string;
  past?: CodePiece;
  now?: CodePiece;
}

/** The checkout that a note is looked at in. */
export interface ShownCode {
  checked: CheckedCode;
  /** Lines of a file as it is now; undefined for what is not there and for what git ignores. */
  lines(path: string, span: Span): Promise<string[] | undefined>;
}

interface Span {
  from: number;
  to: number;
}

const maxPieces = 6;
const maxLines = 80;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * For people who look: the code a note is tied to, as it was when the note was made, beside the working tree. What has
 * become of it is told by drift, as everywhere else; here is only the text to see it by. A note that merely names files
 * is tied to nothing: they are shown from the top, and nothing is said of them.
 */
export async function codeOfNote(
  parts: RecallParts,
  { checked, lines }: ShownCode,
  note: Note,
): Promise<{ drift: Drift; code: NoteCode[] }> {
  const anchors = await anchorsOf(parts, note);
  const drifts = await checkAnchors(anchors, new CurrentCode(checked));
  const pieces = [
    ...anchors.map((anchor) => tied(anchor, drifts.get(anchor))),
    ...note.files.filter((path) => !anchors.some((anchor) => anchor.path === path)).map(named),
  ].filter(({ path }) => isInside(path));
  const shown = pieces.slice(0, maxPieces).map((piece) => withText(piece, note, { checked, lines }));
  return {
    drift: summarise([...drifts.values()]),
    code: (await Promise.all(shown)).filter((code) => code !== undefined),
  };
}

async function anchorsOf(parts: RecallParts, note: Note): Promise<Anchor[]> {
  const chunks = chunksOfNote(note, '').slice(0, 1);
  const ties = await withEvidence(parts, quickLimits, (evidence) => findAnchors(chunks, evidence));
  return [...ties.values()].flatMap(({ anchors }) => anchors);
}

const isInside = (path: string): boolean =>
  path !== '' && !isAbsolute(path) && !path.split(/[\\/]/).includes('..') && !path.startsWith(':');

/** Which lines of which version; what they are is asked of git and of the checkout. */
interface Piece {
  path: string;
  drift: Drift;
  /** Where it stood. */
  past: Span;
  /** Where it stands, or stood last. */
  now: Span & { path: string };
  /** Where the lines stood, or were about to, and their hash under this device's key. */
  commit?: string;
  hash?: string;
}

function tied(anchor: Anchor, drift: Drift = { state: 'unchecked', keptLines: 0, of: 0 }): Piece {
  const { path, start, lines, commit } = anchor;
  const from = Math.max(1, start);
  const past = { from, to: from + (lines.kind === 'span' ? lines.count : lines.hashes.length) - 1 };
  const now = { path: drift.path ?? path, from: drift.from ?? past.from, to: drift.to ?? past.to };
  // An edit was made on its commit, and does not stand in it yet.
  return {
    path,
    drift,
    past,
    now,
    ...(lines.kind === 'span' && commit !== '' ? { commit, hash: lines.hash } : {}),
  };
}

function named(path: string): Piece {
  const top = { from: 1, to: maxLines };
  return { path, drift: { state: 'unanchored', keptLines: 0, of: 0 }, past: top, now: { path, ...top } };
}

async function withText(
  piece: Piece,
  note: Note,
  { checked, lines }: ShownCode,
): Promise<NoteCode | undefined> {
  const { path, drift, now } = piece;
  const here = await lines(now.path, { from: now.from, to: Math.min(now.to, now.from + maxLines - 1) });
  // It is there and not to be shown: then what git once had of it is not shown either.
  if (here === undefined && entryAt(checked.root, now.path) !== 'none') return undefined;
  const past = await pastOf(piece, note, checked);
  if (past === undefined && here === undefined) return undefined;
  return {
    path,
    state: drift.state,
    ...(drift.symbol === undefined ? {} : { symbol: drift.symbol }),
    ...(drift.by === undefined || drift.by === 'uncommitted' ? {} : { by: drift.by }),
    ...(past === undefined ? {} : { past }),
    ...(here === undefined ? {} : { now: pieceOf(now.path, now.from, here) }),
  };
}

/** As it was when the note was made. Lines that were tied before they were committed stand in the commit after. */
async function pastOf(
  { path, past, commit: known, hash }: Piece,
  note: Note,
  { root, key }: CheckedCode,
): Promise<CodePiece | undefined> {
  const linesIn = async (commit: string): Promise<string[] | undefined> => {
    const text = (await readObjects(root, [`${commit}:${path}`])).get(`${commit}:${path}`);
    return text === undefined ? undefined : fileLines(text).slice(past.from - 1, past.to);
  };
  const isTheirs = (lines: string[] | undefined) => lines !== undefined && hash === linesHash(key, lines);
  const first = known === undefined ? undefined : await linesIn(known);
  const made = isTheirs(first) ? undefined : await commitOf(root, path, Date.parse(note.validFrom));
  const later = made === undefined ? undefined : await linesIn(made);
  // Another device's hash says nothing here; then the commit that it named is believed, if it has such lines.
  const isLater = later !== undefined && (isTheirs(later) || (first ?? []).length === 0);
  const [lines, commit] = isLater ? [later, made] : [first, known];
  return lines === undefined || commit === undefined
    ? undefined
    : { ...pieceOf(path, past.from, lines), commit };
}

/** What git had when the note was made: the commit that brought its work, which comes soon after, else the last before. */
async function commitOf(root: string, path: string, at: number): Promise<string | undefined> {
  if (Number.isNaN(at)) return undefined;
  const soon = await gitIn(root, [
    'log',
    '--reverse',
    '--format=%H',
    `--since=${isoTime(at)}`,
    `--until=${isoTime(at + dayMs)}`,
    '--',
    path,
  ]);
  const first = soon?.split('\n')[0] ?? '';
  if (first !== '') return first;
  const last =
    (await gitIn(root, ['log', '-1', '--format=%H', `--until=${isoTime(at)}`, '--', path]))?.trim() ?? '';
  return last === '' ? undefined : last;
}

const pieceOf = (path: string, startLine: number, lines: string[]): CodePiece => ({
  path,
  startLine,
  text: lines.slice(0, maxLines).join('\n'),
});
