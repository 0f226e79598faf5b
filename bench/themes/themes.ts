import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Note } from '../../src/domain/note.ts';
import { createThemeSense, findThemes } from '../../src/memory/notes/theme-sense.ts';
import { createThemeFinder, type ThemeNote } from '../../src/memory/notes/themes.ts';
import { loadStaticModel } from '../../src/models/static-embed.ts';
import { atLeast, atMost, type Evaluation, round } from '../../test/harness/evaluation.ts';
import { createProse } from '../../test/harness/prose.ts';
import { createRandom } from '../../test/harness/random.ts';
import { sampleNote } from '../../test/harness/sample-note.ts';

/**
 * Evaluates consolidation, which groups similar notes into themes. The notes of a year in two projects are each
 * labelled with their theme or none. Measures how many lines are in the wrong theme, and how much of a theme is found.
 * One project was used to develop the algorithm, the other is held out.
 */
export const themes: Evaluation = {
  name: 'themes',
  summary: 'consolidation of notes: lines in the wrong theme, and how much of a theme is found',
  async run() {
    const tuned = await judge('harbour', true);
    const homonyms = await judge('crossroads', true);
    const heldOut = await judge('observatory');
    const figures: Record<string, number> = {};
    for (const [key, value] of Object.entries(tuned)) figures[`tuned-on ${key}`] = value;
    figures['tuned-on words with several meanings, themes made of them'] = homonyms.themes;
    for (const [key, value] of Object.entries(heldOut)) figures[`held-out ${key}`] = value;
    return {
      n: tuned.notes + homonyms.notes + heldOut.notes,
      figures,
      bars: {
        'held-out lines that do not belong %': atMost(heldOut['lines that do not belong %'], 10),
        'held-out of the themes gathered %': atLeast(heldOut['of the themes gathered %'], 50),
      },
    };
  },
};

interface Labelled {
  note: Note;
  /** The theme of the note; empty if it belongs to none. */
  theme: string;
}

const folder = join(import.meta.dirname, 'notes');

/** `theme | day | text`, with `-` for a note without a theme. */
function readNotes(project: string): Labelled[] {
  const random = createRandom(1);
  const prose = createProse(random);
  return readFileSync(join(folder, `${project}.txt`), 'utf8')
    .trim()
    .split('\n')
    .map((line, at) => {
      const [theme = '', day = '', text = ''] = line.split(' | ');
      const validFrom = new Date(Date.UTC(2026, 0, Number(day))).toISOString();
      const note: Note = {
        ...sampleNote(at, prose, random),
        text,
        title: text,
        validFrom,
        files: [],
        concepts: [],
      };
      return {
        note: { ...note, kind: 'decision', state: 'active', trust: 2 },
        theme: theme === '-' ? '' : theme,
      };
    });
}

const model = () => loadStaticModel('assets/static-en.bin');

/** Results are printed only for the development project. */
async function judge(project: string, isShown = false) {
  const labelled = readNotes(project);
  const themeOf = new Map(labelled.map(({ note, theme }) => [note, theme]));
  const vectors = await model().embed(labelled.map(({ note }) => note.text));
  const all = labelled.map(({ note }, at): ThemeNote => ({ note, vector: vectors[at] as Float32Array }));
  const finder = createThemeFinder(all);
  const found = await findThemes(finder, createThemeSense(all, model()), all);
  let strangers = 0;
  let gathered = 0;
  for (const members of found) {
    const names = members.map(({ note }) => themeOf.get(note) ?? '');
    const most = Math.max(...names.filter((name) => name !== '').map((name) => count(names, name)), 0);
    strangers += members.length - most;
    gathered += most;
    if (isShown)
      console.log(
        `${project}, ${finder.namesOf(members).join(', ')}\n${members.map(({ note }, at) => `  ${names[at] || '-'}: ${note.text}`).join('\n')}`,
      );
  }
  const lines = found.reduce((sum, members) => sum + members.length, 0);
  const themed = labelled.filter(({ theme }) => theme !== '').length;
  return {
    notes: labelled.length,
    themes: found.length,
    'lines that do not belong %': round((strangers / Math.max(1, lines)) * 100),
    'of the themes gathered %': round((gathered / Math.max(1, themed)) * 100),
  };
}

const count = (names: string[], wanted: string): number => names.filter((name) => name === wanted).length;
