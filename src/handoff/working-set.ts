import { readCheckoutFile } from '../base/checkout-file.ts';
import { isInCheckout } from '../base/path-in-checkout.ts';
import type { EventEnvelope } from '../domain/event.ts';
import type { MemoStep } from '../domain/memo.ts';
import type { Action, SearchRun, WorkingFile, WorkingSet } from '../domain/snapshot.ts';
import type { UncommittedFile } from '../git/uncommitted-changes.ts';
import {
  contentsAfter,
  fileKey,
  isPieceIn,
  outdated,
  type PieceInContext,
} from '../memo/context-contents.ts';
import { frecency } from '../memo/steps.ts';
import { memoStepOf } from '../recall/memo-step-record.ts';
import { fileLines } from '../text/file-lines.ts';
import { compare } from './actions.ts';
import { contentHash } from './changed-since.ts';
import { isExcluded, type WorkParts } from './work-parts.ts';

const maxFiles = 40;
const maxSearches = 20;
const maxFrecent = 20;
const maxFileBytes = 4 * 1024 * 1024;
const bytesPerToken = 3.5;

export function workingSetOf(events: EventEnvelope[], actions: Action[], root: string): WorkingSet {
  const uses = actions.filter(
    ({ kind, path }) => (kind === 'read' || kind === 'edit') && path !== undefined && isInCheckout(path),
  );
  const files = Map.groupBy(uses, ({ path = '' }) => path);
  const steps = stepsIn(events);
  const known = contentsAfter(steps).files;
  const newest = [...files]
    .map(([path, uses]) => ({ path, uses, at: uses.at(-1)?.at ?? '' }))
    .sort((a, b) => compare(b.at, a.at) || compare(a.path, b.path))
    .slice(0, maxFiles);
  return {
    schema_version: 1,
    files_read: newest.map(({ path, uses }) =>
      workingFile(path, uses, root, known.get(fileKey('', path))?.pieces ?? []),
    ),
    searches_run: searchesIn(actions),
    // The age of a use counts from the last event, not from now.
    frecency_top_n: frecency(steps, '', Date.parse(events.at(-1)?.at ?? '') || 0)
      .filter(({ path }) => isInCheckout(path))
      .slice(0, maxFrecent)
      .map(({ path, score }) => ({ path, score: Math.round(score * 100) / 100 })),
  };
}

function workingFile(path: string, uses: Action[], root: string, known: PieceInContext[]): WorkingFile {
  const now = contentOf(root, path);
  // The token count of the last read that has one. Reads by a search have none.
  const readTokens = uses.findLast(({ tokens = 0 }) => tokens > 0)?.tokens;
  return {
    path,
    reads: uses.filter(({ kind }) => kind === 'read').length,
    edits: uses.filter(({ kind }) => kind === 'edit').length,
    tokens: readTokens ?? Math.ceil((now?.size ?? 0) / bytesPerToken),
    last_used_at: Math.floor(Date.parse(uses.at(-1)?.at ?? '') / 1000) || 0,
    content_hash: now?.hash ?? '',
    pieces: known.flatMap(({ at: _, step: __, head: ___, ...piece }) =>
      piece.hash === outdated ? [] : [piece],
    ),
  };
}

/** `reread`: it was changed after an agent of this work read it, and before the snapshot. */
export type Freshness = 'unchanged' | 'changed' | 'reread' | 'gone';

export function freshnessOf(root: string, files: WorkingFile[], key: string): Map<string, Freshness> {
  return new Map(
    files.map(({ path, content_hash, pieces }) => {
      const now = contentOf(root, path);
      if ((now?.hash ?? '') !== content_hash) return [path, now === undefined ? 'gone' : 'changed'];
      const lines = now?.bytes === undefined ? undefined : fileLines(now.bytes.toString('utf8'));
      const isKnown = lines === undefined || pieces.every((piece) => isPieceIn(lines, piece, key));
      return [path, isKnown ? 'unchanged' : 'reread'];
    }),
  );
}

export const isPresent = (root: string, path: string): boolean => contentOf(root, path) !== undefined;

/** The content of uncommitted files that memory may name. */
export const dirtyHashes = (parts: WorkParts, files: UncommittedFile[]) =>
  files
    .filter(({ path }) => !isExcluded(parts, path))
    .map(({ path }) => ({ path, content_hash: contentOf(parts.place.root, path)?.hash ?? '' }));

/** Reads and edits in all checkouts and by all agents of the work, as if by one. */
function stepsIn(events: EventEnvelope[]): MemoStep[] {
  return events.flatMap((event) => {
    const step = event.kind === 'read' || event.kind === 'edit' ? memoStepOf(event) : undefined;
    return step === undefined ? [] : [{ ...step, checkout: '', subagent: '' }];
  });
}

/** Searches without duplicates. A repeated search counts as its last run. */
function searchesIn(actions: Action[]): SearchRun[] {
  const runs = new Map<string, SearchRun>();
  for (const { kind, id, search = 'search', tool = '', text = '', mode = 'literal', path = '' } of actions) {
    if (kind !== 'search') continue;
    const key = JSON.stringify([tool, text, mode, path]);
    runs.delete(key);
    // Each MCP server numbers its searches from one. The event id makes them unique.
    runs.set(key, { search_id: `${search}-${id.slice(0, 8)}`, tool, query: text, mode, path });
  }
  return [...runs.values()].slice(-maxSearches);
}

/** Returns a file; undefined if it is missing, is not a regular file, or is outside the working tree. */
function contentOf(
  root: string,
  path: string,
): { hash: string; size: number; bytes: Buffer | undefined } | undefined {
  const file = isInCheckout(path) ? readCheckoutFile(root, path, maxFileBytes) : undefined;
  if (file?.kind !== 'file' && file?.kind !== 'large') return undefined;
  const { size, mtimeMs } = file.stamp;
  // Large files are identified by size and modification time.
  const bytes = file.kind === 'large' ? undefined : file.bytes;
  return { hash: contentHash(bytes ?? `${size}:${mtimeMs}`), size, bytes };
}
