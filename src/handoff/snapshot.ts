import { findCheckoutFile, readCheckoutText } from '../base/checkout-file.ts';
import { AppError } from '../base/errors.ts';
import { isInCheckout } from '../base/path-in-checkout.ts';
import type { AgentName } from '../domain/event.ts';
import { isEverywhere } from '../domain/note.ts';
import type { PinnedSnippet, Snapshot } from '../domain/snapshot.ts';
import type { WorkSession } from '../domain/work-session.ts';
import { uncommittedChanges } from '../git/uncommitted-changes.ts';
import type { Redactor } from '../memory/redact/redact.ts';
import { actionsOf, eventsOf } from './actions.ts';
import { decisionsFor } from './decisions.ts';
import type { Ledger } from './ledger.ts';
import { isExcluded, ledgerOf, recordStep, redactorOf, snapshotsOf, type WorkParts } from './work-parts.ts';
import { dirtyHashes, workingSetOf } from './working-set.ts';

export interface SnapshotRequest {
  sourceHarness?: string;
  sourceModel?: string;
  pins?: Pin[];
  target?: AgentName | 'any';
}

export interface Pin {
  path: string;
  lineStart: number;
  lineEnd: number;
}

/** Maximum number of events that a snapshot is made from: more than a day of work. Commits describe older work. */
const maxEvents = 1_500;
const maxDirtyFiles = 1_000;
const maxPins = 20;
const maxPinnedFileBytes = 1024 * 1024;
const maxPinLines = 200;
const maxPinLineLength = 400;

export async function takeSnapshot(
  parts: WorkParts,
  session: WorkSession,
  request: SnapshotRequest,
): Promise<{ snapshot: Snapshot; folder: string }> {
  const files = snapshotsOf(parts);
  const composed = await composeSnapshot(parts, ledgerOf(parts), session, request);
  const id = files.claim(`snap_${composed.manifest.created_at}_${session.id}`);
  const snapshot = { ...composed, manifest: { ...composed.manifest, snapshot_id: id } };
  files.put(snapshot);
  const { target } = request;
  recordStep(parts, {
    session: session.id,
    step: 'snapshot',
    snapshot: id,
    ...(target === undefined || target === 'any' ? {} : { to: target }),
  });
  return { snapshot, folder: files.folder(id) };
}

export async function composeSnapshot(
  parts: WorkParts,
  ledger: Ledger,
  session: WorkSession,
  request: SnapshotRequest,
): Promise<Snapshot> {
  const { project, place } = parts;
  const { log, notes, clock } = project;
  const git = uncommittedChanges(place.root);
  const redactor = redactorOf(parts);
  // Events were redacted when they were written. Secrets that became known later are masked now, before texts are cut.
  const { isWhole, events: recorded } = eventsOf(log, ledger, session, maxEvents);
  const events = redactor.maskDeep(recorded);
  const actions = actionsOf(events);
  const pins = (request.pins ?? []).slice(0, maxPins).map((pin) => readPin(parts, pin, redactor));
  const { branch, head, files } = (await git) ?? { ...place, files: [] };
  const dirty = dirtyHashes(parts, files).slice(0, maxDirtyFiles);
  return {
    manifest: {
      schema_version: 1,
      snapshot_id: '',
      session_id: session.id,
      goal: redactor.redact(session.goal),
      goal_by: session.goalBy,
      repo_root: place.root,
      repo_branch: redactor.redact(branch),
      repo_commit: head,
      repo_base_commit: session.baseCommit,
      repo_dirty_files: redactor.redactDeep(dirty.map(({ path }) => path)),
      repo_dirty_hashes: redactor.redactDeep(dirty),
      source_harness: redactor.redact(request.sourceHarness ?? events.at(-1)?.agent ?? ''),
      source_model: redactor.redact(request.sourceModel ?? ''),
      target: request.target ?? '',
      created_at: Math.floor(clock.now() / 1000),
      generation: Object.values(ledger.position).reduce((sum, offset) => sum + offset, 0),
      context_epoch: actions.filter(({ kind }) => kind === 'compaction').length,
      action_log_size: actions.length,
      has_older_actions: !isWhole,
    },
    working_set: workingSetOf(events, actions, place.root),
    action_log: actions,
    decisions: decisionsFor(
      events,
      (await notes.list()).filter((note) => !isEverywhere(note)),
    ),
    pinned_snippets: pins,
  };
}

/** Reads a range of lines. The whole file is redacted, because single lines of a key do not look like a secret. */
function readPin(parts: WorkParts, { path, lineStart, lineEnd }: Pin, { redact }: Redactor): PinnedSnippet {
  const named = path.replaceAll('\\', '/');
  const { root } = parts.place;
  const isRange = lineStart >= 1 && lineEnd >= lineStart;
  const file = isRange && isInCheckout(named) ? findCheckoutFile(root, named) : undefined;
  // A link or its target may be excluded.
  const names = file === undefined ? [] : [named, file.path, file.relativePath];
  const isShown = file !== undefined && !names.some((name) => isExcluded(parts, name));
  const whole = isShown ? readCheckoutText(root, named, maxPinnedFileBytes) : undefined;
  if (whole === undefined) {
    throw new AppError(
      'INVALID_ARGUMENT',
      `there is nothing to pin at ${path.slice(0, 200)}:${lineStart}-${lineEnd}`,
      { hint: 'Give the path of a text file in the repository and a range of lines' },
    );
  }
  const clean = new Set(redact(whole).split('\n'));
  const lines = whole
    .split('\n')
    .slice(lineStart - 1, Math.min(lineEnd, lineStart - 1 + maxPinLines))
    .map((line) => [line, redact(line), '[redacted]'].find((text) => clean.has(text)) ?? '[redacted]')
    .map((line) => line.slice(0, maxPinLineLength).toWellFormed());
  return {
    path: redact(path),
    line_start: lineStart,
    line_end: lineStart - 1 + Math.max(1, lines.length),
    text: lines.join('\n'),
  };
}
