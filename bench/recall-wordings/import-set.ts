import { recordId } from '../../src/agents/provisional-ids.ts';
import { recall } from '../../src/recall/recall.ts';
import { thoroughLimits } from '../../src/recall/with-index.ts';
import { importSessions, importTranscriptsOf } from './import-sessions.ts';
import type { RealMessage, RealQuestion, RealSet } from './read-sets.ts';

/** An imported project. Returns for each hit, best first, which messages and texts it stands for. */
export type Ask = (
  text: string,
  wordings: string[],
) => Promise<{ found: ((gold: RealQuestion['gold']) => boolean)[]; match: string }>;

const depth = 10;

export async function importSet({ name, sessions, transcripts }: RealSet): Promise<Ask> {
  const { parts, now } = await (transcripts === undefined
    ? importSessions(name, sessions)
    : importTranscriptsOf(name, transcripts));
  const texts = new Map(
    sessions.flatMap(({ messages }) => messages.map((message) => [eventOf(message), proseOf(message)])),
  );
  const notes = new Map((await parts.notes.list()).map((note) => [note.id, note]));
  return async (text, wordings) => {
    const { hits, match } = await recall(parts, { text, wordings, limit: depth, now }, thoroughLimits);
    const found = hits.map(({ chunk, copies = [] }) => {
      const ids = [chunk, ...copies].flatMap(({ sourceId }) => {
        const note = notes.get(sourceId);
        // A summary is extracted from a whole session, but does not answer every question about it.
        return [sourceId, ...(note?.kind === 'summary' ? [] : (note?.derivedFrom ?? []))];
      });
      return (gold: RealQuestion['gold']): boolean =>
        gold instanceof RegExp
          ? ids.some((id) => gold.test(texts.get(id) ?? notes.get(id)?.text ?? ''))
          : gold.some((id) => ids.includes(recordId('claude-code', id)));
    });
    return { found, match };
  };
}

const proseOf = ({ act }: RealMessage): string =>
  act.kind === 'prompt' || act.kind === 'answer' ? act.text : '';

/** The id that the import gives to the event of a message. */
const eventOf = (message: RealMessage): string =>
  recordId('claude-code', proseOf(message) === '' ? `toolu_${message.id}` : message.id);
