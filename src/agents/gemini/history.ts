import { dirname, isAbsolute, join } from 'node:path';
import { readJson } from '../../base/files.ts';
import { list, record, text } from '../../base/json.ts';
import { undefinedIfUnreadable } from '../../base/plain-file.ts';

/**
 * What was typed last at the terminal of a session, from a log beside the transcripts that Gemini CLI writes before it
 * does anything with it. A run with one prompt, `gemini -p`, has no log.
 */
export function lastTyped(transcript: string, session: unknown): string | undefined {
  if (!isAbsolute(transcript)) return undefined;
  const log = join(dirname(dirname(transcript)), 'logs.json');
  const entry = list(undefinedIfUnreadable(() => readJson(log)))
    .map(record)
    .findLast(({ sessionId, type }) => sessionId === session && type === 'user');
  return entry && text(entry.message);
}
