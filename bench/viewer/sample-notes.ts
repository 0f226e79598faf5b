import type { Note, NoteKind } from '../../src/domain/note.ts';
import { anchorsFromUser } from '../../src/drift/anchors-from-user.ts';
import { headOf } from '../../src/drift/current-code.ts';
import { type NewNote, type NoteParts, pinNote, rememberNote } from '../../src/memory/notes/remember.ts';
import type { Random } from '../../test/harness/random.ts';
import { filesPerTopic, type SampleFile, type SampleRepo } from './sample-repo.ts';
import { noteText, topics } from './stories.ts';

const kinds: NoteKind[] = ['decision', 'decision', 'rule', 'fix', 'failed', 'knowledge'];

/** Writes notes of people and agents, as `backstory remember` and the tool of that name do. */
export interface NoteWriter {
  parts: NoteParts;
  root: string;
  key: string;
  repo: SampleRepo;
  random: Random;
}

/** A range of lines that was just edited. */
export interface WorkedAt {
  file: SampleFile;
  from: number;
  to: number;
}

/** With lines, the note is anchored to them, as `backstory remember --file FILE:FROM-TO` does. */
export async function noteOn(
  { parts, root, key }: NoteWriter,
  wanted: Omit<NewNote, 'files' | 'concepts'> & { concepts?: string[] },
  places: (WorkedAt | SampleFile)[],
): Promise<Note> {
  const names = places.map((place) =>
    'file' in place ? `${place.file.path}:${place.from}-${place.to}` : place.path,
  );
  const tied = await anchorsFromUser(names, { root, key }, headOf(root).head);
  return rememberNote(parts, { concepts: [], ...wanted, ...tied });
}

/** One of thousands of notes. Most are about code: half of those name the lines, the others only the file. */
export async function anyNote(desk: NoteWriter, number: number, at: WorkedAt | undefined): Promise<Note> {
  const { random, repo } = desk;
  const topic = at !== undefined && random.chance(0.5) ? at.file.topic : random.pick(topics);
  const file = at?.file.topic === topic ? at.file : repo.file(topic, likelyVariant(random));
  const note = await noteOn(
    desk,
    {
      ...noteContent(file, random),
      concepts: random.chance(0.3) ? [random.pick(['trade-off', 'how-it-works', 'pattern'])] : [],
      trust: 3,
      author: 'tester',
    },
    random.chance(0.04) ? [] : placesFor(desk, file, at),
  );
  return number % 400 === 7 ? pinNote(desk.parts, note, true) : note;
}

/** A note on the lines of a file that were changed last. */
export const anyNoteOn = (
  desk: NoteWriter,
  file: SampleFile & { latest: { from: number; to: number } },
): Promise<Note> =>
  noteOn(desk, { ...noteContent(file, desk.random), trust: 3, author: 'tester' }, [{ file, ...file.latest }]);

/** A note of an agent is a proposal, anchored to what the agent did just before. */
export const proposal = (desk: NoteWriter, { file }: WorkedAt): Promise<Note> =>
  noteOn(desk, { ...noteContent(file, desk.random), trust: 1, author: desk.parts.context.agent }, [file]);

function noteContent({ topic, symbol }: SampleFile, random: Random): { kind: NoteKind; text: string } {
  const kind = random.pick(kinds);
  return { kind, text: noteText(kind, { ...topic, symbol }, random) };
}

/** Most work is in a few files; every file has some. */
const likelyVariant = (random: Random): number =>
  random.chance(0.4) ? random.whole(0, 3) : random.whole(0, filesPerTopic - 1);

function placesFor({ repo, random }: NoteWriter, file: SampleFile, at: WorkedAt | undefined) {
  const own = at !== undefined && at.file === file ? at : { file, ...file.opening };
  const isThere = own.to <= file.lines.length;
  const place = isThere && random.chance(0.5) ? own : file;
  if (random.chance(0.15)) return [place, repo.file(file.topic, likelyVariant(random))];
  return random.chance(0.05) ? [place, repo.file(random.pick(topics))] : [place];
}
