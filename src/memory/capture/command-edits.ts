import { existsSync, renameSync } from 'node:fs';
import { basename } from 'node:path';
import type { Observation } from '../../agents/agent.ts';
import { isoTime } from '../../base/clock.ts';
import { appendDurably, readIfThere, removeIfThere } from '../../base/files.ts';
import { hashId, lineHash } from '../../base/hash.ts';
import { parseObject } from '../../base/json.ts';
import type { Edit } from '../../domain/edit.ts';
import type { EditHunk, EventEnvelope } from '../../domain/event.ts';
import { eventAt } from '../../store/events/event-log.ts';
import { linesIn } from '../../text/line-index.ts';
import { type ChangedFile, type Comparison, type EndedCommand, withoutAdded } from './compare-files.ts';
import { createEventWriter, type IngestParts } from './event-writer.ts';

/** A longer command may have run while a person saved the file, unless it names the file. */
const longCommandMs = 30_000;
/** How long a change waits for its command to end, and to be in the transcript. */
const waitMs = 10 * 60_000;
/** A hook records an edit at most this long after it. */
const hookDelayMs = 5_000;
/** Writes the lines of its text. Lines of another text in the same file are somebody else's. */
const writesItsText = /\b(?:cat|tee|apply|patch)\b[^\n]*<</;
const blank = lineHash('');
const maxEdits = 300;
const maxEvents = 10_000;

export type CommandEvent = Extract<EventEnvelope, { kind: 'command' }>;

/** Records the changes of files that commands wrote as edits. Where it is not sure who wrote a change, nobody is named. */
export async function recordCommandEdits(parts: IngestParts): Promise<number> {
  const { comparisons: path } = parts.paths.project(parts.project);
  const taken = `${path}.taken`;
  // Renamed, because other processes append. What a killed drain left is read again.
  if (!existsSync(taken) && existsSync(path)) renameSync(path, taken);
  const seen = (readIfThere(taken) ?? '').split('\n').flatMap((line) => parseObject(line) ?? []);
  let written = 0;
  for (const comparison of seen as unknown as Comparison[]) {
    const { checkout, changes, root } = comparison;
    const here = (seen as unknown as Comparison[]).filter((one) => one.checkout === checkout);
    let isWaiting = false;
    for (const change of changes) {
      const command = await commandOf(
        change,
        here.flatMap(({ commands }) => commands),
        parts,
      );
      isWaiting ||= command === 'unknown' && parts.clock.now() - change.seen < waitMs;
      if (typeof command === 'string') continue;
      const edits = parts.index.edits.ofFile(change.path, maxEdits);
      const hunks = commandHunks(change, command.body.command, edits);
      if (hunks.length === 0) continue;
      const writer = createEventWriter(parts, command.agent);
      await writer.add(editOf({ ...change, hunks }, command, root));
      written += writer.flush();
    }
    if (isWaiting) appendDurably(path, `${JSON.stringify(comparison)}\n`);
  }
  removeIfThere(taken);
  return written;
}

/**
 * The command during which a file was last written. `unsure` if several sessions' commands ran then, or if a person may
 * have changed the file too: before the prompt, or while a long command ran.
 */
export async function commandOf(
  change: ChangedFile,
  commands: EndedCommand[],
  { index, log }: Pick<IngestParts, 'index' | 'log'>,
): Promise<CommandEvent | 'unknown' | 'unsure'> {
  const startOf = ({ from = change.since }: EndedCommand): number => from;
  const ran = commands
    .filter((command) => startOf(command) <= change.at && change.at <= command.until)
    .sort((a, b) => startOf(b) - startOf(a));
  const [last] = ran;
  if (last === undefined) return 'unknown';
  const rows = await index.events(ran.map(({ id }) => id));
  const row = rows.get(last.id);
  if (row === undefined || rows.size < ran.length) return 'unknown';
  const event = row.state === 'live' ? eventAt(log, row) : undefined;
  const isShared = [...rows.values()].some(({ agentSession }) => agentSession !== row.agentSession);
  if (event?.kind !== 'command' || isShared) return 'unsure';
  const isLong = last.until - startOf(last) > longCommandMs;
  if (isLong && !event.body.command.includes(basename(change.path))) return 'unsure';
  const session = await index.eventsOfSession(row.agentSession, maxEvents);
  const isAskedSince = session.some(
    ({ kind, at }) => kind === 'prompt' && at > change.since && at <= change.at,
  );
  return isAskedSince ? 'unsure' : event;
}

/** The lines of a change that are the command's and that the agent did not report itself in these edits of the file. */
export function commandHunks(
  { at, since, seen, hunks }: ChangedFile,
  command: string,
  edits: Pick<Edit, 'at' | 'hunks'>[],
): EditHunk[] {
  const reported = edits.filter((edit) => edit.at >= since && edit.at <= seen + hookDelayMs);
  // An edit is recorded after the agent wrote the file. Then no command has written it since.
  if (reported.some((edit) => edit.at >= at && edit.at <= seen)) return [];
  const known = new Set(reported.flatMap((edit) => edit.hunks.flatMap(({ added }) => added)));
  const text = writesItsText.test(command) ? command : '';
  const spelled = new Set(['', text, text.replace(/^\+/gm, '')].flatMap(linesIn).map(lineHash));
  const isSpelled = hunks.some(
    ({ added }) => added.some((hash) => hash !== blank) && added.every((hash) => spelled.has(hash)),
  );
  const isOthers = (hash: string): boolean => known.has(hash) || (isSpelled && !spelled.has(hash));
  return withoutAdded(hunks, isOthers);
}

/** The change as an edit of the turn in which the command ran. */
export function editOf(
  { path, at, created, hunks }: ChangedFile,
  command: CommandEvent,
  cwd: string,
): Observation {
  const { id, agentSession, agentVersion, branch } = command;
  const { turn = '', subagent } = command.body;
  const inTurn = { turn, ...(subagent === undefined ? {} : { subagent }) };
  return {
    kind: 'edit',
    id: hashId('command-edit', id, path, String(at)),
    at: isoTime(Math.round(at)),
    origin: 'tool',
    trust: 1,
    ...{ cwd, agentSession, agentVersion, branch },
    body: { ...inTurn, tool: 'command', path, ...(created ? { created } : {}), hunks, command: id },
  };
}
