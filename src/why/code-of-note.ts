import { entryAt } from '../base/checkout-file.ts';
import { isoTime } from '../base/clock.ts';
import { isInCheckout } from '../base/path-in-checkout.ts';
import type { Anchor } from '../domain/anchor.ts';
import type { Note } from '../domain/note.ts';
import { checkAnchors, summarise } from '../drift/check-drift.ts';
import { type CheckedCode, CurrentCode } from '../drift/current-code.ts';
import { findAnchors } from '../drift/find-anchors.ts';
import { gitIn } from '../git/in-repository.ts';
import { readObjects } from '../git/objects.ts';
import { lastChangeBefore } from '../git/path-history.ts';
import { chunksOfNote } from '../recall/chunks.ts';
import { withEvidence } from '../recall/evidence.ts';
import { quickLimits, type RecallParts } from '../recall/with-index.ts';
import { fileLines, linesHash } from '../text/file-lines.ts';
import type { Drift } from '../wire/answers/memory.ts';
import type { CodePiece, NoteCode } from '../wire/answers/sessions.ts';

export interface ShownCode {
  checked: CheckedCode;
  /** Reads lines of a file on disk; undefined if the file is missing or git ignores it. */
  lines(path: string, span: Span): Promise<string[] | undefined>;
}

interface Span {
  from: number;
  to: number;
}

const maxPieces = 6;
const maxLines = 80;
const timeoutMs = 5_000;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * Returns the code of a note for the viewer, as it was and as it is in the working tree. The state comes from the drift
 * check; this adds the text. If a note only names files, without lines, the start of each file is shown with the state
 * `unanchored`.
 */
export async function codeOfNote(
  parts: RecallParts,
  { checked, lines }: ShownCode,
  note: Note,
): Promise<{ drift: Drift; code: NoteCode[] }> {
  const anchors = await anchorsOf(parts, note);
  const drifts = await checkAnchors(anchors, new CurrentCode(checked));
  const places = [
    ...anchors.map((anchor): Place => ({ path: anchor.path, anchor, drift: drifts.get(anchor) })),
    ...note.files
      .filter((path) => !anchors.some((anchor) => anchor.path === path))
      .map((path): Place => ({ path, drift: summarise([]) })),
  ].filter(({ path }) => isInCheckout(path));
  const shown = places.slice(0, maxPieces).map((place) => codeAt(place, note, { checked, lines }));
  return {
    drift: summarise([...drifts.values()]),
    code: (await Promise.all(shown)).filter((code) => code !== undefined),
  };
}

async function anchorsOf(parts: RecallParts, note: Note): Promise<Anchor[]> {
  const [chunk] = chunksOfNote(note, '');
  if (chunk === undefined) return [];
  const ties = await withEvidence(parts, quickLimits, (evidence) => findAnchors([chunk], evidence));
  return [...ties.values()].flatMap(({ anchors }) => anchors);
}

interface Place {
  path: string;
  anchor?: Anchor;
  drift: Drift | undefined;
}

/** The lines of an anchor, or the first lines of a file that is only named. */
export function spanOf(anchor: Anchor | undefined): Span {
  if (anchor === undefined) return { from: 1, to: maxLines };
  const { start, lines } = anchor;
  const from = Math.max(1, start);
  return { from, to: from + (lines.kind === 'span' ? lines.count : lines.hashes.length) - 1 };
}

/** The lines of a place, as they were and as they are now or, if they are gone, where they were last. */
async function codeAt(
  { path, anchor, drift = { state: 'unchecked', keptLines: 0, of: 0 } }: Place,
  note: Note,
  { checked, lines }: ShownCode,
): Promise<NoteCode | undefined> {
  const span = spanOf(anchor);
  const now = { path: drift.path ?? path, from: drift.from ?? span.from, to: drift.to ?? span.to };
  const here = await lines(now.path, { from: now.from, to: Math.min(now.to, now.from + maxLines) });
  // The file exists but must not be shown. Do not show its past versions either.
  if (here === undefined && entryAt(checked.root, now.path) !== 'none') return undefined;
  const past = await pastOf(path, span, anchor, note, checked);
  const present = pieceOf(now.path, now.from, here);
  if (past === undefined && present === undefined) return undefined;
  return {
    path,
    state: drift.state,
    ...(drift.symbol === undefined ? {} : { symbol: drift.symbol }),
    ...(drift.by === undefined || drift.by === 'uncommitted' ? {} : { by: drift.by }),
    ...(past === undefined ? {} : { past }),
    ...(present === undefined ? {} : { now: present }),
  };
}

/** The lines when the note was made. If they were not committed yet, they are in the next commit. */
async function pastOf(
  path: string,
  past: Span,
  anchor: Anchor | undefined,
  note: Note,
  { root, key }: CheckedCode,
): Promise<CodePiece | undefined> {
  // The recorded commit of an edit is the one before it and lacks its lines, so only the commit of a read is used.
  const read = anchor?.lines.kind === 'span' ? anchor.lines : undefined;
  const known = read && anchor?.commit;
  const hash = read?.hash;
  const linesIn = async (commit: string): Promise<string[] | undefined> => {
    const text = (await readObjects(root, [`${commit}:${path}`])).get(`${commit}:${path}`);
    return text === undefined ? undefined : fileLines(text).slice(past.from - 1, past.to);
  };
  const hasHash = (lines: string[] | undefined) => lines !== undefined && hash === linesHash(key, lines);
  const first = known ? await linesIn(known) : undefined;
  const nearby = hasHash(first) ? undefined : await commitOf(root, path, Date.parse(note.validFrom));
  const later = nearby === undefined ? undefined : await linesIn(nearby);
  // A hash from another device cannot be checked here. Then use the anchor's own commit if it has these lines.
  const isLater = later !== undefined && (hasHash(later) || (first ?? []).length === 0);
  const [lines, commit] = isLater ? [later, nearby] : [first, known];
  return commit ? pieceOf(path, past.from, lines, commit) : undefined;
}

/** The commit with the work of a note: the first within a day after the note, or else the last before it. */
async function commitOf(root: string, path: string, at: number): Promise<string | undefined> {
  if (Number.isNaN(at)) return undefined;
  const dates = [`--since=${isoTime(at)}`, `--until=${isoTime(at + dayMs)}`];
  const after = await gitIn(root, ['log', '--reverse', '--format=%H', ...dates, '--', path]);
  return after?.split('\n')[0] || lastChangeBefore(root, path, at, timeoutMs);
}

/** Undefined if there are no lines, or only blank ones. */
export function pieceOf(
  path: string,
  startLine: number,
  lines: string[] = [],
  commit?: string,
): CodePiece | undefined {
  const text = lines.slice(0, maxLines).join('\n');
  return text.trim() === '' ? undefined : { path, startLine, text, ...(commit && { commit }) };
}
