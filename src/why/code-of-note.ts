import { readFileSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, sep } from 'node:path';
import { isoTime } from '../base/clock.ts';
import type { Note } from '../domain/note.ts';
import { git } from '../git/git.ts';
import { readObjects } from '../git/objects.ts';
import { quickLimits, type RecallParts, withIndex } from '../recall/with-index.ts';
import { fileLines } from '../text/file-lines.ts';

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
  state: 'current' | 'moved' | 'changed' | 'gone';
  past?: CodePiece;
  now?: CodePiece;
}

const maxFiles = 6;
const maxEdits = 50;
const maxFileBytes = 1024 * 1024;
const maxLines = 80;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * For people who look: each file a note names, as it was committed when the note was made, beside the working tree.
 * The lines are those that were edited in the note's own turns; where none were, the top of the file stands for it.
 */
export async function codeOfNote(parts: RecallParts, root: string, note: Note): Promise<NoteCode[]> {
  if (root === '') return [];
  const edited = await editedSpans(parts, note);
  const paths = [...new Set([...note.files, ...edited.keys()])].filter(isInside).slice(0, maxFiles);
  const found = await Promise.all(paths.map((path) => compareFile(root, path, note, edited.get(path))));
  return found.filter((code) => code !== undefined);
}

const isInside = (path: string): boolean =>
  path !== '' && !isAbsolute(path) && !path.split(/[\\/]/).includes('..') && !path.startsWith(':');

interface Span {
  from: number;
  to: number;
}

/** The files that were changed in the note's own turns, and from which line to which. */
async function editedSpans({ embedder: _, ...parts }: RecallParts, note: Note): Promise<Map<string, Span>> {
  return withIndex(parts, quickLimits, async (index) => {
    const rows = [...((await index?.events(note.derivedFrom))?.values() ?? [])];
    const turns = new Set(rows.map(({ turn }) => turn).filter((turn) => turn !== ''));
    const spans = new Map<string, Span>();
    for (const turn of turns) {
      const chunks = (await index?.list({ turn, kinds: ['edit'] }, maxEdits)) ?? [];
      for (const path of new Set([...chunks.flatMap(({ paths }) => paths), ...note.files])) {
        const edits = (await index?.editsOfFile(path, maxEdits)) ?? [];
        const hunks = edits.filter((edit) => edit.turn === turn).flatMap((edit) => edit.hunks);
        const added = hunks.filter((hunk) => hunk.added.length > 0);
        if (added.length === 0) continue;
        const known = spans.get(path);
        spans.set(path, {
          from: Math.min(known?.from ?? Number.MAX_SAFE_INTEGER, ...added.map(({ newStart }) => newStart)),
          to: Math.max(known?.to ?? 0, ...added.map((hunk) => hunk.newStart + hunk.added.length - 1)),
        });
      }
    }
    return spans;
  });
}

async function compareFile(
  root: string,
  path: string,
  note: Note,
  edited: Span | undefined,
): Promise<NoteCode | undefined> {
  const commit = await commitOf(root, path, Date.parse(note.validFrom));
  const past =
    commit === undefined
      ? undefined
      : (await readObjects(root, [`${commit}:${path}`])).get(`${commit}:${path}`);
  const here = readInside(root, path);
  if (past === undefined || commit === undefined) {
    if (here === undefined) return undefined;
    return {
      path,
      state: 'changed',
      now: pieceOf(path, fileLines(here), edited ?? { from: 1, to: maxLines }),
    };
  }
  const before = fileLines(past);
  const span = edited ?? { from: 1, to: Math.min(before.length, maxLines) };
  const piece = { ...pieceOf(path, before, span), commit };
  const newPath = here === undefined ? await renamedTo(root, commit, path) : path;
  const after = newPath === undefined ? undefined : readInside(root, newPath);
  if (newPath === undefined || after === undefined) return { path, state: 'gone', past: piece };
  return { path, ...judge(piece, newPath, fileLines(after)), past: piece };
}

/** What git had when the note was made: the commit that brought its work, which comes soon after, else the last before. */
async function commitOf(root: string, path: string, at: number): Promise<string | undefined> {
  if (Number.isNaN(at)) return undefined;
  const soon = await git(root, [
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
    (await git(root, ['log', '-1', '--format=%H', `--until=${isoTime(at)}`, '--', path]))?.trim() ?? '';
  return last === '' ? undefined : last;
}

async function renamedTo(root: string, commit: string, path: string): Promise<string | undefined> {
  const lines = await git(root, ['diff', '--name-status', '--find-renames', '--no-ext-diff', '-z', commit]);
  const fields = lines?.split('\0') ?? [];
  const at = fields.findIndex((field, place) => field.startsWith('R') && fields[place + 1] === path);
  return at === -1 ? undefined : fields[at + 2];
}

/** Nothing outside of the checkout is ever shown, whatever a note or a link in the tree says. */
function readInside(root: string, path: string): string | undefined {
  try {
    const file = realpathSync(join(root, path));
    const inside = relative(realpathSync(root), file);
    if (inside === '' || inside.split(sep)[0] === '..' || isAbsolute(inside)) return undefined;
    const stats = statSync(file);
    return stats.isFile() && stats.size <= maxFileBytes ? readFileSync(file, 'utf8') : undefined;
  } catch {
    // Not there, or not to be read: then nothing stands in it.
    return undefined;
  }
}

const pieceOf = (path: string, lines: string[], { from, to }: Span): CodePiece => ({
  path,
  startLine: from,
  text: lines.slice(from - 1, Math.min(to, from - 1 + maxLines)).join('\n'),
});

/** The same lines in the same order are the same code, wherever in the file they stand now. */
function judge(past: CodePiece, path: string, lines: string[]): Pick<NoteCode, 'state' | 'now'> {
  const wanted = past.text.split('\n');
  const at = findLines(lines, wanted, past.startLine - 1);
  if (at !== undefined) {
    const now = pieceOf(path, lines, { from: at + 1, to: at + wanted.length });
    return { state: path === past.path ? 'current' : 'moved', now };
  }
  const telling = new Set(wanted.map((line) => line.trim()).filter((line) => line.length > 3));
  const standing = lines.flatMap((line, place) => (telling.has(line.trim()) ? [place] : []));
  if (standing.length === 0)
    return {
      state: 'gone',
      now: pieceOf(path, lines, { from: past.startLine, to: past.startLine + wanted.length - 1 }),
    };
  const from = Math.max(1, Math.min(past.startLine, (standing[0] as number) + 1));
  return { state: 'changed', now: pieceOf(path, lines, { from, to: from + wanted.length + 12 }) };
}

/** Where all of them stand one after the other; of several places the nearest to where they stood. */
function findLines(lines: string[], wanted: string[], near: number): number | undefined {
  const places = lines.flatMap((line, at) =>
    line === wanted[0] && wanted.every((one, by) => lines[at + by] === one) ? [at] : [],
  );
  return places.sort((a, b) => Math.abs(a - near) - Math.abs(b - near))[0];
}
