import { z } from 'zod';
import { messageOf } from '../base/errors.ts';
import { type Note, shortNoteId } from '../domain/note.ts';
import { recordUse } from '../memory/notes/age-notes.ts';
import { nextDigest } from '../memory/notes/learn-from-digests.ts';
import { quickLimits } from '../recall/with-index.ts';
import { showMemory } from '../remote/show-memory.ts';
import { fence, harmlessLine, randomBoundary } from '../text/fence.ts';
import { plural } from '../text/plural.ts';
import { alwaysLoad, cutToBytes, maxAnswerBytes } from './answer.ts';
import type { McpParts } from './parts.ts';
import { textTool } from './tool.ts';

/** Opens the next past session. */
const learnId = 'learn';

export const getNotes = textTool({
  name: 'get_notes',
  description: 'Open ids from recall or prelude. Id learn: next past session to learn from.',
  schema: z.object({ ids: z.array(z.string().min(1)).min(1).max(20) }),
  _meta: alwaysLoad,
  async answer(parts, { ids }) {
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
  },
});

/** An unknown id becomes a line of the answer, so that the other ids are still opened. */
async function openOne(parts: McpParts, id: string): Promise<string> {
  try {
    const { text, opened } = await showMemory(parts.project, id, quickLimits, parts.checkedCode);
    if (opened?.kind === 'note') await countUse(parts, opened.note);
    return text;
  } catch (error) {
    return `${messageOf(error)}; call recall to find ids`;
  }
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

const [maxKnownBytes, maxKnownLength] = [2_500, 160];

async function learnFromPast(parts: McpParts): Promise<string> {
  parts.ensureActive();
  const digest = await nextDigest(parts.project);
  if (digest === undefined)
    return 'No past session may be read yet. Only the user can permit it, at a terminal outside the agent: "Learn from past sessions" in the guide to notes says how. Tell them so, and stop.';
  if (digest === 'done') {
    const notes = await parts.project.notes.list();
    const waiting = notes.filter(({ state, learnedIn }) => state === 'candidate' && learnedIn !== undefined);
    return `All permitted sessions are read. Waiting for review: ${plural(waiting.length, 'statement')}. No session is told one before the user accepts it. Tell them so, and stop.`;
  }
  const known = digest.known.map(
    ({ note, kind, day, topic, text }) =>
      `| ${day} ${kind}: ${topic === '' ? '' : `${harmlessLine(topic, 60)}: `}${harmlessLine(text, maxKnownLength)} [${shortNoteId(note)}]`,
  );
  const lines = [
    ...(known.length === 0 ? [] : ['known statements', cutToBytes(known.join('\n'), maxKnownBytes, '\n…')]),
    `session of ${digest.day}${digest.part === undefined ? '' : `, part ${digest.part}`}`,
    digest.text,
  ];
  const text = fence('kind="past session"', lines, randomBoundary());
  if (digest.isContinued)
    return `${text}\nThe session goes on: get_notes ["${learnId}"] again before you save anything of it.`;
  return `${text}
Save what the person settled here and what still matters in weeks: remember with the id before "the person says" as prompt, and their words as quote. Leave out what known statements, or sessions that you have read, cover or changed. Then get_notes ["${learnId}"] again: ${digest.left} more sessions.`;
}
