import { isDialog } from '../domain/event.ts';
import type { FileReader, Quote } from '../domain/failed-path.ts';
import type { Hit, RecallQuery } from '../domain/hit.ts';
import type { FileStep } from '../store/store.ts';
import { summaryLines } from '../text/session-account.ts';
import { sessionEnd, sessionEndLines } from '../text/session-end.ts';

import type { Evidence } from './evidence.ts';
import { summaryNoteId } from './extracted-note-id.ts';
import { quoteOf } from './failed-paths.ts';
import { pathsInText } from './paths-in-text.ts';

const maxNames = 3;
const maxReaders = 5;
const maxFirstPrompts = 5;

/**
 * Finds sessions that only read the file of a query. A session that edits a file is found by its edits, but one that
 * looked for the cause of a bug leaves no hit for the file, so its first request and its outcome are shown instead.
 */
export async function fileReadersOf(
  query: RecallQuery,
  hits: Hit[],
  evidence: Evidence,
): Promise<FileReader[]> {
  if (!asksForSessions(query)) return [];
  const names = (query.file === undefined ? pathsInText(query.text) : [query.file]).slice(0, maxNames);
  const told = new Set(hits.filter(tellsOfSession).map(({ chunk }) => chunk.agentSession));
  const readers = new Map<string, FileStep>();
  for (const name of names) {
    const steps = await evidence.stepsOfFile(name);
    const edited = new Set(steps.flatMap((step) => (step.kind === 'edit' ? [step.agentSession] : [])));
    for (const step of steps)
      if (!edited.has(step.agentSession) && !told.has(step.agentSession) && isWanted(step, query))
        readers.set(step.agentSession, readers.get(step.agentSession) ?? step);
  }
  const newest = [...readers.values()].sort((a, b) => b.at - a.at).slice(0, maxReaders);
  const withAgentWords = (query.minTrust ?? 0) < 2;
  const found: FileReader[] = [];
  for (const { path, agent, agentSession, at } of newest) {
    const asked = await firstRequest(agentSession, evidence);
    const outcome = withAgentWords ? await outcomeOf(agentSession, evidence) : undefined;
    found.push({
      path,
      agent,
      agentSession,
      at,
      ...(asked === undefined ? {} : { asked }),
      ...(outcome === undefined ? {} : { outcome }),
    });
  }
  return found;
}

/** Filters by other properties of a hit exclude whole sessions, and later pages do not repeat them. */
const asksForSessions = ({ kinds, source, folder, concept, turn, branch, pinned, offset = 0 }: RecallQuery) =>
  offset === 0 &&
  source !== 'note' &&
  [kinds, folder, concept, turn, branch, pinned].every((given) => given === undefined);

/** A command or edit among the hits does not say what its session was about. */
const tellsOfSession = ({ chunk }: Hit): boolean => chunk.kind !== 'command' && chunk.kind !== 'edit';

const isWanted = ({ at, agent, agentSession }: FileStep, query: RecallQuery): boolean =>
  agentSession !== '' &&
  (query.agent === undefined || agent === query.agent) &&
  (query.agentSession === undefined || agentSession === query.agentSession) &&
  (query.since === undefined || at >= query.since) &&
  (query.until === undefined || at <= query.until);

/** The first prompt of three words. Shorter ones, such as "hi", do not say what was asked. */
async function firstRequest(agentSession: string, evidence: Evidence): Promise<Quote | undefined> {
  const filter = { agentSession, kinds: ['prompt' as const], minTrust: 2 as const };
  const prompts = (await evidence.chunks(filter, maxFirstPrompts, 'oldest')).filter((one) => !isDialog(one));
  const chosen = prompts.find(({ text }) => /\S\s+\S+\s+\S|\p{Script=Han}{4}/u.test(text)) ?? prompts[0];
  return chosen === undefined ? undefined : quoteOf(chosen);
}

/** From the summary note or, if there is none yet, from the last answer. */
async function outcomeOf(agentSession: string, evidence: Evidence): Promise<Quote | undefined> {
  const summary = await evidence.chunksOf(summaryNoteId(agentSession));
  const [first] = summary;
  if (first !== undefined) {
    const lines = summaryLines(summary.map(({ text }) => text).join('\n'));
    return lines.length === 0 ? undefined : { ...quoteOf(first), by: 'agent', text: lines.join('\n') };
  }
  const [last] = await evidence.chunks({ agentSession, kinds: ['answer'] }, 1);
  if (last === undefined) return undefined;
  const whole = (await evidence.chunksOf(last.sourceId)).filter(({ kind }) => kind === 'answer');
  const answer = { event: last.sourceId, text: whole.map(({ text }) => text).join('\n') };
  const text = sessionEndLines(sessionEnd([], [answer])).join('\n');
  return text === '' ? undefined : { ...quoteOf(last), text };
}
