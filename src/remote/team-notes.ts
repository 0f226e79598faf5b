import { list, record, text } from '../base/json.ts';
import { isNoteKind, type Note } from '../domain/note.ts';
import { titleOf } from '../memory/notes/remember.ts';
import type { Membership } from './membership.ts';
import { requestServer } from './request-server.ts';

const pageSize = 200;
const maxNotes = 20_000;
const timeoutMs = 30_000;

/**
 * Reads the team's notes from the server, as notes whose id is the reference on the server. They are only compared with
 * each other and never stored here.
 */
export async function teamNotes({ url, project }: Membership, token: string | undefined): Promise<Note[]> {
  const notes: Note[] = [];
  let cursor = '';
  do {
    const after = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const path = `/api/v1/projects/${project}/memory?source=note&limit=${pageSize}${after}`;
    const page = await requestServer<Record<string, unknown>>(
      { url, token },
      { method: 'GET', path, timeoutMs },
    );
    notes.push(...list(page.items).map((item) => noteOf(record(item))));
    cursor = text(page.nextCursor);
  } while (cursor !== '' && notes.length < maxNotes);
  return notes;
}

function noteOf({ sourceRef, text: body, metadata, trust }: Record<string, unknown>): Note {
  const { kind, status, author, created, updated, topic } = record(metadata);
  const own = text(body);
  return {
    id: text(sourceRef),
    kind: isNoteKind(text(kind)) ? (kind as Note['kind']) : 'knowledge',
    title: titleOf(own),
    state: status === 'proposed' ? 'candidate' : 'active',
    trust: trust === 1 ? 1 : 0,
    pinned: false,
    concepts: [],
    files: [],
    created: text(created),
    updated: text(updated),
    rev: 1,
    parents: [],
    author: text(author),
    visibility: 'team',
    validFrom: text(created),
    validTo: '',
    derivedFrom: [],
    ...(text(topic) === '' ? {} : { topic: text(topic) }),
    text: own,
  };
}
