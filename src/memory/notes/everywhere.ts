import { isoTime } from '../../base/clock.ts';
import { hashId } from '../../base/hash.ts';
import { uuidOf } from '../../base/ids.ts';
import { isEverywhere, isForeign, type Note, type SaidIn, saidIn, saidLine } from '../../domain/note.ts';
import type { LogIndex } from '../../store/store.ts';
import { activationOfProject } from '../projects/activation.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { listProjects } from '../projects/projects.ts';
import { hasUnexplainedWord } from '../redact/random-word.ts';
import { notePartsOf } from './distil-sessions.ts';
import { type NewNote, type NoteParts, newNote, reviseNote, saveNote, titleOf } from './remember.ts';
import { statementOf, statesSame } from './same-statement.ts';
import { closeStatement } from './topic.ts';

/**
 * Statements of the user that apply in every project, such as "no default exports". They are notes in a folder of
 * their own beside the projects. A statement gets there because the user says so, or because they state the same
 * preference or rule in a second project.
 */

/** Writes a note for every project, or returns the active one that states the same. */
export async function rememberEverywhere(
  parts: NoteParts,
  wanted: NewNote,
): Promise<{ note: Note; isKnown: boolean }> {
  const note = newNote(parts, wanted);
  const known = (await parts.notes.list()).find(
    (other) => isEverywhere(other) && other.state === 'active' && other.text.trim() === note.text,
  );
  if (known !== undefined) return { note: known, isKnown: true };
  const place = saidLine({ day: dayOf(note), project: parts.context.project, note: '' });
  const written = { ...note, everywhere: [place] };
  await saveNote(parts, written, 'create');
  return { note: written, isKnown: false };
}

const dayOf = ({ validFrom, created }: Note): string => (validFrom || created).slice(0, 10);

/** A word with a slash or a file extension. Such a rule is about the files of one project. */
const path = /[\w.@-]+\/[\w.@*-]+|(?<![\p{L}\p{N}])[\w-]*\.[a-z]{1,4}(?![\p{L}\p{N}])/iu;

/** Whether a statement of a project would apply in every project if the user stated it in a second one. */
export const mayApplyEverywhere = (note: Note): boolean =>
  (note.kind === 'preference' || note.kind === 'convention') &&
  note.state === 'active' &&
  note.trust >= 2 &&
  !isEverywhere(note) &&
  !isForeign(note) &&
  // The team has it as a rule of the project, and closing it here would close it there.
  note.visibility === 'private' &&
  note.files.length === 0 &&
  (note.anchors ?? []).length === 0 &&
  !path.test(statementOf(note)) &&
  (note.derivedFrom.length === 0 || !hasUnexplainedWord(note.text));

/** The key under which the index records which statements were compared with other projects. */
const comparedMark = 'everywhere';

/**
 * Compares the preferences and rules of a project with those for every project and those of the other projects. Returns
 * how many notes changed. It writes only notes of this project and those for every project; the other project closes
 * its own note in its next drain.
 */
export async function spreadPreferences(
  project: OpenProject,
  index: LogIndex,
  { isOver }: { isOver(): boolean },
): Promise<number> {
  const parts = notePartsOf(project);
  const all = await project.notes.list();
  const own = all.filter(mayApplyEverywhere);
  const everywhere = all.filter(isEverywhere);
  const waiting: Note[] = [];
  for (const note of own) {
    const same = everywhere.filter((other) => statesSame(note, other));
    const active = same.find(({ state }) => state === 'active');
    const withdrawn = same.find(
      ({ state, validTo }) => state === 'superseded' && note.validFrom <= validTo && !note.pinned,
    );
    if (active !== undefined) await merge(parts, active, note);
    else if (withdrawn !== undefined) await closeStatement(parts, note, withdrawn.validTo);
    else waiting.push(note);
  }
  const changed = own.length - waiting.length;
  // Other projects are read only if there is something new to compare, because they may have thousands of notes. What
  // is new there is compared by their own drains.
  const stamp = waiting.map(({ id, rev }) => `${id}:${rev}`).join(' ');
  const isKnown = waiting.length === 0 || (await index.transcriptStamps()).get(comparedMark) === stamp;
  if (isKnown) return changed;
  const found = await compareWithOthers(project, parts, waiting, isOver);
  if (found !== undefined) await index.markTranscript(comparedMark, stamp);
  return changed + (found ?? 0);
}

/** Returns how many of the notes were found in another project, or undefined if the time was up. */
async function compareWithOthers(
  project: OpenProject,
  parts: NoteParts,
  notes: Note[],
  isOver: () => boolean,
): Promise<number | undefined> {
  let waiting = notes;
  for (const { id, linkedTo } of listProjects(project.paths)) {
    if (id === project.project || linkedTo !== undefined) continue;
    if (isOver()) return undefined;
    const other = project.openOther(id);
    if (!activationOfProject(other).on) continue;
    const theirs = (await other.notes.list()).filter(mayApplyEverywhere);
    for (const note of waiting) {
      const again = theirs.find((one) => isSecondSource(note, one) && statesSame(note, one));
      if (again === undefined) continue;
      const created = await createFromTwo(
        parts,
        { note, project: project.project },
        { note: again, project: id },
      );
      await closeStatement(parts, note, created.created);
      waiting = waiting.filter((one) => one !== note);
    }
  }
  return notes.length - waiting.length;
}

/** False for copies of one note, and for notes extracted from the same event. */
const isSecondSource = (one: Note, other: Note): boolean =>
  one.id !== other.id && !one.derivedFrom.some((event) => other.derivedFrom.includes(event));

interface Said {
  note: Note;
  project: string;
}

const placeOf = ({ note, project }: Said): SaidIn => ({ day: dayOf(note), project, note: note.id });

/**
 * Makes one statement for every project from the same statement of two. The text, and the events it was extracted from,
 * are those of one note: the one that the user wrote, or the later one.
 */
async function createFromTwo(parts: NoteParts, one: Said, other: Said): Promise<Note> {
  const both = [one, other].sort(
    (a, b) => b.note.trust - a.note.trust || (a.note.validFrom < b.note.validFrom ? 1 : -1),
  ) as [Said, Said];
  const { kind, topic, quote, trust, derivedFrom } = both[0].note;
  const now = isoTime(parts.clock.now());
  const text = statementOf(both[0].note);
  const note: Note = {
    // The same id if the drains of both projects do this at the same time.
    id: uuidOf(hashId('everywhere', ...both.map((said) => said.note.id).sort())),
    kind,
    title: titleOf(text),
    state: 'active',
    trust,
    pinned: both.some((said) => said.note.pinned),
    concepts: [],
    files: [],
    created: now,
    updated: now,
    rev: 1,
    parents: [],
    author: parts.context.actor || 'user',
    visibility: 'private',
    validFrom: both[0].note.validFrom,
    validTo: '',
    derivedFrom,
    ...(topic === undefined ? {} : { topic }),
    ...(quote === undefined ? {} : { quote }),
    replaces: both.map((said) => said.note.id),
    everywhere: both.map((said) => saidLine(placeOf(said))),
    text,
  };
  await saveNote(parts, note, 'create');
  return note;
}

/** Closes a note of the project, because the user's statement for every project says the same. */
async function merge(parts: NoteParts, { id }: Note, note: Note): Promise<void> {
  const everywhere = await parts.notes.get(id);
  if (everywhere === undefined) return;
  if (everywhere.replaces?.includes(note.id) !== true) {
    const lines = [...saidIn(everywhere), placeOf({ note, project: parts.context.project })].map(saidLine);
    const changes = {
      everywhere: lines,
      replaces: [...(everywhere.replaces ?? []), note.id],
      pinned: everywhere.pinned || note.pinned,
    };
    await saveNote(
      parts,
      { ...reviseNote(parts, everywhere, changes), updated: everywhere.updated },
      'repeat',
    );
  }
  await closeStatement(parts, note, isoTime(parts.clock.now()));
}
