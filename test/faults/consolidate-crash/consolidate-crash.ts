import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { systemClock } from '../../../src/base/clock.ts';
import { homePaths } from '../../../src/base/paths.ts';
import { withWriterLock } from '../../../src/cli/with-writer-lock.ts';
import type { Note } from '../../../src/domain/note.ts';
import { consolidate } from '../../../src/memory/notes/consolidate.ts';
import { isTheme } from '../../../src/memory/notes/theme-note.ts';
import type { OpenProject } from '../../../src/memory/projects/open-project.ts';
import { parseNote } from '../../../src/store/notes/note-file.ts';
import { atLeast, type Evaluation, exactly, showProgress } from '../../harness/evaluation.ts';
import { createHome, type Home, openDrain } from '../../harness/home.ts';
import { sessionStartInput } from '../../harness/hook-input.ts';
import { installPackage } from '../../harness/package.ts';
import { type StartedProgram, sleep, startProgram } from '../../harness/program.ts';
import { createProse } from '../../harness/prose.ts';
import { createRandom, type Random } from '../../harness/random.ts';
import { sampleNote } from '../../harness/sample-note.ts';

/**
 * Kills consolidation, which groups similar notes into themes, at random moments with `kill -9`. Before every run one
 * note of each theme changes its state, so that every theme must be rewritten. Afterwards each file must be byte for
 * byte the old one or the result of an uninterrupted run, and no note may have two files.
 */
export const consolidateCrash: Evaluation = {
  name: 'consolidate-crash',
  summary: '`kill -9` during consolidation: every file is old or new, never mixed.',
  async run({ isShort, seed }) {
    const kills = isShort ? 25 : 300;
    const random = createRandom(seed);
    const home = createHome(installPackage());
    home.hook(sessionStartInput({ cwd: home.repo, session: 'consolidate' }));
    const parts = partsOf(home);
    const sources = await writeNotes(parts, random);
    await settle(parts);
    const count = { kills: 0, ended: 0, amongWrites: 0, mixed: 0, twice: 0, torn: 0, wrongInTheEnd: 0 };
    const lifeMs = (await startConsolidation(home).ended).wallMs;
    while (count.kills < kills) {
      await changeOneOfEach(parts, sources);
      const before = readAll(parts);
      const program = startConsolidation(home);
      await killAtSomeMoment(parts, program, random, lifeMs);
      const { signal } = await program.ended;
      if (signal === 'SIGKILL') count.kills++;
      else count.ended++;
      const after = readAll(parts);
      await settle(parts);
      const final = readAll(parts);
      const changed = [...after].filter(([name, bytes]) => before.get(name) !== bytes).length;
      if (changed > 0 && changed < themes) count.amongWrites++;
      count.torn += [...after].filter(([name, bytes]) => !isReadable(name, bytes)).length;
      count.mixed += [...after].filter(
        ([name, bytes]) => before.get(name) !== bytes && final.get(name) !== bytes,
      ).length;
      count.twice += after.size - new Set([...after].map(([name, bytes]) => idIn(name, bytes))).size;
      count.wrongInTheEnd += await countWrong(parts);
      showProgress(count.kills, kills);
    }
    return {
      n: count.kills,
      figures: { themes, notes: sources.flat().length, endedBeforeTheKill: count.ended },
      bars: {
        kills: atLeast(count.kills, kills),
        'kills among the writes of one run': atLeast(count.amongWrites, 1),
        'files that cannot be read': exactly(count.torn, 0),
        'files that are neither old nor new': exactly(count.mixed, 0),
        'notes with two files': exactly(count.twice, 0),
        'themes that are wrong in the end': exactly(count.wrongInTheEnd, 0),
      },
    };
  },
};

const themes = 12;
const notesPerTheme = 5;
const subjects = 'queue invoice parser login cache deploy search report export webhook schedule backup'.split(
  ' ',
);

const partsOf = (home: Home): OpenProject =>
  openDrain(homePaths(home.backstory), basename(home.projectFolder()), {
    userHome: home.home,
    clock: systemClock,
  });

/** Writes five notes on each subject. */
async function writeNotes(parts: OpenProject, random: Random): Promise<Note[][]> {
  const prose = createProse(random);
  const sources = subjects.map((subject, at) =>
    Array.from({ length: notesPerTheme }, (_, own): Note => {
      const text = `the ${subject} keeps rule ${subject} number ${own} of the ${subject}`;
      const note = sampleNote(at * notesPerTheme + own, prose, random);
      return { ...note, kind: 'decision', text, title: text, pinned: false, trust: 3 };
    }),
  );
  for (const note of sources.flat()) await parts.notes.put(note);
  return sources;
}

/** Alternately closes and reopens the last note of each theme. */
async function changeOneOfEach(parts: OpenProject, sources: Note[][]): Promise<void> {
  for (const own of sources) {
    const last = own.at(-1) as Note;
    const state = last.state === 'active' ? 'superseded' : 'active';
    own[own.length - 1] = { ...last, state, rev: last.rev + 1 };
    await parts.notes.put(own.at(-1) as Note);
  }
}

const startConsolidation = (home: Home): StartedProgram =>
  startProgram([home.program('main.js'), 'consolidate'], { cwd: home.repo, env: home.env });

/** Runs consolidation without interruption in this process. */
const settle = (parts: OpenProject) =>
  withWriterLock(parts, (index) => consolidate(parts, index, { mayGrow: true }));

const folderOf = (parts: OpenProject): string => parts.paths.project(parts.project).notes;

function readAll(parts: OpenProject): Map<string, string> {
  const folder = folderOf(parts);
  const names = readdirSync(folder).filter((name) => name.endsWith('.md'));
  return new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

function isReadable(name: string, bytes: string): boolean {
  try {
    return parseNote(bytes, name).id !== '' && bytes.endsWith('\n');
  } catch {
    return false;
  }
}

const idIn = (name: string, bytes: string): string =>
  isReadable(name, bytes) ? parseNote(bytes, name).id : name;

/** A theme must have a line for each of its valid notes and no others. */
async function countWrong(parts: OpenProject): Promise<number> {
  const notes = await parts.notes.list();
  const found = notes.filter(isTheme);
  const isRight = (theme: Note): boolean => {
    const about = notes.filter(({ id }) => theme.derivedFrom.includes(id));
    const lines = theme.text.split('\n').filter((line) => line.startsWith('- '));
    return (
      lines.length === about.length &&
      about.every(({ state, text }) => state === 'active' && lines.some((line) => line.includes(text)))
    );
  };
  const held = notes.filter((note) => !isTheme(note) && note.state === 'active').length;
  const lines = found.reduce((sum, { derivedFrom }) => sum + derivedFrom.length, 0);
  return (
    found.filter((theme) => !isRight(theme)).length + Math.abs(themes - found.length) + Math.abs(held - lines)
  );
}

/** Kills half of the runs at a random moment, and the others when the first file has changed or shortly after. */
async function killAtSomeMoment(
  parts: OpenProject,
  { child, ended }: StartedProgram,
  random: Random,
  lifeMs: number,
): Promise<void> {
  if (random.chance(0.5)) await Promise.race([sleep(random.next() * lifeMs * 1.1), ended]);
  else {
    const folder = folderOf(parts);
    const stamp = (): number => statSync(folder).mtimeMs;
    const first = stamp();
    while (child.exitCode === null && stamp() === first)
      await new Promise((resolve) => setImmediate(resolve));
    await Promise.race([sleep(random.next() * 60), ended]);
  }
  child.kill('SIGKILL');
}
