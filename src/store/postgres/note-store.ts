import type { Note } from '../../domain/note.ts';
import type { NoteStore } from '../store.ts';
import type { Database } from './connect.ts';
import { plainText, plainTexts } from './plain-text.ts';

const columns = `id, kind, title, state, trust, pinned, concepts, files, created, updated, rev, parents, author, visibility,
  valid_from as "validFrom", valid_to as "validTo", derived_from as "derivedFrom", text`;

/** The notes of one project. */
export function createNoteStore(database: Database, project: string): NoteStore {
  return {
    async put(note) {
      await database.query(
        `insert into backstory.note (project, id, kind, title, state, trust, pinned, concepts, files, created, updated,
           rev, parents, author, visibility, valid_from, valid_to, derived_from, text)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
         on conflict (org, project, id) do update set kind = excluded.kind, title = excluded.title, state = excluded.state,
           trust = excluded.trust, pinned = excluded.pinned, concepts = excluded.concepts, files = excluded.files,
           created = excluded.created, updated = excluded.updated, rev = excluded.rev, parents = excluded.parents,
           author = excluded.author, visibility = excluded.visibility, valid_from = excluded.valid_from,
           valid_to = excluded.valid_to, derived_from = excluded.derived_from, text = excluded.text`,
        [project, ...valuesOf(note)],
      );
    },
    async get(id) {
      const [note] = await database.query<Note>(
        `select ${columns} from backstory.note where project = $1 and id = $2`,
        [project, plainText(id)],
      );
      return note;
    },
    list: () =>
      database.query<Note>(`select ${columns} from backstory.note where project = $1 order by id`, [project]),
    async remove(id) {
      const removed = await database.query(
        'delete from backstory.note where project = $1 and id = $2 returning id',
        [project, plainText(id)],
      );
      return removed.length > 0;
    },
  };
}

/** In the order of the columns. The space around the text goes, as it does in a Markdown file. */
const valuesOf = (note: Note): unknown[] => [
  plainText(note.id),
  note.kind,
  plainText(note.title),
  note.state,
  note.trust,
  note.pinned,
  plainTexts(note.concepts),
  plainTexts(note.files),
  plainText(note.created),
  plainText(note.updated),
  note.rev,
  plainTexts(note.parents),
  plainText(note.author),
  note.visibility,
  plainText(note.validFrom),
  plainText(note.validTo),
  plainTexts(note.derivedFrom),
  plainText(note.text).trim(),
];
