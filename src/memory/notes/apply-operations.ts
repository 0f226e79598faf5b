import { isDeepStrictEqual } from 'node:util';
import { isoTime } from '../../base/clock.ts';
import { hashId } from '../../base/hash.ts';
import { uuidOf } from '../../base/ids.ts';
import type { Operation } from '../../distil/with-model.ts';
import { isEverywhere, isForeign, type Note, type NoteState } from '../../domain/note.ts';
import { parseNoteText } from '../../text/note-text.ts';
import { queryTerms } from '../../text/words.ts';
import { distilAuthor } from './distil-mark.ts';
import { type DistilRun, extractedNote, isBuried } from './distil-sessions.ts';
import { findClosed, findSame, numbersIn } from './note-lifecycle.ts';
import { reviseNote, saveNote, titleOf } from './remember.ts';
import { activeOnMatter, closeStatement, saveStatement } from './topic.ts';
import { isUntouched } from './untouched-note.ts';

/**
 * Applies the operations of a model to the statements of a project, and returns how many changed something. A verified
 * statement becomes active and replaces the earlier one on its topic. All others become candidates. What the user wrote,
 * edited or pinned is never changed; then the operation becomes a candidate that the user can approve.
 */
export async function applyOperations(
  run: DistilRun,
  agentSession: string,
  operations: Operation[],
): Promise<number> {
  let applied = 0;
  for (const operation of operations) {
    const isClosing = operation.op === 'withdraw' || operation.op === 'resolve';
    if (await (isClosing ? close(run, agentSession, operation) : state(run, agentSession, operation)))
      applied += 1;
  }
  return applied;
}

/** Withdraws a statement or resolves an open item. */
async function close(run: DistilRun, agentSession: string, operation: Operation): Promise<boolean> {
  const { parts, notes } = run;
  const old = await current(run, operation.replaces);
  if (old === undefined || old.validFrom > isoTime(operation.at)) return false;
  const isUsers = await belongsToUser(run, old);
  if (operation.isVerified && !isUsers) {
    notes.set(old.id, await closeStatement(parts, old, isoTime(operation.at), 'withdraw'));
    return true;
  }
  if (!isUsers && operation.isUnchecked === true) return archive(run, old);
  return operation.text !== '' && state(run, agentSession, { ...operation, isVerified: false });
}

/** Archives a note that was extracted without a model, because the model found it wrong or says it better. */
async function archive({ parts, notes }: DistilRun, note: Note): Promise<boolean> {
  const archived = { ...reviseNote(parts, note, { state: 'archived' as const }), updated: note.updated };
  await saveNote(parts, archived, 'archive');
  notes.set(note.id, archived);
  return true;
}

async function state(run: DistilRun, agentSession: string, operation: Operation): Promise<boolean> {
  const { parts, notes, index } = run;
  const note = toNote(run, agentSession, operation);
  if (notes.has(note.id) || (await isBuried(run, note, operation.turn, agentSession))) return false;
  // According to the log the note was created, but its file is missing, so the user deleted it.
  const created = hashId('note', note.id, '1', 'create');
  if ((await index.events([created])).get(created)?.state === 'live') return false;
  const own = [...notes.values()].filter((other) => !isForeign(other));
  // The user or an earlier answer has closed what these words said. Extraction without a model closes a statement even
  // when in doubt, so that does not count.
  const judged = own.filter((other) => !isAutomatic(other));
  if (findClosed(note, judged) !== undefined) return false;
  const copies = await filterAsync(copiesOf(note, own), async (one) => !(await belongsToUser(run, one)));
  const others = own.filter((one) => !copies.includes(one));
  if (isStated(note, others) || (note.state === 'candidate' && copies.length > 0)) return false;

  const replaced = await replacedBy(run, operation, note, others);
  const users = await filterAsync(replaced, (old) => belongsToUser(run, old));
  const newer = replaced.find((old) => old.validFrom > note.validFrom);
  if (note.state === 'candidate' || users.length > 0) {
    const replaces = replaced.map(({ id }) => id);
    await create(run, { ...note, state: 'candidate', ...(replaces.length === 0 ? {} : { replaces }) });
    if (operation.op === 'amend' && users.length === 0) await closeDoubted(run, operation);
    return true;
  }
  if (newer !== undefined) await create(run, { ...note, state: 'superseded', validTo: newer.validFrom });
  else notes.set(note.id, await saveStatement(parts, note, replaced));
  for (const one of copies) await archive(run, one);
  for (const { id } of replaced) {
    const stored = await parts.notes.get(id);
    if (stored !== undefined) notes.set(id, stored);
  }
  return true;
}

/**
 * Closes the statement that the model amends if the user's quoted words exist but do not confirm the new wording. Which
 * of the two holds is for the user to say, and until then neither is told.
 */
async function closeDoubted(run: DistilRun, { replaces, quote, at }: Operation): Promise<void> {
  const old = quote === '' ? undefined : await current(run, replaces);
  if (old === undefined || old.validFrom > isoTime(at)) return;
  run.notes.set(old.id, await closeStatement(run.parts, old, isoTime(at), 'withdraw'));
}

async function create({ parts, notes }: DistilRun, note: Note): Promise<void> {
  await saveNote(parts, note, 'create');
  notes.set(note.id, note);
}

/** The active statements that the operation names, or that are on its topic. */
async function replacedBy(run: DistilRun, operation: Operation, note: Note, own: Note[]): Promise<Note[]> {
  const named = await current(run, operation.replaces);
  const onTopic = activeOnMatter(operation, own);
  const all = new Set(named === undefined ? onTopic : [named, ...onTopic]);
  return [...all].filter((old) => old.id !== note.id && own.includes(old));
}

/** The statement, unless the user changed it during the call. */
async function current({ parts, notes }: DistilRun, id: string | undefined): Promise<Note | undefined> {
  const known = id === undefined ? undefined : notes.get(id);
  if (known?.state !== 'active' || isForeign(known) || isEverywhere(known)) return undefined;
  return isDeepStrictEqual(await parts.notes.get(known.id), known) ? known : undefined;
}

/** Whether the user wrote, edited or pinned the note. The file may have been edited without Backstory. */
const belongsToUser = async ({ parts, index }: DistilRun, note: Note): Promise<boolean> =>
  note.trust === 3 || note.pinned || !(await isUntouched(parts.log, index, note));

/** A note that was extracted without a model: it is a quotation, so it has no separate quote. */
const isAutomatic = ({ author, quote }: Note): boolean => author === distilAuthor && quote === undefined;

/** Whether a note has the same words. A candidate is no reason not to state what the user said. */
function isStated(note: Note, notes: Note[]): boolean {
  const words = termsOf(note.text);
  const states: NoteState[] = note.state === 'candidate' ? ['active', 'candidate'] : ['active'];
  return notes.some((other) => states.includes(other.state) && termsOf(other.text) === words);
}

const termsOf = (text: string): string =>
  [...new Set([...queryTerms(text).terms, numbersIn(text)])].sort().join(' ');

/**
 * Notes that the new one makes redundant: those extracted without a model that say the same or quote the same words of
 * the user, and candidates with the same words.
 */
function copiesOf(note: Note, notes: Note[]): Note[] {
  const live = notes.filter(({ state }) => state === 'active' || state === 'candidate');
  const automatic = live.filter(isAutomatic);
  const same = findSame(note, automatic);
  const words = plain(note.quote ?? note.text);
  const terms = termsOf(note.text);
  return live.filter((other) => {
    if (other.state === 'candidate' && other.author === distilAuthor && termsOf(other.text) === terms)
      return true;
    if (!automatic.includes(other)) return false;
    const own = plain(parseNoteText(other.text).statement.join(' '));
    const isSameTurn = other.derivedFrom.some((id) => note.derivedFrom.includes(id));
    return other === same || (isSameTurn && (words.includes(own) || own.includes(words)));
  });
}

const plain = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');

async function filterAsync<T>(all: T[], test: (one: T) => Promise<boolean>): Promise<T[]> {
  const chosen: T[] = [];
  for (const one of all) if (await test(one)) chosen.push(one);
  return chosen;
}

function toNote({ parts }: DistilRun, agentSession: string, operation: Operation): Note {
  const redact = (value: string): string => parts.redactor?.redact(value) ?? value;
  const { kind, turn, evidence, files, importance, isVerified, trust } = operation;
  const [text, topic, quote] = [redact(operation.text), redact(operation.topic), redact(operation.quote)];
  // If a failed call is repeated, the model may answer in another order or in other words, but on the same topics.
  const place = [...new Set(queryTerms(operation.topic).terms)].sort().join(' ') || operation.topic;
  return extractedNote({
    id: uuidOf(hashId('distil', agentSession, `model ${turn}`, place)),
    kind,
    title: titleOf(text),
    state: isVerified ? 'active' : 'candidate',
    trust,
    concepts: [],
    files,
    at: isoTime(operation.at),
    derivedFrom: evidence,
    ...(topic === '' ? {} : { topic }),
    ...(quote === '' ? {} : { quote }),
    ...(importance === undefined ? {} : { importance }),
    text,
  });
}
