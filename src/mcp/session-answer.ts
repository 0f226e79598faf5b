import { Buffer } from 'node:buffer';
import type { z } from 'zod';
import { AppError } from '../base/errors.ts';
import type { WorkSession } from '../domain/work-session.ts';
import type { Ledger } from '../handoff/ledger.ts';
import { findSession, ownSession } from '../handoff/sessions.ts';
import type { WorkParts } from '../handoff/work-parts.ts';
import { showHidden } from '../text/hidden-characters.ts';
import { mapStrings } from '../text/map-strings.ts';
import { offsetOf } from '../wire/offset.ts';
import { answeringCode, maxAnswerBytes, type ToolAnswer } from './answer.ts';
import { sessionNamedIn } from './record-answers.ts';
import type { McpParts } from './server.ts';

/** The same both ways: some agents show their model the text alone, others the structure alone. */
export function sessionAnswer(envelope: Record<string, unknown>, text?: string): ToolAnswer {
  // Before it becomes text: JSON would write a control character in another way than the structure shows it.
  const shown = mapStrings(envelope, showHidden);
  return {
    content: [{ type: 'text', text: text ?? JSON.stringify(shown) }],
    structuredContent: shown,
  };
}

const seconds = (ms: number): number => Math.floor(ms / 1000);

export const sessionRecord = (session: WorkSession, repoRoot: string) => ({
  schema_version: 1,
  session_id: session.id,
  goal: session.goal,
  repo_root: repoRoot,
  branch: session.branch,
  agents: session.agents,
  status: session.status,
  created_at: seconds(session.createdAt),
  updated_at: seconds(session.updatedAt),
});

/** Which work session this server was told is meant, until it is closed. */
export interface CurrentSession {
  id?: string;
}

/** `context` is the call's: an agent that names its session there is taken at its word. */
function workParts(parts: McpParts, context: unknown): WorkParts {
  const named = sessionNamedIn(context);
  return {
    project: parts.project,
    place: parts.place(),
    context: { ...parts.caller(), ...(named === '' ? {} : { agentSession: named, clientPid: 0 }) },
    isUser: false,
    mayWrite: parts.isActive(),
  };
}

/** Every session tool: what was asked, checked, and the work it is asked in. */
export const answeringSession = <T extends z.ZodType>(
  schema: T,
  given: unknown,
  { parts, context }: { parts: McpParts; context: unknown },
  work: (checked: z.output<T>, parts: WorkParts) => Promise<ToolAnswer>,
): Promise<ToolAnswer> =>
  answeringCode(schema, given, (checked) => work(checked, workParts(parts, context)), 'INVALID_ARGUMENT');

/** The one that was named, else the one this server or this agent session is in. */
export function sessionFor(
  id: string | undefined,
  { work, ledger, current }: { work: WorkParts; ledger: Ledger; current: CurrentSession },
): WorkSession {
  if (id !== undefined) return findSession(ledger, id);
  const found =
    (current.id === undefined ? undefined : ledger.sessions.get(current.id)) ?? ownSession(work, ledger);
  if (found !== undefined) return found;
  throw new AppError('INVALID_ARGUMENT', 'no work session is current here', {
    hint: 'Give a session_id, or call session_open',
  });
}

/** A page of a list as long as an answer may be, and where the next begins. */
export function pageOf(name: string, all: readonly unknown[], cursor: string | undefined) {
  const offset = offsetOf(cursor);
  const shown = fitting(all.slice(offset));
  const next = offset + shown.length;
  const more = next < all.length ? { next_cursor: String(next) } : {};
  return { [name]: shown, truncated: next < all.length, ...more };
}

/** As many of them, from the first on, as this many bytes of an answer hold. */
export function fitting<T>(items: readonly T[], maxBytes = maxAnswerBytes - 2_000): T[] {
  let bytes = 0;
  const end = items.findIndex((item) => {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    return bytes > maxBytes;
  });
  return end === -1 ? [...items] : items.slice(0, end);
}
