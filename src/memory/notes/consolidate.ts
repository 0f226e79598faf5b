import { isDeepStrictEqual } from 'node:util';
import { hashId } from '../../base/hash.ts';
import { keyedHash } from '../../base/ids.ts';
import type { Note } from '../../domain/note.ts';
import type { Embedder, EmbedderSource } from '../../models/embed.ts';
import type { LogIndex } from '../../store/store.ts';
import type { Device } from '../projects/device.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { notePartsOf } from './distil-sessions.ts';
import { type NoteParts, reviseNote, saveNote } from './remember.ts';
import {
  byAge,
  isOwnTheme,
  isTheme,
  isThemeSource,
  namesIn,
  themeConcept,
  themeIdOf,
  themeNote,
} from './theme-note.ts';
import { createThemeSense, findThemes, type ThemeSense } from './theme-sense.ts';
import { createThemeFinder, isNamedBy, subjectOf, type ThemeFinder, type ThemeNote } from './themes.ts';
import { noteHash } from './tombstones.ts';
import { isUntouched } from './untouched-note.ts';

/**
 * Combines notes about one theme into one knowledge note that refers to its sources. The text of a theme is computed
 * from its source notes, so a drain can recompute it at any time: a source that was forgotten, rejected or superseded
 * loses its line, and if nothing changed, nothing is written. A theme that the user edited is never changed.
 */
export interface Consolidation {
  made: Note[];
  changed: Note[];
  /** Themes that were archived because too few of their source notes were left. */
  dissolved: Note[];
}

export interface ConsolidateOptions {
  /** Whether notes may join themes and form new ones. Otherwise existing themes only follow their sources. */
  mayGrow: boolean;
  /** Reports what would be done without writing. */
  isDry?: boolean;
}

const minNotesToKeep = 2;
/**
 * How many notes are considered, starting with the newest. The number is limited, because every note is compared with
 * every other.
 */
const maxNotes = 1_500;

/** Trusted and untrusted notes are never mixed: one unreviewed line would lower the trust of a whole theme. */
const pools = [(note: Note): boolean => note.trust >= 2, (note: Note): boolean => note.trust < 2];

/** Marks a source note of a theme that the user rejected, so that the note never joins a theme again. */
export const themeHash = (device: Device, source: string): string => keyedHash(device.key, `theme ${source}`);

export async function consolidate(
  parts: OpenProject,
  index: LogIndex,
  { mayGrow, isDry = false }: ConsolidateOptions,
): Promise<Consolidation> {
  const notes = await parts.notes.list();
  const done: Consolidation = { made: [], changed: [], dissolved: [] };
  if (!mayGrow && !notes.some(isTheme)) return done;
  const run: ConsolidateRun = { parts, own: notePartsOf(parts), index, notes, isDry, done };
  const editedThemes: Note[] = [];
  const ownThemes: Note[] = [];
  for (const theme of notes.filter(isTheme))
    ((await isUnedited(run, theme)) ? ownThemes : editedThemes).push(theme);
  const taken = new Set(editedThemes.flatMap(({ derivedFrom }) => derivedFrom));
  for (const isIn of pools) {
    const sources = notes.filter((note) => isThemeSource(note) && isIn(note) && !taken.has(note.id));
    const own = ownThemes.filter(isIn);
    if (sources.length + own.length > 0) await consolidatePool(run, sources, own, mayGrow);
  }
  return done;
}

interface ConsolidateRun {
  parts: OpenProject;
  own: NoteParts;
  index: LogIndex;
  notes: Note[];
  isDry: boolean;
  done: Consolidation;
}

/**
 * Returns whether the user has left the text of a theme as Backstory wrote it, according to the log. If the process
 * was killed after it wrote the theme's file and before it logged that, the text is compared with the one computed
 * from the theme's sources.
 */
async function isUnedited(
  { parts, own, index, notes, isDry }: ConsolidateRun,
  theme: Note,
): Promise<boolean> {
  if (!isOwnTheme(theme)) return false;
  if (await isUntouched(parts.log, index, theme)) return true;
  const sources = theme.derivedFrom.flatMap((id) => notes.find((note) => note.id === id) ?? []);
  const names = namesIn(theme.concepts);
  const isAsComputed =
    sources.length === theme.derivedFrom.length &&
    themeNote(theme.id, sources, names).text.trim() === theme.text.trim();
  if (isAsComputed && !isDry) await saveNote(own, theme, theme.rev === 1 ? 'create' : 'edit');
  return isAsComputed;
}

async function consolidatePool(
  run: ConsolidateRun,
  sources: Note[],
  themes: Note[],
  wanted: boolean,
): Promise<void> {
  const model = wanted ? await modelOf(run.parts.embedder) : undefined;
  const mayGrow = wanted && model !== 'away';
  const embedder = model === 'away' ? undefined : model;
  const joined = new Set(themes.flatMap(({ derivedFrom }) => derivedFrom));
  const newest = new Set([...sources].sort(byAge).slice(-maxNotes));
  const chosen = sources.filter((note) => joined.has(note.id) || (mayGrow && newest.has(note)));
  const all = await withVectors(chosen, embedder);
  const finder = createThemeFinder(all);
  const byId = new Map(all.map((one) => [one.note.id, one]));
  const members = new Map(themes.map((theme) => [theme, membersOf(theme, byId)]));
  if (mayGrow) await grow(run, { finder, sense: createThemeSense(all, embedder) }, all, members);
  for (const [theme, own] of members) {
    if (own.length >= minNotesToKeep) await rewrite(run, theme, own, finder);
    else if (theme.state !== 'archived') await dissolve(run, theme);
  }
}

/**
 * Returns the source notes of a theme that are still valid and that, even if they were edited, are still about the
 * theme.
 */
const membersOf = ({ derivedFrom, concepts }: Note, byId: Map<string, ThemeNote>): ThemeNote[] =>
  derivedFrom.flatMap((id) => byId.get(id) ?? []).filter(({ note }) => isNamedBy(note, namesIn(concepts)));

/** Adds notes to existing themes; the remaining ones may form new themes. */
async function grow(
  run: ConsolidateRun,
  { finder, sense }: { finder: ThemeFinder; sense: ThemeSense },
  all: ThemeNote[],
  members: Map<Note, ThemeNote[]>,
): Promise<void> {
  const inTheme = new Set([...members.values()].flat());
  const free: ThemeNote[] = [];
  for (const one of all) {
    if (inTheme.has(one) || (await isRejected(run, one.note))) continue;
    const living = [...members].filter(([, own]) => own.length >= minNotesToKeep);
    const joined = finder.join(
      one,
      living.map(([, own]) => own),
    );
    const names = joined === undefined ? [] : finder.namesOf([...joined, one]);
    if (joined !== undefined && (await sense.fits(one, joined, names))) joined.push(one);
    else free.push(one);
  }
  for (const group of await findThemes(finder, sense, free))
    await createTheme(run, group, finder.calledBy(group), members);
}

async function isRejected({ parts, index }: ConsolidateRun, { id }: Note): Promise<boolean> {
  return (await index.hasTombstones()) && index.isTombstoned(themeHash(parts.device, id));
}

async function createTheme(
  { parts, own, index, notes, isDry, done }: ConsolidateRun,
  group: ThemeNote[],
  names: string[],
  members: Map<Note, ThemeNote[]>,
): Promise<void> {
  const sources = group.map(({ note }) => note);
  const id = themeIdOf(sources[0] as Note);
  const known = notes.find((note) => note.id === id);
  if (known !== undefined) {
    // A theme with this id exists. It takes the notes unless the user has edited it; if it had been dissolved, it is
    // revived.
    if (members.has(known)) members.set(known, group);
    return;
  }
  if (await index.isTombstoned(noteHash(parts.device, id))) return;
  // According to the log the theme was created, but its file is missing, so the user deleted it. Do not create it
  // again.
  const created = hashId('note', id, '1', 'create');
  if ((await index.events([created])).get(created)?.state === 'live') return;
  const note = clean(own, themeNote(id, sources, names));
  if (!isDry) await saveNote(own, note, 'create');
  done.made.push(note);
}

async function rewrite(
  run: ConsolidateRun,
  theme: Note,
  members: ThemeNote[],
  finder: ThemeFinder,
): Promise<void> {
  const sources = members.map(({ note }) => note);
  const { own } = run;
  // Keep the names in the title that still apply to all source notes, so that the title does not change with every
  // note.
  const kept = namesIn(theme.concepts).filter((name) => sources.every((note) => isNamedBy(note, [name])));
  const [names = []] = [kept, finder.namesOf(members), namesIn(theme.concepts)].filter(
    (known) => known.length > 0,
  );
  const fresh = clean(own, themeNote(theme.id, sources, names));
  const { title, state, trust, concepts, files, updated, validFrom, derivedFrom, text } = fresh;
  const isSame =
    theme.text.trim() === text.trim() &&
    theme.state === state &&
    theme.trust === trust &&
    theme.title === title;
  if (isSame) return;
  await change(run, theme, { title, state, trust, concepts, files, updated, validFrom, derivedFrom, text });
  run.done.changed.push(fresh);
}

/**
 * Archives a theme that has too few sources. The note is kept, so that a dissolved theme can be distinguished from one
 * that the user deleted. The names in its title are removed, because they are words of notes that may have been
 * forgotten.
 */
async function dissolve(run: ConsolidateRun, theme: Note): Promise<void> {
  await change(run, theme, {
    state: 'archived',
    title: 'A former theme',
    text: 'A former theme: too few of its notes are still valid.',
    concepts: [themeConcept],
    derivedFrom: [],
    files: [],
    updated: theme.updated,
  });
  run.done.dissolved.push(theme);
}

/** Writes a changed theme, unless the user changed the note since this run began. */
async function change(
  { parts, own, isDry }: ConsolidateRun,
  theme: Note,
  changes: Partial<Note>,
): Promise<void> {
  if (isDry || !isDeepStrictEqual(await parts.notes.get(theme.id), theme)) return;
  await saveNote(own, { ...reviseNote(own, theme, changes), ...changes }, 'edit');
}

function clean({ redactor }: NoteParts, note: Note): Note {
  return redactor === undefined
    ? note
    : { ...note, title: redactor.redact(note.title), text: redactor.redact(note.text) };
}

/**
 * Loads the embedding model. `away`: the configured model is unreachable. Then no note joins a theme in this run,
 * because themes by common words alone would be worse.
 */
async function modelOf(source: EmbedderSource | undefined): Promise<Embedder | 'away' | undefined> {
  if (source === undefined) return undefined;
  try {
    const embedder = await source();
    await embedder.embed(['theme']);
    return embedder;
  } catch {
    return 'away';
  }
}

async function withVectors(sources: Note[], embedder: Embedder | undefined): Promise<ThemeNote[]> {
  const vectors = await embedder?.embed(sources.map(subjectOf));
  return sources.map((note, at) => {
    const vector = vectors?.[at];
    return vector === undefined ? { note } : { note, vector };
  });
}
