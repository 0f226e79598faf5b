import { recordId } from '../../src/agents/provisional-ids.ts';
import type { Note } from '../../src/domain/note.ts';
import { recall } from '../../src/recall/recall.ts';
import type { RankingWeights } from '../../src/recall/weights.ts';
import { thoroughLimits } from '../../src/recall/with-index.ts';
import { createFts5, documentOf } from '../retrieval/baselines.ts';
import { importSessions } from './import-sessions.ts';
import type { RealMessage, RealSet } from './read-sets.ts';

/**
 * An imported project with two search methods: recall and plain full-text search. Both return the sources of their
 * hits, best first.
 */
export interface ImportedSet {
  recall(
    text: string,
    limit: number,
    weights: RankingWeights,
  ): Promise<{ found: AnswerSource[]; match: string }>;
  /** Plain full-text search over the imported events. */
  fts5(text: string, limit: number): AnswerSource[];
}

export interface AnswerSource {
  /** Ids of the messages that the hit is, or that it was extracted from. */
  messages: string[];
  /** The whole text of the hit; empty for commands and edits, which contain no answer in words. */
  text: string;
}

/** Imports the sessions and prepares both search methods. */
export async function importSet({ name, sessions }: RealSet): Promise<ImportedSet> {
  const { parts, now } = await importSessions(name, sessions);
  const messages = sessions.flatMap((session) => session.messages);
  const sources = answerSources(messages, await parts.notes.list());
  const documents = [...parts.log.read({})].flatMap(({ entry }) =>
    entry.kind === 'event' ? (documentOf(entry.event) ?? []) : [],
  );
  const search = createFts5(documents);
  const sourceOf = (id: string): AnswerSource => sources.get(id) ?? { messages: [], text: '' };
  return {
    async recall(text, limit, weights) {
      const { hits, match } = await recall(parts, { text, limit, now }, thoroughLimits, weights);
      const found = hits.map(({ chunk }) => sourceOf(chunk.sourceId));
      return { found, match };
    },
    fts5: (text, limit) => search(text, limit).map(sourceOf),
  };
}

/** Sources by the id of the event or note. */
function answerSources(messages: RealMessage[], notes: Note[]): Map<string, AnswerSource> {
  const copies = Map.groupBy(messages.filter(isProse), proseOf);
  const sources = new Map<string, AnswerSource>();
  for (const message of messages) {
    const text = proseOf(message);
    // Recall shows equal texts only once, so one hit stands for all messages with this text.
    const own = text === '' ? [message] : (copies.get(text) ?? []);
    sources.set(eventOf(message), { messages: own.map(({ id }) => id), text });
  }
  for (const { id, kind, text, derivedFrom } of notes)
    sources.set(id, {
      // A summary is extracted from a whole session, but does not answer every question about it, so it counts for no
      // message.
      messages: kind === 'summary' ? [] : derivedFrom.flatMap((from) => sources.get(from)?.messages ?? []),
      text,
    });
  return sources;
}

const isProse = ({ act }: RealMessage): boolean => act.kind === 'prompt' || act.kind === 'answer';

const proseOf = ({ act }: RealMessage): string =>
  act.kind === 'prompt' || act.kind === 'answer' ? act.text : '';

/** The id that the import gives to the event of a message. */
const eventOf = (message: RealMessage): string =>
  recordId('claude-code', isProse(message) ? message.id : `toolu_${message.id}`);
