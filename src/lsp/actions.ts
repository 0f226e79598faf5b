import { AppError } from '../base/errors.ts';
import { anchorsFromUser } from '../drift/anchors-from-user.ts';
import { correctNote } from '../memory/notes/correct-note.ts';
import { type NewNote, rememberOnce } from '../memory/notes/remember.ts';
import { openHit } from '../memory/sessions/open-hit.ts';
import { quickLimits } from '../recall/with-index.ts';
import { harmlessLine } from '../text/fence.ts';
import { notesOnLine } from '../why/render.ts';
import type { LspParts } from './parts.ts';
import type { OpenStory } from './stories.ts';

/** A line on disk, from 1. */
export interface StoryLine extends OpenStory {
  line: number;
}

export const commands = {
  open: 'backstory.open',
  remember: 'backstory.remember',
  wrong: 'backstory.wrong',
} as const;

const maxTitleLength = 50;

/** Statements that the reason for a line shows and that a person may call wrong. */
export function disputable({ story, line }: StoryLine): { id: string; title: string }[] {
  const origin = story.origins[story.blocks.find(({ from, to }) => from <= line && line <= to)?.origin ?? -1];
  const shown = [
    ...notesOnLine(story.notes, line).map(({ chunk }) => ({ id: chunk.sourceId, text: chunk.text })),
    ...(origin?.reason?.decisions ?? []),
  ];
  const titled = shown.map(({ id, text }) => ({ id, title: harmlessLine(text, maxTitleLength) }));
  return [...new Map(titled.map((each) => [each.title, each])).values()];
}

export async function openInViewer(parts: LspParts, { place, path, line }: StoryLine): Promise<string> {
  const file = path.split('/').map(encodeURIComponent).join('/');
  // The browser keeps the part after `#` when the sign-in redirects to the viewer.
  return `${await parts.viewerLink(place)}#/file/${file}?line=${line}&project=${place.project}`;
}

export async function rememberLine(parts: LspParts, at: StoryLine, text: string): Promise<string> {
  const anchors = await anchorsFromUser([`${at.path}:${at.line}`], parts.code(at.place.root), at.place.head);
  return write(parts, at, { text, kind: 'decision', concepts: [], ...anchors });
}

/**
 * Says that a note is wrong. A person withdraws or replaces it at once. The editor of anybody else only proposes the
 * right text, which replaces the note when a person accepts it.
 */
export async function correctLine(parts: LspParts, at: StoryLine, id: string, text: string): Promise<string> {
  const opened = await openHit(parts.memory(at.place.project), id, quickLimits);
  if (opened.kind !== 'note')
    throw new AppError('NOT_FOUND', `${id} is not a note`, { hint: 'backstory ui' });
  const { note } = opened;
  if (parts.caller().kind !== 'person') {
    const { kind, files } = note;
    return write(parts, at, { text, kind, concepts: [], files, replaces: [note.id] });
  }
  const { notes, refresh } = parts.forWriting(at.place);
  await correctNote(notes, note, text === '' ? undefined : text);
  await refresh();
  return text === '' ? 'Withdrawn: new sessions no longer receive it.' : 'Replaced by what you wrote.';
}

/** As in the viewer, only what a person provably typed is trusted; any other note waits for review. */
async function write(
  parts: LspParts,
  { place }: StoryLine,
  wanted: Omit<NewNote, 'trust' | 'author'>,
): Promise<string> {
  const caller = parts.caller();
  const { notes, refresh } = parts.forWriting(place);
  const author = caller.kind === 'agent' ? caller.agent : notes.context.actor;
  const { note } = await rememberOnce(notes, { ...wanted, trust: caller.kind === 'person' ? 3 : 1, author });
  await refresh();
  return note.state === 'active'
    ? 'Remembered. New agent sessions are told.'
    : 'Saved for your review, because an editor cannot prove that a person typed it. Accept it: backstory review';
}
