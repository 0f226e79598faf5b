import { type HistoryPrompt, isHistoryFile, observeHistoryPrompt } from '../../agents/claude-code/history.ts';
import { textFingerprint } from '../../base/hash.ts';
import type { EventLog } from '../../store/events/event-log.ts';
import { redact } from '../redact/redact.ts';
import { createEventWriter, type IngestParts } from './event-writer.ts';

/**
 * Adds prompts of Claude Code's `history.jsonl` that the log does not have from a transcript or a hook. Returns how
 * many. Transcripts must have been read before.
 */
export async function addHistory(parts: IngestParts, prompts: HistoryPrompt[]): Promise<number> {
  const found = prompts.map((prompt) => ({ ...prompt, observation: observeHistoryPrompt(prompt, redact) }));
  const stored = await parts.index.events(found.map(({ observation }) => observation.id));
  const fresh = found.filter(({ observation }) => !stored.has(observation.id));
  if (fresh.length === 0) return 0;
  const known = readKnownPrompts(parts.log);
  const writer = createEventWriter(parts, 'claude-code');
  for (const { session, at, observation } of fresh) {
    const prompt = { at, fingerprint: textFingerprint(observation.body.text) };
    if (!isKnown(prompt, session, known)) await writer.add(observation);
  }
  return writer.flush();
}

interface PromptMark {
  at: number;
  fingerprint: string;
}

type KnownPrompts = ReturnType<typeof readKnownPrompts>;

function readKnownPrompts(log: Pick<EventLog, 'read'>) {
  const known = { transcripts: new Set<string>(), bySession: new Map<string, PromptMark[]>() };
  for (const { entry } of log.read({})) {
    if (entry.kind !== 'event' || entry.event.agent !== 'claude-code') continue;
    const { event } = entry;
    if (isHistoryFile(event.source?.file ?? '')) continue;
    // The hook of a session's start names the transcript, but has not read it.
    if (event.source !== undefined && event.kind !== 'session') known.transcripts.add(event.agentSession);
    if (event.kind !== 'prompt') continue;
    const mark = { at: Date.parse(event.at), fingerprint: textFingerprint(event.body.text) };
    const own = known.bySession.get(event.agentSession) ?? [];
    known.bySession.set(event.agentSession, [...own, mark]);
  }
  return known;
}

/** Time between the hook of a prompt and the entry of the same prompt in the history. */
const maxHookDelayMs = 5_000;
/** A prompt that is typed while Claude Code is busy is sent later. */
const maxQueuedMs = 10 * 60_000;

function isKnown(prompt: PromptMark, session: string, { transcripts, bySession }: KnownPrompts): boolean {
  // A transcript has all prompts of its session.
  if (transcripts.has(session)) return true;
  const others = session === '' ? [...bySession.values()].flat() : (bySession.get(session) ?? []);
  return others.some(({ at, fingerprint }) => {
    const apart = Math.abs(at - prompt.at);
    if (apart <= maxHookDelayMs) return true;
    return fingerprint === prompt.fingerprint && (session !== '' || apart <= maxQueuedMs);
  });
}
