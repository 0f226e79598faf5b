import { hashId } from '../../base/hash.ts';
import { uuidOf } from '../../base/ids.ts';
import { freshNote, type Note, repoAuthor } from '../../domain/note.ts';
import { type KnownText, knowledgePath } from '../../store/repo/knowledge-file.ts';
import { harmlessLine } from '../../text/fence.ts';

/**
 * Converts the files of a repository to notes: `.backstory/notes` and the statements of knowledge files. Whatever a file
 * claims about itself, its note waits for approval (a candidate), has the lowest trust, 0, and has an author that is
 * marked as foreign.
 */
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const maxAuthorLength = 60;
const maxConcepts = 10;
const maxFiles = 20;

export function sharedAsNote(
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
