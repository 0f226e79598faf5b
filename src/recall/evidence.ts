import { unicodeForms } from '../base/unicode-forms.ts';
import type { Chunk, ChunkFilter } from '../domain/chunk.ts';
import type { Edit } from '../domain/edit.ts';
import { sumUsage, type TurnUsage } from '../domain/usage.ts';
import type { EventRow, FileStep, ListOrder, LogIndex, NoteTies, ReadStep } from '../store/store.ts';
import { describeSessions } from './describe-sessions.ts';
import { listChunks, type UnindexedEvents, withSearched } from './unindexed-events.ts';
import { type RecallLimits, type RecallParts, withoutMeaning } from './with-index.ts';

/** How many edits are looked up for a line. One with more must be looked up together with its file. */
export const editsPerLine = 50;
const editsPerFile = 300;
const stepsPerQuestion = 400;
const stepsPerFile = 500;
const eventsPerSession = 10_000;
const maxStatements = 5_000;
const statementKinds: Chunk['kind'][] = ['decision', 'rule', 'preference', 'fact', 'failed', 'open'];

export const withEvidence = <T>(
  parts: RecallParts,
  limits: RecallLimits,
  work: (evidence: Evidence) => Promise<T>,
): Promise<T> =>
  withSearched(withoutMeaning(parts), limits, async ({ index, tail }) => work(await evidenceIn(index, tail)));

/** Lookups of edits, reads, notes and chunks, over the index and the events that are not indexed yet. */
export async function evidenceIn(index: LogIndex | undefined, tail: UnindexedEvents) {
  const { edits, drop, put, rows, steps } = tail.replay;
  const recent = [...edits.values()].sort((a, b) => b.at - a.at);
  const merged = <T extends { id: string }>(indexed: T[] | undefined, own: T[]): T[] => [
    ...own,
    ...(indexed ?? []).filter(({ id }) => !drop.has(id)),
  ];
  const tiesOf = async (notes: string[]): Promise<Map<string, NoteTies>> => {
    const indexed = (await index?.noteTies(notes)) ?? new Map<string, NoteTies>();
    return new Map([...indexed, ...[...tail.notes].filter(([id]) => notes.includes(id))]);
  };
  const chunks = (filter: ChunkFilter, limit: number, order?: ListOrder): Promise<Chunk[]> =>
    listChunks({ index, tail }, filter, limit, order);
  const events = async (ids: string[]) => {
    const indexed = (await index?.events(ids)) ?? new Map<string, EventRow>();
    const own = ids.flatMap((id): [string, EventRow][] => {
      const row = rows.get(id);
      return row === undefined ? [] : [[id, row]];
    });
    return new Map([...indexed, ...own]);
  };
  const readStatements = async () => {
    const notes = await chunks({ source: 'note', kinds: statementKinds }, maxStatements);
    const ties = await tiesOf(notes.map(({ sourceId }) => sourceId));
    const made = notes.flatMap((note) =>
      (ties.get(note.sourceId)?.derivedFrom ?? []).map((event) => ({ event, note })),
    );
    const known = await events(made.map(({ event }) => event));
    return Map.groupBy(
      made.map((one) => ({ ...one, row: known.get(one.event) })),
      ({ event }) => event,
    );
  };
  const usesOf = async (agentSession: string): Promise<TurnUsage[]> =>
    [
      ...((await index?.steps({ agentSession, kinds: ['usage'] })) ?? []),
      ...[...steps.values()].filter((step) => step.agentSession === agentSession),
    ].filter((step) => step.kind === 'usage');
  const uses = new Map<string, Promise<TurnUsage[]>>();
  /** A question about several sessions needs them for each. */
  let statements: ReturnType<typeof readStatements> | undefined;
  return {
    isEmpty: recent.length === 0 && index?.edits.hasAny() !== true,
    async editsWithLines(hashes: string[]) {
      const wanted = new Set(hashes);
      const has = ({ hunks }: Edit) =>
        hunks.some(({ added, removed }) => [...added, ...removed].some((hash) => wanted.has(hash)));
      return merged(index?.edits.withLines(hashes, editsPerLine), recent.filter(has));
    },
    async editsOfFile(path: string) {
      const own = recent.filter((edit) => edit.path === path);
      return merged(index?.edits.ofFile(path, editsPerFile), own);
    },
    /** Reads and edits of a file, newest first. The end of its path is enough. */
    async stepsOfFile(file: string) {
      const ends = unicodeForms(`/${file.replaceAll('\\', '/').replace(/^\.?\/+/, '')}`);
      const own = [...steps.values()].filter(
        (step): step is FileStep => 'path' in step && ends.some((end) => `/${step.path}`.endsWith(end)),
      );
      const newest = own.sort((a, b) => b.at - a.at);
      return merged(await index?.stepsOfFile(file, stepsPerFile), newest);
    },
    async ofTurns(turns: string[]) {
      const wanted = new Set(turns);
      const indexed = await index?.evidenceOfTurns(turns, stepsPerQuestion);
      const isWanted = (id: string) => wanted.has(rows.get(id)?.turn ?? '');
      const reads = [...steps.values()].filter(
        (step): step is ReadStep => step.kind === 'read' && isWanted(step.id),
      );
      const edits = recent.filter(({ turn }) => turn !== '' && wanted.has(turn));
      return {
        edits: merged(indexed?.edits, edits).sort((a, b) => a.at - b.at),
        reads: merged(indexed?.reads, reads).sort((a, b) => a.at - b.at),
      };
    },
    tiesOf,
    chunks,
    /** The events of an agent session in order, the texts of its prompts, commands and edits, and what it read by event. */
    async ofSession(agentSession: string) {
      const isOwn = (one: { agentSession: string }) => one.agentSession === agentSession;
      const indexed = (await index?.eventsOfSession(agentSession, eventsPerSession)) ?? [];
      const newest = [...rows.values()].filter((row) => isOwn(row) && row.state === 'live');
      const reads = [
        ...((await index?.steps({ agentSession, kinds: ['read'] })) ?? []),
        ...[...steps.values()].filter(isOwn),
      ];
      const told: ChunkFilter = { agentSession, kinds: ['prompt', 'command', 'edit'], source: 'event' };
      return {
        rows: [...indexed.filter(({ id }) => !rows.has(id)), ...newest.sort((a, b) => a.at - b.at)],
        chunks: await chunks(told, eventsPerSession, 'oldest'),
        reads: new Map(reads.flatMap((step) => (step.kind === 'read' ? [[step.id, step.path]] : []))),
      };
    },
    /** The model that made the edit, or else the one that the session used most. */
    async modelOf({ agentSession, turn }: Pick<Edit, 'agentSession' | 'turn'>): Promise<string | undefined> {
      const reading = uses.get(agentSession) ?? usesOf(agentSession);
      uses.set(agentSession, reading);
      const own = await reading;
      const inTurn = sumUsage(own.filter((use) => use.turn === turn));
      return (inTurn ?? sumUsage(own))?.models[0];
    },
    /** The statements that were made of what each event says. What nobody has reviewed may be none. */
    statements() {
      statements ??= readStatements();
      return statements;
    },
    events,
    async titlesOf(ids: string[]): Promise<Record<string, string>> {
      const sessions = index?.sessions.list({ ids }, ids.length) ?? [];
      return Object.fromEntries(
        (await describeSessions(index, sessions)).map(({ id, title, name }) => [id, name ?? title]),
      );
    },
    chunksOf: async (source: string) => put.get(source) ?? (await index?.get([source])) ?? [],
  };
}

export type Evidence = Awaited<ReturnType<typeof evidenceIn>>;
