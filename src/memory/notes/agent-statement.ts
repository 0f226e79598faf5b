import { AppError } from '../../base/errors.ts';
import type { Proof } from '../../distil/prove-statement.ts';
import { findNote, isEverywhere, isForeign, type Note, type NoteKind } from '../../domain/note.ts';
import { plainWords } from '../../text/plain-words.ts';
import { closeStatement } from './closing.ts';
import { distilAuthor } from './distil-mark.ts';
import { findClosed, isLive } from './note-lifecycle.ts';
import { quotesSentence } from './quotes-sentence.ts';
import { archiveNote, type NewNote, type NoteParts, newNote, reviseNote, saveNote } from './remember.ts';

export interface AgentStatement
  extends Omit<NewNote, 'trust' | 'kind' | 'text' | 'quote' | 'proposal' | 'isTopicConfirmed' | 'replaces'> {
  /** The default is the kind of the statement that it replaces. */
  kind: NoteKind | undefined;
  /** Id of the note that it replaces, or empty. */
  replaces: string;
  /** The run in which it was found in a past session, and when the user said it. */
  learned?: { run: string; at: string };
}

export interface SavedStatement {
  note: Note;
  isKnown: boolean;
  replaced?: Note;
  /** The statement that it would replace once the user confirms it. */
  wouldReplace?: Note;
}

/**
 * Saves a statement. The user's own sentences and an exchange are active and told as what was said on a day; the agent's
 * wording, and what was found in a past session, waits for confirmation. Another statement ends only if the user answered
 * "yes" to a question that names it.
 */
export async function saveAgentStatement(
  parts: NoteParts,
  { replaces, kind, learned, ...wanted }: AgentStatement,
  { form, text, quote, isTopicTyped, proposal }: Proof,
): Promise<SavedStatement> {
  const notes = await parts.notes.list();
  // What was said long ago replaces nothing.
  const named = replaces === '' || learned !== undefined ? undefined : namedBy(replaces, notes);
  // What an agent saves applies to its project. It is an exception to what the user says for every project.
  const old = named === undefined || isEverywhere(named) ? undefined : named;
  const made = newNote(parts, {
    ...wanted,
    text,
    kind: kind ?? named?.kind ?? 'decision',
    trust: form === 'reading' || learned !== undefined ? 1 : 2,
    isTopicConfirmed: isTopicTyped,
    // The text of a note without a quote is itself a quotation.
    ...(form === 'quote' ? {} : { quote }),
    proposal,
    replaces: old === undefined ? [] : [old.id],
  });
  const fresh =
    learned === undefined
      ? made
      : { ...made, updated: learned.at, validFrom: learned.at, learnedIn: learned.run };
  const closed = learned === undefined ? undefined : findClosed(fresh, notes);
  if (closed !== undefined) return { note: closed, isKnown: true };
  // The sentence may have been extracted already, without a topic.
  const isCopy = (one: Note): boolean =>
    fresh.state === 'active' && isExtracted(one) && (one.text === fresh.text || quotesSentence(fresh, one));
  const same = notes.find(
    (other) =>
      !isCopy(other) &&
      (other.state === 'active' || (other.state === 'candidate' && fresh.state === 'candidate')) &&
      other.text === fresh.text &&
      other.quote === fresh.quote &&
      // One sentence may settle two matters, of which one changes later.
      (other.topic ?? fresh.topic) === (fresh.topic ?? other.topic),
  );
  if (same !== undefined) {
    const { proposedMatch } = fresh;
    if (proposedMatch === undefined || same.match !== undefined) return { note: same, isKnown: true };
    const note = reviseNote(parts, same, { proposedMatch });
    await saveNote(parts, note, 'edit');
    return { note, isKnown: true };
  }
  await saveNote(parts, fresh, 'create');
  // It may have been extracted in between.
  for (const copy of (await parts.notes.list()).filter(isCopy)) await archiveNote(parts, copy);
  const isAgreed = old !== undefined && mayBeReplaced(old) && agreesToReplace({ quote, proposal, form }, old);
  if (old === undefined || !isAgreed)
    return { note: fresh, isKnown: false, ...(old === undefined ? {} : { wouldReplace: old }) };
  return {
    note: fresh,
    isKnown: false,
    replaced: await closeStatement(parts, old, { by: fresh.id, at: fresh.validFrom }),
  };
}

/** A sentence that was extracted without a model, so without a topic, and that nobody has edited, accepted or pinned. */
export const isExtracted = (note: Note): boolean =>
  note.author === distilAuthor &&
  note.kind !== 'summary' &&
  note.topic === undefined &&
  note.quote === undefined &&
  isLive(note) &&
  note.trust < 3 &&
  !note.pinned;

/** What the user wrote, pinned or enforced, and what is not theirs, is replaced only at a terminal or in the viewer. */
export const mayBeReplaced = (note: Note): boolean =>
  note.trust < 3 && !note.pinned && note.enforced !== true && !isForeign(note);

/** A whole answer that can mean nothing but consent, as at a prompt that asks for `y` or `n`. */
const yes = new Set('y yes yep yeah ok okay sure ja jo oui si sí sim да ага はい 是 好 好的 tak'.split(' '));

/** The user answered "yes" to "Remember: … instead of …?", and the question ends with the statement that is to end. */
function agreesToReplace(
  { quote, proposal, form }: Pick<Proof, 'quote' | 'proposal' | 'form'>,
  old: Note,
): boolean {
  const [, ending = ''] = /^remember: .+ instead of (.+)\?$/iu.exec(proposal) ?? [];
  return (
    form === 'exchange' &&
    yes.has(quote.toLowerCase().replace(/[\s.,!。]+$/u, '')) &&
    plainWords(ending) !== '' &&
    plainWords(ending) === plainWords(old.text)
  );
}

/** The active note with this id. If it was replaced since, the one that holds now. */
function namedBy(id: string, notes: Note[]): Note | undefined {
  const note = findNote(notes, id);
  if (note === undefined)
    throw new AppError('INVALID_ARGUMENT', `no note has the id ${id}`, {
      hint: 'Call recall to find the id, or leave out `replaces`',
    });
  if (note.state !== 'superseded') return note.state === 'active' ? note : undefined;
  const [closer] = note.closedBy ?? [];
  return notes.find((one) => one.id === closer && one.state === 'active');
}
