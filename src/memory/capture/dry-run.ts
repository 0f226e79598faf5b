import type { TranscriptCursor } from '../../agents/agent.ts';
import type { EventEnvelope } from '../../domain/event.ts';
import { turnOf } from '../../recall/chunks.ts';
import type { EventLog } from '../../store/events/event-log.ts';
import { recordedDevice } from '../projects/device.ts';
import type { OpenProject } from '../projects/open-project.ts';
import type { EventWriterParts, KnownEvents } from './event-writer.ts';

/** Parts for an event writer that only counts. */
export interface DryRunParts extends EventWriterParts {
  /** For each transcript, where to resume reading: at the start of its last turn. */
  cursors: Map<string, TranscriptCursor>;
}

/**
 * Returns the parts for `import --dry-run`, which must leave every file as it is. What is known is read from the log:
 * even opening the index for reading creates files of SQLite. The fields are copied one by one, because reading
 * `parts.device` may create the file of the device.
 */
export function dryRunParts(parts: OpenProject): DryRunParts {
  const { project, paths, actor, exclude, userHome, clock, variables } = parts;
  return {
    project,
    paths,
    actor,
    exclude,
    userHome,
    clock,
    ...(variables === undefined ? {} : { variables }),
    device: recordedDevice(paths.device) ?? { id: '', key: '' },
    // Nothing is appended, so who typed a prompt does not matter.
    log: { append: () => {}, end: parts.log.end, read: noRecords },
    ...replay(parts.log),
  };
}

function* noRecords(): Generator<never> {}

function replay(log: EventLog): { index: KnownEvents; cursors: Map<string, TranscriptCursor> } {
  const states = new Map<string, { state: 'live' | 'forgotten'; file: string; offset: number }>();
  const place = { file: '', offset: 0 };
  const tombstones = new Set<string>();
  const sources = createCursors();
  for (const { entry } of log.read({})) {
    if (entry.kind === 'forgotten') states.set(entry.id, { state: 'forgotten', ...place });
    if (entry.kind === 'newer') states.set(entry.id, { state: 'live', ...place });
    if (entry.kind !== 'event') continue;
    const { event } = entry;
    states.set(event.id, { state: 'live', ...place });
    sources.add(event);
    if (event.kind === 'tombstone') for (const hash of event.body.keyedHashes) tombstones.add(hash);
  }
  const index: KnownEvents = {
    events: async (ids) =>
      new Map(
        ids.flatMap((id) => {
          const known = states.get(id);
          return known === undefined ? [] : [[id, known] as const];
        }),
      ),
    progress: async () => log.end(),
    hasTombstones: async () => tombstones.size > 0,
    isTombstoned: async (hash) => tombstones.has(hash),
  };
  return { index, cursors: sources.cursors() };
}

/** Computes from events what the index computes in `transcriptCursors`. */
function createCursors() {
  const last = new Map<string, TranscriptCursor>();
  const starts = new Map<string, number>();
  const keyOf = (file: string, turn: string): string => `${file}\n${turn}`;
  return {
    add(event: EventEnvelope): void {
      if (event.source === undefined) return;
      const { file, offset } = event.source;
      const turn = turnOf(event);
      if (offset >= (last.get(file)?.offset ?? 0)) last.set(file, { offset, turn });
      const key = keyOf(file, turn);
      starts.set(key, Math.min(offset, starts.get(key) ?? offset));
    },
    cursors: (): Map<string, TranscriptCursor> =>
      new Map(
        [...last].map(([file, { offset, turn }]) => [
          file,
          { offset: starts.get(keyOf(file, turn)) ?? offset, turn },
        ]),
      ),
  };
}
