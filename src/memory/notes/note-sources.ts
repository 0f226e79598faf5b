import type { Chunk } from '../../domain/chunk.ts';
import type { EventEnvelope } from '../../domain/event.ts';
import type { Note } from '../../domain/note.ts';
import { chunksOfEvent } from '../../recall/chunks.ts';
import { quickLimits, type RecallParts, withIndex, withoutMeaning } from '../../recall/with-index.ts';
import { blocksOf, type StoredPrompt } from '../../text/prompt-blocks.ts';
import { readRows } from '../sessions/session-turns.ts';

/** An event from which a note was extracted. */
export type NoteSource = Pick<Chunk, 'kind' | 'at' | 'agent' | 'agentSession' | 'branch' | 'text'> & {
  id: string;
};

/** `text` is its beginning. */
interface FoundSource extends NoteSource {
  words: StoredPrompt;
}

export const maxSources = 12;
const maxSourceLength = 600;
const maxBlocksLength = 4_000;

/**
 * Returns the events from which a note was extracted, oldest first, without forgotten ones. An event that was replaced
 * by its copy in the transcript is read from the log.
 */
export async function sourcesOf(parts: RecallParts, note: Note): Promise<NoteSource[]> {
  const found = await findSources(parts, note.derivedFrom.slice(0, maxSources));
  return [...found.values()].sort((a, b) => a.at - b.at).map((source) => sourceFor(note, source));
}

export async function findSources(parts: RecallParts, ids: string[]): Promise<Map<string, FoundSource>> {
  const wanted = [...new Set(ids)];
  const found = new Map<string, FoundSource>();
  await withIndex(withoutMeaning(parts), quickLimits, async (index) => {
    if (index === undefined) return;
    const indexed = (await index.get(wanted)).filter(({ source }) => source === 'event');
    const chunks = Map.groupBy(indexed, ({ sourceId }) => sourceId);
    // A chunk is the whole text of a short event.
    const unread = await index.events(wanted.filter((id) => chunks.get(id)?.length !== 1));
    const rows = [...unread.values()].filter(({ id, state }) => chunks.has(id) || state === 'superseded');
    const events = readRows(parts.log, rows);
    for (const id of wanted) {
      const event = events.get(id);
      const [chunk] = chunks.get(id) ?? (event === undefined ? [] : chunksOfEvent(event));
      if (chunk === undefined) continue;
      const { kind, at, agent, agentSession, branch, text } = chunk;
      const words = (event === undefined ? undefined : wordsOf(event)) ?? { text };
      found.set(id, {
        id,
        kind,
        at,
        agent,
        agentSession,
        branch,
        text: text.slice(0, maxSourceLength),
        words,
      });
    }
  });
  return found;
}

const wordsOf = ({ kind, body }: EventEnvelope): StoredPrompt | undefined =>
  kind === 'prompt' || kind === 'answer' ? (body as StoredPrompt) : undefined;

/**
 * A source as it is shown beside a note: whole if it is short, otherwise the whole blocks that have the words of the
 * note, because a line alone may say the opposite of its paragraph or list.
 */
export function sourceFor(
  { text, quote = '', proposal = '' }: Pick<Note, 'text' | 'quote' | 'proposal'>,
  { words, ...source }: FoundSource,
): NoteSource {
  if (words.text.length <= maxSourceLength) return source;
  const told = [quote, proposal, text].map(onOneLine).filter((one) => one !== '');
  const blocks = blocksOf(words).map((block) => block.text);
  const around = blocks.filter((block) => told.some((one) => onOneLine(block).includes(one)));
  return around.length === 0 ? source : { ...source, text: around.join('\n\n').slice(0, maxBlocksLength) };
}

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Of the events that a note was made from, the first prompt or, if there is none, the first event. */
export function sourceFrom(
  sources: Map<string, FoundSource>,
  note: Pick<Note, 'derivedFrom' | 'text' | 'quote' | 'proposal'>,
): { source?: NoteSource } {
  const found = note.derivedFrom.flatMap((id) => sources.get(id) ?? []);
  const source = found.find(({ kind }) => kind === 'prompt') ?? found[0];
  return source === undefined ? {} : { source: sourceFor(note, source) };
}
