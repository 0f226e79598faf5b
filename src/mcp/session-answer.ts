import { Buffer } from 'node:buffer';
import type { z } from 'zod';
import { AppError } from '../base/errors.ts';
import type { WorkSession } from '../domain/work-session.ts';
import type { Ledger } from '../handoff/ledger.ts';
import { findSession, ownSession } from '../handoff/sessions.ts';
import type { WorkParts } from '../handoff/work-parts.ts';
import { mapStrings } from '../text/fence.ts';
import { showHidden } from '../text/hidden-characters.ts';
import { offsetOf } from '../wire/offset-cursor.ts';
import { addTool, maxAnswerBytes, type Tool, type ToolAnswer, type ToolServer } from './answer.ts';
import type { McpParts } from './parts.ts';
import { callSessionOf } from './record-answers.ts';

/** Sends the same as text and as structured content: some agents show their model only one of the two. */
export function sessionAnswer(envelope: Record<string, unknown>, text?: string): ToolAnswer {
  // Make hidden characters visible before calling JSON.stringify. It would escape control characters in its own way, so
  // the text would differ from the structured content.
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

/**
 * The work session (one task, possibly spread over several agent sessions) that was opened or resumed through this
 * server, until it is closed.
 */
export interface CurrentSession {
  id?: string;
}

const workParts = async (parts: McpParts, context: unknown): Promise<WorkParts> => ({
  project: parts.project,
  place: parts.place(),
  context: await parts.caller(callSessionOf(context)),
  isUser: false,
  mayWrite: parts.isActive(),
});

/** Registers a tool that needs the checkout and the calling agent. */
export const addSessionTool = <Schema extends z.ZodType>(
  server: ToolServer,
  parts: McpParts,
  tool: Tool<Schema>,
  work: (input: z.output<Schema>, parts: WorkParts) => Promise<ToolAnswer>,
): void =>
  addTool(server, { wrongCall: 'INVALID_ARGUMENT', ...tool }, async (input, context) =>
    work(input, await workParts(parts, context)),
  );

/**
 * Returns the work session with this id. Without an id, returns the current one of this server or of the calling agent
 * session.
 */
export function sessionFor(
  id: string | undefined,
  { work, ledger, current }: { work: WorkParts; ledger: Ledger; current: CurrentSession },
): WorkSession {
  if (id !== undefined) return findSession(ledger, id);
  const found =
    (current.id === undefined ? undefined : ledger.sessions.get(current.id)) ?? ownSession(work, ledger);
  if (found !== undefined) return found;
  throw new AppError('INVALID_ARGUMENT', 'there is no current work session', {
    hint: 'Pass session_id, or call session_open',
  });
}

/** The page of a list that fits into an answer, with the cursor of the next one. */
export function pageOf(name: string, all: readonly unknown[], cursor: string | undefined) {
  const offset = offsetOf(cursor);
  const shown = itemsThatFit(all.slice(offset));
  const next = offset + shown.length;
  const more = next < all.length ? { next_cursor: String(next) } : {};
  return { [name]: shown, truncated: next < all.length, ...more };
}

export function itemsThatFit<T>(items: readonly T[], maxBytes = maxAnswerBytes - 2_000): T[] {
  let bytes = 0;
  const end = items.findIndex((item) => {
    bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
    return bytes > maxBytes;
  });
  return end === -1 ? [...items] : items.slice(0, end);
}
