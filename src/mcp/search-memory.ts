import type { EventLog } from '../store/events/event-log.ts';

/** What was answered before, so that a repeated search costs the agent a line instead of the same answer again. */
export interface SearchMemory {
  /** The earlier search with this very answer, if the agent still has it before its eyes. */
  record(
    question: string,
    answer: unknown,
    isForced: boolean,
  ): { searchId: string; epoch: number; isRepeat: boolean };
}

/**
 * The search is run either way and answers are compared: whatever changed, an agent is never pointed at
 * something that is no longer so. A compaction takes earlier answers out of the agent's sight, so it begins a
 * new epoch.
 */
export function createSearchMemory(log: EventLog): SearchMemory {
  const known = new Map<string, { searchId: string; said: string; epoch: number }>();
  const epochNow = createEpoch(log);
  let count = 0;
  return {
    record(question, answer, isForced) {
      const epoch = epochNow();
      const said = JSON.stringify(answer);
      const before = known.get(question);
      if (!isForced && before?.said === said && before.epoch === epoch)
        return { searchId: before.searchId, epoch, isRepeat: true };
      const searchId = `search-${String(++count).padStart(4, '0')}`;
      known.set(question, { searchId, said, epoch });
      return { searchId, epoch, isRepeat: false };
    },
  };
}

function createEpoch(log: EventLog): () => number {
  const position = log.end();
  let epoch = 0;
  return () => {
    for (const { file, end, entry } of log.read(position)) {
      position[file] = end;
      if (entry.kind === 'event' && (entry.event.kind === 'compaction' || entry.event.kind === 'session'))
        epoch++;
    }
    return epoch;
  };
}
