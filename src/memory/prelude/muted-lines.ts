import { hashId } from '../../base/hash.ts';
import type { LogIndex } from '../../store/store.ts';
import { recordOwnEvents } from '../capture/own-events.ts';
import { contentHashOf, type NoteParts } from '../notes/remember.ts';
import type { PreludeLine } from './prelude-file.ts';

/**
 * A person can mute a line that no note tells, such as one about the last work. Each decision is an event of the same kind
 * as one about a note. Odd decisions mute the line, even ones tell it again, and their ids are predictable.
 */
const maxDecisions = 64;

const eventOf = (line: string, decision: number) => {
  const action = decision % 2 === 1 ? ('mute' as const) : ('unmute' as const);
  const note = `line ${line}`;
  return { action, note, id: hashId('note', note, String(decision), action) };
};

async function decisionsOn(index: LogIndex | undefined, lines: string[]): Promise<Map<string, number>> {
  const known = new Map<string, number>();
  let asked = [...new Set(lines)];
  // Most lines have none, so each further decision is looked up only if there is the one before.
  for (let decision = 1; asked.length > 0 && decision <= maxDecisions; decision++) {
    const rows = await index?.events(asked.map((line) => eventOf(line, decision).id));
    asked = asked.filter((line) => rows?.has(eventOf(line, decision).id));
    for (const line of asked) known.set(line, decision);
  }
  return known;
}

export async function withoutMuted(
  index: LogIndex,
  all: PreludeLine[],
): Promise<{ told: PreludeLine[]; muted: PreludeLine[] }> {
  const decisions = await decisionsOn(
    index,
    all.flatMap(({ line }) => line ?? []),
  );
  const { told = [], muted = [] } = Object.groupBy(all, ({ line = '' }) =>
    (decisions.get(line) ?? 0) % 2 === 1 ? 'muted' : 'told',
  );
  return { told, muted };
}

/** Mutes a line, or tells it again. Returns false if that is so already. */
export async function muteLine(
  parts: NoteParts,
  index: LogIndex | undefined,
  line: string,
  isOn: boolean,
): Promise<boolean> {
  const last = (await decisionsOn(index, [line])).get(line) ?? 0;
  if ((last % 2 === 1) === isOn) return false;
  const { action, note, id } = eventOf(line, last + 1);
  recordOwnEvents(parts, parts.context, [
    {
      kind: 'note',
      id,
      origin: 'user',
      trust: 3,
      body: { note, action, contentHash: contentHashOf(line), rev: last + 1 },
    },
  ]);
  return true;
}
