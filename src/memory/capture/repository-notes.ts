import { hashId } from '../../base/hash.ts';
import { uuidOf } from '../../base/ids.ts';
import type { Knowledge } from '../../domain/knowledge.ts';
import { freshNote, type Note, repoAuthor } from '../../domain/note.ts';
import { harmlessLine } from '../../text/fence.ts';

/**
 * Converts the files of a repository to notes: `.backstory/notes` and the entries of knowledge files. Whatever a file
 * claims about itself, its note waits for approval (a candidate), has the lowest trust, 0, and has an author that is
 * marked as foreign.
 */
export const knowledgeConcept = 'project-knowledge';
export const commandsConcept = 'commands';

export const isKnowledgeEntry = ({ concepts, author }: Note): boolean =>
  author.startsWith(repoAuthor) && concepts.includes(knowledgeConcept);

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

/** One entry of a knowledge file. `key` identifies it within the file and does not depend on its text. */
export interface KnowledgeEntry {
  key: string;
  title: string;
  text: string;
  concepts: string[];
  files: string[];
}

export const knowledgeAsNotes = (path: string, knowledge: Knowledge, now: string): Note[] =>
  knowledgeEntries(knowledge).map(({ key, title, text, concepts, files }) =>
    freshNote(now, {
      // The id includes the text, so that after this entry is forgotten a later, different text of the same entry can
      // still be added.
      id: uuidOf(hashId('knowledge', path, key, text)),
      kind: 'knowledge',
      title,
      author: `${repoAuthor}${path}`,
      derivedFrom: [`repo:${path}`],
      text,
      files,
      concepts: [knowledgeConcept, ...concepts],
    }),
  );

export function knowledgeEntries(knowledge: Knowledge): KnowledgeEntry[] {
  const entry = (
    key: string,
    title: string,
    text: string,
    more: Partial<KnowledgeEntry> = {},
  ): KnowledgeEntry => ({ key, title: harmlessLine(title, 80), text, concepts: [], files: [], ...more });
  const { project, summary, commands, architecture, keyFiles, conventions } = knowledge;
  return [
    entry('summary', `What ${project || 'this project'} is`, summary),
    entry(
      'commands',
      'Commands',
      commands.length === 0
        ? ''
        : `Commands: ${commands.map(({ purpose, run }) => `${purpose} \`${run}\``).join('; ')}`,
      { concepts: [commandsConcept], files: [...new Set(commands.map(({ source }) => source))] },
    ),
    ...architecture.map(({ title, text, source }, at) =>
      entry(`architecture ${title || at}`, title || 'Architecture', joined([title, text]), {
        files: source === '' ? [] : [source],
      }),
    ),
    entry(
      'key files',
      'Key files',
      keyFiles.length === 0
        ? ''
        : `Key files:\n${keyFiles.map(({ path: file, why, symbols }) => `- ${file}${why === '' ? '' : `: ${why}`}${symbols.length === 0 ? '' : ` (${symbols.join(', ')})`}`).join('\n')}`,
      { files: keyFiles.map(({ path: file }) => file) },
    ),
    ...conventions.map(({ source, rules }) =>
      entry(
        `conventions ${source}`,
        `Conventions${source === '' ? '' : ` of ${source}`}`,
        rules.map((rule) => `- ${rule}`).join('\n'),
        {
          files: source === '' ? [] : [source],
        },
      ),
    ),
  ].filter(({ text }) => text !== '');
}

const joined = (lines: string[]): string => lines.filter((line) => line !== '').join('\n');
