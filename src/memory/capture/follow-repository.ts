import { join } from 'node:path';
import { isoTime } from '../../base/clock.ts';
import { hashId } from '../../base/hash.ts';
import { sha256, uuidOf } from '../../base/ids.ts';
import type { EventContext } from '../../domain/event.ts';
import { freshNote, isFromRepository, type Note, repoAuthor, shortNoteId } from '../../domain/note.ts';
import { type KnownText, knowledgePath, readKnowledgeTexts } from '../../store/repo/knowledge-file.ts';
import { repoFolder } from '../../store/repo/repo-folder.ts';
import { readRepoNotes } from '../../store/repo/repo-notes.ts';
import type { LogIndex } from '../../store/store.ts';
import { harmlessLine } from '../../text/fence.ts';
import { copyHash, noteHash } from '../notes/tombstones.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { projectRedactor } from '../redact/project-redactor.ts';
import { textHash } from './event-writer.ts';
import { recordOwnEvents } from './own-events.ts';

/**
 * Mirrors the notes and knowledge files of a checkout as notes, so that recall finds them. A note is removed when its
 * file no longer contains it. It is trusted only if the user trusted exactly this text on this machine; text that a
 * pull, a merge or another branch changed since then waits for trust again.
 */
export async function followRepository(parts: OpenProject, index: LogIndex, root: string): Promise<number> {
  // If the checkout is the home folder, the `.backstory` in it contains Backstory's own data and no notes of a
  // repository.
  if (join(root, repoFolder) === parts.paths.home) return 0;
  const known = new Map((await parts.notes.list()).map((note) => [note.id, note]));
  const wanted = await wantedNotes(parts, index, root, [...known.values()]);
  let written = 0;
  for (const note of wanted.values()) {
    const own = known.get(note.id);
    // Once the user has written or edited a note, it no longer follows the file in the repository.
    if (own !== undefined && !isMirrored(own)) continue;
    const isTrusted = (await index.events([trustId(note)])).has(trustId(note));
    const isNew = own === undefined || contentOf(own) !== contentOf(note);
    if (!isNew && (own.pinned || own.trust >= 2 === isTrusted)) continue;
    const times = isNew ? {} : { created: own.created, updated: own.updated, validFrom: own.validFrom };
    const trusted = isTrusted ? { trust: 2 as const, state: 'active' as const } : {};
    await parts.notes.put({ ...note, ...times, ...trusted, rev: (own?.rev ?? 0) + 1 });
    written += 1;
  }
  for (const note of known.values()) {
    if (!isMirrored(note) || wanted.has(note.id)) continue;
    await parts.notes.remove(note.id);
    written += 1;
  }
  return written;
}

/** A note that the user edited has trust 3 and no longer follows its file. */
const isMirrored = (note: Note): boolean => isFromRepository(note) && note.trust < 3;

export const waitsForTrust = (note: Note): boolean => isMirrored(note) && note.trust < 2;

/**
 * Records that the user trusts these texts. A text stays trusted if it disappears and is found again later, for
 * example on another branch.
 */
export function trustNotes(parts: OpenProject, context: EventContext, notes: Note[]): void {
  const approvals = notes.map((note) => ({
    kind: 'note' as const,
    id: trustId(note),
    origin: 'user' as const,
    trust: 3 as const,
    body: {
      note: note.id,
      action: 'approve' as const,
      contentHash: contentOf(note).slice(0, 32),
      rev: note.rev,
    },
  }));
  recordOwnEvents(parts, context, approvals);
}

const trustId = (note: Note): string => hashId('trust', note.id, contentOf(note));

/** Hash of everything that is shown of a note. */
const contentOf = ({ kind, title, text, concepts, files, author }: Note): string =>
  sha256(JSON.stringify([kind, title, text.trim(), concepts, files, author]));

async function wantedNotes(
  parts: OpenProject,
  index: LogIndex,
  root: string,
  known: Note[],
): Promise<Map<string, Note>> {
  const now = isoTime(parts.clock.now());
  const { redact, redactDeep } = projectRedactor(parts);
  const found = [
    ...readRepoNotes(root, () => {}).map(({ path, note }) => sharedAsNote(path, note, now)),
    ...(await othersTexts(parts, index, root, known)).map((text) => knownAsNote(text, now)),
  ];
  const wanted = new Map<string, Note>();
  for (const note of found) {
    const text = redact(note.text);
    const clean = {
      ...note,
      text,
      ...redactDeep({ title: note.title, concepts: note.concepts, files: note.files }),
    };
    if (!wanted.has(note.id) && !(await isBuried(parts, index, clean))) wanted.set(note.id, clean);
  }
  return wanted;
}

/** The texts of knowledge files that do not come from the user's own notes: neither present nor forgotten ones. */
async function othersTexts(
  { device }: OpenProject,
  index: LogIndex,
  root: string,
  known: Note[],
): Promise<KnownText[]> {
  const own = new Set(known.map(({ id }) => shortNoteId(id)));
  const others: KnownText[] = [];
  for (const text of readKnowledgeTexts(root)) {
    const isForgotten = text.note !== undefined && (await index.isTombstoned(noteHash(device, text.note)));
    if (!isForgotten && !own.has(text.note ?? '')) others.push(text);
  }
  return others;
}

const isBuried = ({ device }: OpenProject, index: LogIndex, { id, text }: Note): Promise<boolean> =>
  index.isTombstoned(noteHash(device, id), textHash(device, text), copyHash(device, text));

/**
 * Converts the files of a repository to notes: `.backstory/notes` and the statements of knowledge files. Whatever a file
 * claims about itself, its note waits for approval (a candidate), has the lowest trust, 0, and has an author that is
 * marked as foreign.
 */
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const maxAuthorLength = 60;
const maxConcepts = 10;
const maxFiles = 20;

function sharedAsNote(
  path: string,
  { id, kind, title, concepts, files, author, created, text }: Note,
  now: string,
): Note {
  const isTime = !Number.isNaN(Date.parse(created)) && created <= now;
  return freshNote(isTime ? created : now, {
    id: uuid.test(id) ? id : uuidOf(hashId('repo', path)),
    kind,
    title: harmlessLine(title, 80),
    concepts: concepts.slice(0, maxConcepts).map((one) => harmlessLine(one, 40)),
    files: files.slice(0, maxFiles).map((one) => harmlessLine(one, 200)),
    author: `${repoAuthor}${harmlessLine(author, maxAuthorLength)}`,
    derivedFrom: [`repo:${path}`],
    text,
  });
}

const kindOfTitle: Record<string, Note['kind']> = {
  Rules: 'rule',
  Preferences: 'preference',
  Decisions: 'decision',
  Facts: 'fact',
  'Failed before': 'failed',
};

export const knownAsNote = ({ title, text }: KnownText, now: string): Note =>
  freshNote(now, {
    // The id includes the text, so that after this text is forgotten another one of the same file can still be added.
    id: uuidOf(hashId('knowledge', knowledgePath, title, text)),
    kind: kindOfTitle[title] ?? 'knowledge',
    title: harmlessLine(text, 80),
    author: `${repoAuthor}${knowledgePath}`,
    derivedFrom: [`repo:${knowledgePath}`],
    text,
  });
