import type { EventEnvelope } from '../domain/event.ts';
import { isWithheld, type Note } from '../domain/note.ts';
import type { Decision } from '../domain/snapshot.ts';
import { isKnowledgeEntry } from '../memory/capture/repository-notes.ts';
import { isOpen } from '../memory/prelude/prelude-notes.ts';
import { decisionsIn } from '../text/decisions.ts';
import { harmlessLine } from '../text/fence.ts';
import { lastingRulesIn } from '../text/lasting-rule.ts';

const maxLength = 300;
const maxNotes = 8;
const maxOpenEnds = 4;
const maxFromUser = 16;
const maxFromAgents = 4;
/** How many of the newest prompts and answers are searched for decisions. */
const maxMessages = 80;
const lasting: Note['kind'][] = ['decision', 'convention', 'gotcha', 'knowledge', 'failed-path'];

/**
 * The decisions that apply to a work session, each with its source: notes that the user wrote or approved, decisions in
 * the user's prompts, and unreviewed decisions in the agents' answers. Newest first within each group.
 */
export function decisionsFor(events: EventEnvelope[], notes: Note[]): Decision[] {
  const touched = new Set(events.flatMap((event) => (event.kind === 'edit' ? [event.body.path] : [])));
  const concerns = ({ files }: Note): number => Number(files.some((file) => touched.has(file)));
  const settled = notes.filter((note) => note.state === 'active' && note.trust >= 2 && !isWithheld(note));
  const noted = settled
    .filter(({ kind, pinned }) => pinned || lasting.includes(kind))
    .filter((note) => !isOpen(note))
    // General knowledge about the project is not specific to this work. It is left out unless pinned.
    .filter((note) => note.pinned || !isKnowledgeEntry(note))
    .sort(
      (a, b) =>
        concerns(b) - concerns(a) || Number(b.pinned) - Number(a.pinned) || compare(b.updated, a.updated),
    )
    .slice(0, maxNotes)
    .map(decisionOf);
  const open = settled
    .filter(isOpen)
    .sort((a, b) => compare(b.updated, a.updated))
    .slice(0, maxOpenEnds)
    .map(decisionOf);
  const messages = events.filter(({ kind }) => kind === 'prompt' || kind === 'answer').reverse();
  const newest = messages.slice(0, maxMessages);
  const fromUser = newest.flatMap((event) =>
    event.kind === 'prompt' && event.trust >= 2 && event.body.subagent === undefined
      ? decisionsFrom('user', event, [...decisionsIn(event.body.text), ...lastingRulesIn(event.body.text)])
      : [],
  );
  const fromAgents = newest.flatMap((event) =>
    event.kind === 'answer' && event.body.subagent === undefined
      ? decisionsFrom('agent', event, decisionsIn(event.body.text))
      : [],
  );
  return distinct([
    ...noted,
    ...open,
    ...fromUser.slice(0, maxFromUser),
    ...fromAgents.slice(0, maxFromAgents),
  ]).map((decision) => ({
    ...decision,
    text: harmlessLine(decision.text, maxLength),
  }));
}

function decisionOf(note: Note): Decision {
  const { id, updated, text, kind } = note;
  const about = isOpen(note) ? 'open-end' : kind === 'failed-path' ? kind : undefined;
  return { by: 'note', ...(about === undefined ? {} : { about }), at: updated, text, source: id };
}

const decisionsFrom = (by: Decision['by'], { at, id }: EventEnvelope, sentences: string[]): Decision[] =>
  sentences.map((text) => ({ by, at, text, source: id }));

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function distinct(decisions: Decision[]): Decision[] {
  const seen = new Set<string>();
  return decisions.filter(({ text }) => {
    const key = text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ');
    return !seen.has(key) && seen.add(key);
  });
}
