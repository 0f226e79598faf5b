import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { AppError } from '../../base/errors.ts';
import { trustTexts } from '../../domain/event.ts';
import { addTextTool, alwaysLoad, cutToBytes, maxAnswerBytes } from '../../mcp/answer.ts';
import { disputeText } from '../../recall/dispute-text.ts';
import { ageOf, sourceLabel } from '../../recall/render.ts';
import { fence, harmless, harmlessLine, randomBoundary } from '../../text/fence.ts';
import type { TeamMemory } from '../../wire/answers/team.ts';
import { findMemory } from '../memories/find-memory.ts';
import { memoryChunk } from '../memories/memory-chunk.ts';
import { checkPermission, forReaders } from '../people/permissions.ts';
import type { TeamCaller } from './server.ts';

const schema = z.object({ ids: z.array(z.string().min(8)).min(1).max(20) });

const tool = {
  name: 'get_notes',
  description: 'Open ids from recall in full, with author and source.',
  schema,
  _meta: alwaysLoad,
};

export function registerGetNotes(server: McpServer, { parts, token, project }: TeamCaller): void {
  addTextTool(server, tool, ({ ids }) =>
    parts.store.inProject(token, project, async ({ member, browse }) => {
      checkPermission(member, forReaders);
      // Give each note an equal share of the answer, so that one long text does not push out the others.
      const maxBytes = Math.floor((maxAnswerBytes - 500) / ids.length);
      const texts: string[] = [];
      for (const id of ids)
        texts.push(
          cutToBytes(
            await renderOrError(() => findMemory(browse, id), parts.clock.now()),
            maxBytes,
            '\n… truncated; request this id alone to see more',
          ),
        );
      return fence('kind="notes"', [texts.join('\n\n---\n\n')], randomBoundary());
    }),
  );
}

/** Shows an unknown id as an error message, so that the other ids are still answered. */
async function renderOrError(open: () => Promise<TeamMemory>, now: number): Promise<string> {
  try {
    return render(await open(), now);
  } catch (error) {
    if (error instanceof AppError && !error.retryable) return error.message;
    throw error;
  }
}

const maxLineLength = 300;

function render(memory: TeamMemory, now: number): string {
  const header = [
    memory.kind,
    ageOf(Date.parse(memory.updated), now),
    sourceLabel(memoryChunk(memory)),
    trustTexts[memory.trust],
    `${memory.source} ${memory.sourceRef}`,
    ...(memory.author === null ? [] : [`by ${memory.author.name}`]),
    ...(memory.visibility === 'private' ? ['private'] : []),
    ...(memory.disputes ?? []).map(disputeText),
  ];
  const tags: [string, string[]][] = [
    ['files', memory.files],
    ['concepts', memory.concepts],
    ['issues', memory.issues],
  ];
  return [
    harmlessLine(`[${memory.documentId.slice(0, 8)}] ${header.join(' · ')}`, maxLineLength),
    ...tags.flatMap(([name, values]) =>
      values.length === 0 ? [] : [harmlessLine(`${name}: ${values.join(', ')}`, maxLineLength)],
    ),
    '',
    harmless(memory.text),
  ].join('\n');
}
