import { Buffer } from 'node:buffer';
import type { z } from 'zod';
import type { WorkSession } from '../domain/work-session.ts';
import type { WorkParts } from '../handoff/work-parts.ts';
import { mapStrings } from '../text/fence.ts';
import { showHidden } from '../text/hidden-characters.ts';
import { offsetOf } from '../wire/offset-cursor.ts';
import { maxAnswerBytes, type Tool, type ToolAnswer } from './answer.ts';
import type { ServerParts } from './parts.ts';
import { callSessionOf } from './record-answers.ts';
import { type LocalTool, tool } from './tool.ts';

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

/** A tool that needs the checkout and the calling agent. */
export const sessionTool = <Schema extends z.ZodType>({
  answer,
  ...about
}: Tool<Schema> & {
  answer(parts: ServerParts, work: WorkParts, input: z.output<Schema>): Promise<ToolAnswer>;
}): LocalTool =>
  tool({
    wrongCall: 'INVALID_ARGUMENT',
    ...about,
    async answer(parts, input, context) {
      const work = {
        project: parts.project,
        place: parts.place(),
        context: await parts.caller(callSessionOf(context)),
        isUser: false,
        mayWrite: parts.isActive(),
      };
      return answer(parts, work, input);
    },
  });

/** The page of a list that fits into an answer, with the cursor of the next one. */
export function pageOf(name: string, all: readonly unknown[], cursor: string | undefined) {
  const offset = offsetOf(cursor);
  const shown = itemsThatFit(all.slice(offset));
  const next = offset + shown.length;
  const more = next < all.length ? { next_cursor: String(next) } : {};
  return { [name]: shown, truncated: next < all.length, ...more };
}

export const sizeOf = (item: unknown): number => Buffer.byteLength(JSON.stringify(item)) + 1;

export function itemsThatFit<T>(
  items: readonly T[],
  maxBytes = maxAnswerBytes - 2_000,
  bytesOf: (item: T) => number = sizeOf,
): T[] {
  let bytes = 0;
  const end = items.findIndex((item) => {
    bytes += bytesOf(item);
    return bytes > maxBytes;
  });
  return end === -1 ? [...items] : items.slice(0, end);
}
