import { entryAt } from '../base/checkout-file.ts';
import { isoTime } from '../base/clock.ts';
import { lineHash } from '../base/hash.ts';
import { isInCheckout } from '../base/path-in-checkout.ts';
import type { EditHunk, EventEnvelope } from '../domain/event.ts';
import { gitIn } from '../git/in-repository.ts';
import { readObjects } from '../git/objects.ts';
import { lastChangeBefore } from '../git/path-history.ts';
import { linesIn } from '../text/line-index.ts';
import type { EditDiff } from '../wire/answers/sessions.ts';

type DiffLine = EditDiff['hunks'][number]['lines'][number];

export type EditEvent = Extract<EventEnvelope, { kind: 'edit' }>;

interface DiffSources {
  root: string;
  /** Reads a file on disk; undefined if it is missing or git ignores it. */
  onDisk(path: string): Promise<string[] | undefined>;
}

/** Commits to the file after the edit that are searched for its lines. */
const maxLaterCommits = 5;
const maxLines = 400;
const timeoutMs = 5_000;

/**
 * Shows an edit as a diff. Events keep only hashes of lines, so the text is looked up in versions of the file: that of
 * the commit before the edit, those of the next commits, and that on disk. A line that was changed again before it was
 * committed is in none of them.
 */
export async function diffOfEdit(event: EditEvent, { root, onDisk }: DiffSources): Promise<EditDiff> {
  const { path, hunks } = event.body;
  const texts = isInCheckout(path) ? await versionsOf(event, { root, onDisk }) : [];
  // Two versions may indent a line differently: the earliest text is shown as removed, the latest as added.
  const keyed = texts.flat().map((line): [string, string] => [lineHash(line), line]);
  const [before, after] = [new Map(keyed.toReversed()), new Map(keyed)];
  let left = maxLines;
  const take = (hashes: string[], sign: DiffLine['sign']): DiffLine[] => {
    const shown = hashes.slice(0, left);
    left -= shown.length;
    return shown.map((hash) => {
      const text = (sign === '-' ? before : after).get(hash);
      return text === undefined ? { sign } : { sign, text };
    });
  };
  return {
    path,
    hunks: hunks.map(({ oldStart, newStart, removed, added }: EditHunk) => ({
      oldStart,
      newStart,
      lines: [...take(removed, '-'), ...take(added, '+')],
    })),
  };
}

async function versionsOf({ head, at, body: { path } }: EditEvent, { root, onDisk }: DiffSources) {
  const current = await onDisk(path);
  // Git ignores the file now, so its past versions may have become secret too.
  if (current === undefined && entryAt(root, path) !== 'none') return [];
  const time = Date.parse(at) || 0;
  const since = `--since=${isoTime(time)}`;
  // All branches, because an agent's branch may not be merged.
  const args = ['--literal-pathspecs', 'log', '--all', '--format=%H', '--reverse', since, '--', path];
  const [before, later] = await Promise.all([
    head === '' ? lastChangeBefore(root, path, time, timeoutMs) : head,
    gitIn(root, args, timeoutMs),
  ]);
  const commits = (later ?? '').trim().split('\n').filter(Boolean).slice(0, maxLaterCommits);
  const names = [...(before === undefined ? [] : [before]), ...commits].map((commit) => `${commit}:${path}`);
  const objects = await readObjects(root, names);
  return [...[...objects.values()].map(linesIn), current ?? []];
}
