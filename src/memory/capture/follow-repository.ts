import { join } from 'node:path';
import { isoTime } from '../../base/clock.ts';
import { hashId } from '../../base/hash.ts';
import { sha256 } from '../../base/ids.ts';
import type { EventContext } from '../../domain/event.ts';
import { isFromRepository, type Note, shortNoteId } from '../../domain/note.ts';
import { type KnownText, readKnowledgeTexts } from '../../store/repo/knowledge-file.ts';
import { repoFolder } from '../../store/repo/repo-folder.ts';
import { readRepoNotes } from '../../store/repo/repo-notes.ts';
import type { LogIndex } from '../../store/store.ts';
import { copyHash, noteHash } from '../notes/tombstones.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { projectRedactor } from '../redact/project-redactor.ts';
import { textHash } from './event-writer.ts';
import { recordOwnEvents } from './own-events.ts';
import { knownAsNote, sharedAsNote } from './repository-notes.ts';

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
  const hasTombstones = await index.hasTombstones();
  const others: KnownText[] = [];
  for (const text of readKnowledgeTexts(root)) {
    const isForgotten =
      hasTombstones && text.note !== undefined && (await index.isTombstoned(noteHash(device, text.note)));
    if (!isForgotten && !own.has(text.note ?? '')) others.push(text);
  }
  return others;
}

async function isBuried({ device }: OpenProject, index: LogIndex, { id, text }: Note): Promise<boolean> {
  if (!(await index.hasTombstones())) return false;
  const hashes = [noteHash(device, id), textHash(device, text), copyHash(device, text)];
  for (const hash of hashes) if (await index.isTombstoned(hash)) return true;
  return false;
}
