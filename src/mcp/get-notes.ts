import { z } from 'zod';
import { messageOf } from '../base/errors.ts';
import type { Drift } from '../domain/anchor.ts';
import type { Note } from '../domain/note.ts';
import { driftOfChunks } from '../drift/check-drift.ts';
import { recordUse } from '../memory/notes/age-notes.ts';
import { chunkOf, type Opened, openHit } from '../memory/sessions/open-hit.ts';
import { renderOpened } from '../memory/sessions/render-opened.ts';
import { quickLimits } from '../recall/with-index.ts';
import { openTeamMemory, renderTeamMemory } from '../remote/open-team-memory.ts';
import { fence, randomBoundary } from '../text/fence.ts';
import { addTextTool, alwaysLoad, cutToBytes, maxAnswerBytes, type ToolServer } from './answer.ts';
import { learnFromPast, learnId } from './learn-from-past.ts';
import type { McpParts } from './parts.ts';

const schema = z.object({ ids: z.array(z.string().min(1)).min(1).max(20) });

const tool = {
  name: 'get_notes',
  description: 'Open ids from recall or prelude; learn: next past session to learn from.',
  schema,
  _meta: alwaysLoad,
};

export function registerGetNotes(server: ToolServer, parts: McpParts): void {
  addTextTool(server, tool, async ({ ids }) => {
    if (ids.includes(learnId)) return learnFromPast(parts);
    // Each requested note gets an equal share of the answer, so that one long text does not displace the others.
    const share = Math.floor((maxAnswerBytes - 500) / ids.length);
    const opened = await Promise.all(ids.map((id) => openOne(parts, id)));
    const texts = opened.map((text) =>
      cutToBytes(text, share, '\n… truncated; ask for it alone to see more'),
    );
    return {
      text: fence('kind="notes"', [texts.join('\n\n---\n\n')], randomBoundary()),
      record: { notes: texts.map((text, at) => ({ id: ids[at], text })) },
    };
  });
}

/** An unknown id becomes a line of the answer, so that the other ids are still opened. */
async function openOne(parts: McpParts, id: string): Promise<string> {
  try {
    const team = await openTeamMemory(parts.project, id);
    if (team !== undefined) return renderTeamMemory(team, parts.project.project, parts.clock.now());
    const opened = await openHit(parts.project, id, quickLimits);
    if (opened.kind === 'note') await countUse(parts, opened.note);
    return renderOpened(opened, parts.clock.now(), await driftOf(parts, opened));
  } catch (error) {
    return `${messageOf(error)}; call recall to find ids`;
  }
}

async function driftOf(parts: McpParts, opened: Opened): Promise<Drift | undefined> {
  const chunk = chunkOf(opened, parts.project.project);
  if (chunk === undefined) return undefined;
  return (await driftOfChunks(parts.project, [chunk], quickLimits, parts.checkedCode)).get(chunk);
}

/** Records that a note was opened. A failure is ignored: a note can be opened even if nothing may be stored. */
async function countUse(parts: McpParts, note: Note): Promise<void> {
  try {
    parts.ensureActive();
    await recordUse(parts.project, await parts.context(), note);
  } catch {
    return;
  }
}
