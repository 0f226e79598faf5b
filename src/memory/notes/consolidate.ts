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
import { isAsWritten } from './untouched-note.ts';

/**
 * Notes of one theme become one knowledge note that keeps its sources. What a theme says is computed from the
 * notes it is made of, so every drain may make it again: a source that was forgotten, rejected or overtaken
 * takes its line along, and where nothing changed nothing is written. What the user edited is theirs.
 */
export interface Consolidation {
  made: Note[];
  changed: Note[];
  /** Too little of them is left to be a theme. */
  dissolved: Note[];
}

export interface ConsolidateOptions {
  /** Whether notes may join themes and found new ones; without it those there are only follow their sources. */
  mayGrow: boolean;
  /** Says what would be done, and does nothing. */
  isDry?: boolean;
}

const notesToStay = 2;
/** Older ones have had their turns; comparing all with all takes its time. */
const maxNotes = 1_500;

/** The user's words and what they approved apart from what agents and tools said: one unreviewed line would drag down a whole theme. */
const pools = [(note: Note): boolean => note.trust >= 2, (note: Note): boolean => note.trust < 2];

/** Of a theme the user would not have: its notes are put into none again. */
export const themeHash = (device: Device, source: string): string => keyedHash(device.key, `theme ${source}`);

export async function consolidate(
  parts: OpenProject,
  index: LogIndex,
  { mayGrow, isDry = false }: ConsolidateOptions,
): Promise<Consolidation> {
  const notes = await parts.notes.list();
  const done: Consolidation = { made: [], changed: [], dissolved: [] };
  if (!mayGrow && !notes.some(isTheme)) return done;
  const desk: ConsolidateRun = { parts, own: notePartsOf(parts), index, notes, isDry, done };
  const theirs: Note[] = [];
  const ours: Note[] = [];
  for (const theme of notes.filter(isTheme)) ((await isOurs(desk, theme)) ? ours : theirs).push(theme);
  const taken = new Set(theirs.flatMap(({ derivedFrom }) => derivedFrom));
  for (const isIn of pools) {
    const sources = notes.filter((note) => isThemeSource(note) && isIn(note) && !taken.has(note.id));
    const own = ours.filter(isIn);
    if (sources.length + own.length > 0) await settlePool(desk, sources, own, mayGrow);
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

/** A kill between a note's file and its event leaves a note that nobody seems to have written: it is told by its text. */
async function isOurs({ parts, own, index, notes, isDry }: ConsolidateRun, theme: Note): Promise<boolean> {
  if (!isOwnTheme(theme)) return false;
  if (await isAsWritten(parts.log, index, theme)) return true;
  const sources = theme.derivedFrom.flatMap((id) => notes.find((note) => note.id === id) ?? []);
  const names = namesIn(theme.concepts);
  const isUntouched =
    sources.length === theme.derivedFrom.length &&
    themeNote(theme.id, sources, names).text.trim() === theme.text.trim();
  if (isUntouched && !isDry) await saveNote(own, theme, theme.rev === 1 ? 'create' : 'edit');
  return isUntouched;
}

async function settlePool(
  desk: ConsolidateRun,
  sources: Note[],
  themes: Note[],
  wanted: boolean,
): Promise<void> {
  const model = wanted ? await modelOf(desk.parts.embedder) : undefined;
  const mayGrow = wanted && model !== 'away';
  const embedder = model === 'away' ? undefined : model;
  const held = new Set(themes.flatMap(({ derivedFrom }) => derivedFrom));
  const newest = new Set([...sources].sort(byAge).slice(-maxNotes));
  const chosen = sources.filter((note) => held.has(note.id) || (mayGrow && newest.has(note)));
  const all = await withVectors(chosen, embedder);
  const finder = createThemeFinder(all);
  const byId = new Map(all.map((one) => [one.note.id, one]));
  const members = new Map(themes.map((theme) => [theme, membersOf(theme, byId)]));
  if (mayGrow) await grow(desk, { finder, sense: createThemeSense(all, embedder) }, all, members);
  for (const [theme, own] of members) {
    if (own.length >= notesToStay) await rewrite(desk, theme, own, finder);
    else if (theme.state !== 'archived') await dissolve(desk, theme);
  }
}

/** Those of its sources that still hold, and still are about it after what was done to them. */
const membersOf = ({ derivedFrom, concepts }: Note, byId: Map<string, ThemeNote>): ThemeNote[] =>
  derivedFrom.flatMap((id) => byId.get(id) ?? []).filter(({ note }) => isNamedBy(note, namesIn(concepts)));

/** Notes join the themes there are, and those that are left found new ones. */
async function grow(
  desk: ConsolidateRun,
  { finder, sense }: { finder: ThemeFinder; sense: ThemeSense },
  all: ThemeNote[],
  members: Map<Note, ThemeNote[]>,
): Promise<void> {
  const held = new Set([...members.values()].flat());
  const free: ThemeNote[] = [];
  for (const one of all) {
    if (held.has(one) || (await isRefused(desk, one.note))) continue;
    const living = [...members].filter(([, own]) => own.length >= notesToStay);
    const joined = finder.join(
      one,
      living.map(([, own]) => own),
    );
    const names = joined === undefined ? [] : finder.namesOf([...joined, one]);
    if (joined !== undefined && (await sense.fits(one, joined, names))) joined.push(one);
    else free.push(one);
  }
  for (const group of await findThemes(finder, sense, free))
    await make(desk, group, finder.calledBy(group), members);
}

async function isRefused({ parts, index }: ConsolidateRun, { id }: Note): Promise<boolean> {
  return (await index.hasTombstones()) && index.isTombstoned(themeHash(parts.device, id));
}

async function make(
  { parts, own, index, notes, isDry, done }: ConsolidateRun,
  group: ThemeNote[],
  names: string[],
  members: Map<Note, ThemeNote[]>,
): Promise<void> {
  const sources = group.map(({ note }) => note);
  const id = themeIdOf(sources[0] as Note);
  const known = notes.find((note) => note.id === id);
  if (known !== undefined) {
    // It was one before, and fell apart. Or it is the user's now.
    if (members.has(known)) members.set(known, group);
    return;
  }
  if (await index.isTombstoned(noteHash(parts.device, id))) return;
  // It was written once and is there no more: somebody took it away.
  const created = hashId('note', id, '1', 'create');
  if ((await index.events([created])).get(created)?.state === 'live') return;
  const note = clean(own, themeNote(id, sources, names));
  if (!isDry) await saveNote(own, note, 'create');
  done.made.push(note);
}

async function rewrite(
  desk: ConsolidateRun,
  theme: Note,
  members: ThemeNote[],
  finder: ThemeFinder,
): Promise<void> {
  const sources = members.map(({ note }) => note);
  const { own } = desk;
  // It keeps its name as long as that is the name of all of it; a title that changes with every note is none.
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
  await change(desk, theme, { title, state, trust, concepts, files, updated, validFrom, derivedFrom, text });
  desk.done.changed.push(fresh);
}

/**
 * Its id stays taken, so that a theme the user deleted can be told from one that fell apart. Its name goes: it is
 * a word of notes that may have been forgotten.
 */
async function dissolve(desk: ConsolidateRun, theme: Note): Promise<void> {
  await change(desk, theme, {
    state: 'archived',
    title: 'A former theme',
    text: 'A former theme: too little of it holds.',
    concepts: [themeConcept],
    derivedFrom: [],
    files: [],
    updated: theme.updated,
  });
  desk.done.dissolved.push(theme);
}

/** A drain takes a while: what the user did to the note since it began stays. */
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

/** One that is set up and cannot be reached: themes grow another time, and not by words alone meanwhile. */
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
