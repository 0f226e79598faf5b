import { AppError } from '../base/errors.ts';
import { readIfThere, removeIfThere, removeStaleTemporaries, replaceFile } from '../base/files.ts';
import { parseObject } from '../base/json.ts';
import type { HomePaths } from '../base/paths.ts';
import type { EventEnvelope } from '../domain/event.ts';
import { catchUp } from '../recall/catch-up.ts';
import { checkLog } from '../store/events/check-log.ts';
import { encodeEventIn } from '../store/events/event-line.ts';
import { withOriginalTime } from '../store/events/event-log.ts';
import { eraseDamaged } from '../store/events/quarantine.ts';
import { type LineRewrite, rewriteEventFile } from '../store/events/rewrite-events.ts';
import { createSnapshotFiles } from '../store/snapshots/snapshot-files.ts';
import { renderPrelude } from './drain.ts';
import { notePartsOf } from './notes/note-parts.ts';
import { reviseNote, saveNote } from './notes/remember.ts';
import { removePrelude } from './prelude/prelude-file.ts';
import type { OpenProject } from './projects/open-project.ts';
import { withoutPrintedSecret } from './redact/printed-secret.ts';
import { projectRedactor } from './redact/project-redactor.ts';
import { type Redactor, rulesOnly } from './redact/redact.ts';
import { mark, redactedKinds } from './redact/redacted-kinds.ts';
import { waitForWriter } from './wait-for-writer.ts';

/**
 * Applies the current redaction rules to stored data and overwrites the secrets they find: in the log (in place), in
 * notes and snapshots, then in all derived data. Without a scan, improved rules would not affect data on disk.
 */
export interface ScanFinding {
  /** Relative to the Backstory home. */
  file: string;
  rules: Record<string, number>;
}

export interface ScanOptions {
  isDryRun: boolean;
}

const lockWaitMs = 30_000;
const abandonedAfterMs = 5_000;

export async function scanProject(parts: OpenProject, options: ScanOptions): Promise<ScanFinding[]> {
  const redactor = projectRedactor(parts);
  const own = parts.paths.project(parts.project);
  if (!options.isDryRun && checkLog(own.events).damage.length > 0) {
    // A scan deletes the index at the end, but if the log is damaged, the index may contain the only copy of lost
    // events.
    throw new AppError('CONFLICT', 'the event log is damaged; recover it or accept the damage first', {
      hint: 'backstory doctor --verify',
    });
  }
  const writing = options.isDryRun ? undefined : await waitForWriter(parts, lockWaitMs);
  const findings: ScanFinding[] = [];
  let stamps = new Map<string, string>();
  try {
    findings.push(
      ...scanLog(parts, redactor, options),
      ...(await scanNotes(parts, redactor, options)),
      ...scanSnapshots(parts, redactor, options),
      ...scanJson([own.teamSync, own.teamMemories], redactor, options),
    );
    // Only the index knows which transcripts were read. They must not be read again, because the ids of their events
    // depend on text that the current rules would change.
    if (writing !== undefined) stamps = await writing.index.progressMarks();
  } finally {
    await writing?.close();
  }
  if (options.isDryRun) return findings;
  eraseDamaged(own.events, (text) => redactor.redact(text) !== text);
  if (findings.length === 0) return findings;
  removeIfThere(own.workSessions);
  for (const folder of [own.notes, parts.paths.everywhere.notes])
    removeStaleTemporaries(folder, parts.clock.now() - abandonedAfterMs);
  await rebuildIndex(parts, stamps);
  return findings;
}

/** Files that belong to no project: failures and the ledger. */
export const scanHome = (paths: HomePaths, options: ScanOptions): ScanFinding[] =>
  scanJson([paths.failures, `${paths.failures}.old`, paths.ledger], rulesOnly, options);

async function rebuildIndex(parts: OpenProject, stamps: Map<string, string>): Promise<void> {
  parts.access.erase();
  removePrelude(parts.paths.project(parts.project));
  const writing = await waitForWriter(parts, lockWaitMs);
  // Without the lock, index and prelude are only deleted. The next process that may write rebuilds them from the log.
  if (writing === undefined) return;
  try {
    await catchUp(parts, writing.index, { maxBytes: Number.MAX_SAFE_INTEGER });
    for (const [file, stamp] of stamps) await writing.index.setProgressMark(file, stamp);
    await renderPrelude(parts, writing.index);
  } finally {
    await writing.close();
  }
}

function scanLog(parts: OpenProject, redactor: Redactor, { isDryRun }: ScanOptions): ScanFinding[] {
  const folder = parts.paths.project(parts.project).events;
  const rewrites = new Map<string, LineRewrite[]>();
  const findings = new Map<string, ScanFinding>();
  for (const { file, offset, end, entry } of parts.log.read({})) {
    if (entry.kind !== 'event') continue;
    const clean = redactedEvent(withOriginalTime(entry.event), redactor);
    if (clean === undefined) continue;
    const finding = findings.get(file) ?? { file: `events/${file}`, rules: {} };
    findings.set(file, finding);
    for (const [rule, count] of Object.entries(rulesIn(entry.event, clean)))
      finding.rules[rule] = (finding.rules[rule] ?? 0) + count;
    const line = encodeEventIn(clean, end - offset) ?? encodeEventIn(withShortMarks(clean), end - offset);
    if (line === undefined) continue;
    rewrites.set(file, [...(rewrites.get(file) ?? []), { offset, id: entry.event.id, line }]);
  }
  if (!isDryRun) for (const [file, lines] of rewrites) rewriteEventFile(folder, file, lines);
  return [...findings.values()].map((finding) => within(parts, finding));
}

/** Returns the event without its secrets; undefined if it contains none. */
function redactedEvent(event: EventEnvelope, { redact, redactDeep }: Redactor): EventEnvelope | undefined {
  const body = redactDeep(withoutPrintedSecret(event.body));
  const branch = redact(event.branch);
  const isSame = branch === event.branch && JSON.stringify(body) === JSON.stringify(event.body);
  return isSame ? undefined : ({ ...event, branch, body } as EventEnvelope);
}

/**
 * Replaces the marks of redacted secrets by the shortest one. No secret is shorter than it, so the redacted event
 * always fits into its old line.
 */
const withShortMarks = (event: EventEnvelope): EventEnvelope =>
  ({
    ...event,
    ...(JSON.parse(
      JSON.stringify({ body: event.body, branch: event.branch }).replaceAll(mark, '***'),
    ) as Pick<EventEnvelope, 'body' | 'branch'>),
  }) as EventEnvelope;

async function scanNotes(
  parts: OpenProject,
  { redactDeep }: Redactor,
  { isDryRun }: ScanOptions,
): Promise<ScanFinding[]> {
  const findings: ScanFinding[] = [];
  for (const note of await parts.notes.list()) {
    const { text, title, concepts, files, anchors } = note;
    const before = { text, title, concepts, files, ...(anchors === undefined ? {} : { anchors }) };
    const clean = redactDeep(before);
    if (JSON.stringify(clean) === JSON.stringify(before)) continue;
    const rules = rulesIn(before, clean);
    findings.push(within(parts, { file: `notes/${note.id}`, rules }));
    const own = notePartsOf(parts);
    if (!isDryRun) await saveNote(own, reviseNote(own, note, clean), 'edit');
  }
  return findings;
}

function scanSnapshots(
  parts: OpenProject,
  { redactDeep }: Redactor,
  { isDryRun }: ScanOptions,
): ScanFinding[] {
  const files = createSnapshotFiles(parts.paths.project(parts.project).snapshots);
  return files.list().flatMap((snapshot) => {
    const clean = {
      ...redactDeep(snapshot),
      manifest: { ...redactDeep(snapshot.manifest), snapshot_id: snapshot.manifest.snapshot_id },
    };
    if (JSON.stringify(clean) === JSON.stringify(snapshot)) return [];
    const rules = rulesIn(snapshot, clean);
    if (!isDryRun) files.put(clean);
    return [within(parts, { file: `snapshots/${snapshot.manifest.snapshot_id}`, rules })];
  });
}

/** Files with one JSON value, or one per line. */
function scanJson(paths: string[], redactor: Redactor, { isDryRun }: ScanOptions): ScanFinding[] {
  return paths.flatMap((path) => {
    const before = readIfThere(path);
    if (before === undefined) return [];
    const clean =
      parseObject(before) === undefined
        ? before
            .split('\n')
            .map((line) => redactedJson(line, redactor))
            .join('\n')
        : redactedJson(before, redactor);
    if (clean === before) return [];
    const rules = rulesIn(before, clean);
    if (!isDryRun) replaceFile(path, clean);
    return [{ file: path.replace(/^.*[\\/]/, ''), rules }];
  });
}

/** Redacts a file of JSON. Returns the text unchanged if it is not JSON or contains no secret. */
function redactedJson(text: string, { redactDeep }: Redactor): string {
  const value = parseObject(text);
  if (value === undefined) return text;
  const clean = JSON.stringify(redactDeep(value));
  return clean === JSON.stringify(value) ? text : clean;
}

const within = (parts: OpenProject, finding: ScanFinding): ScanFinding => ({
  ...finding,
  file: `projects/${parts.project}/${finding.file}`,
});

const rulesIn = (before: unknown, after: unknown): Record<string, number> =>
  redactedKinds(JSON.stringify(before), JSON.stringify(after));
