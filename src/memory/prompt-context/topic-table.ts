import { readJson, writeJson } from '../../base/files.ts';
import type { Note } from '../../domain/note.ts';
import { queryTerms, termsOf } from '../../text/words.ts';
import type { PreludeLine } from '../prelude/prelude-file.ts';

/** Rendered together with the prelude, so that the hook reads no note. Derived from the notes. */
interface TopicTable {
  v: 1;
  topics: Record<string, TopicLine>;
}

export interface TopicLine extends Pick<PreludeLine, 'section' | 'text' | 'reason' | 'code'> {
  /** By these a prompt names it. */
  topic?: string;
  files?: string[];
  literals?: string[];
}

export function readTopics(path: string): Map<string, TopicLine> {
  const table = readJson<TopicTable>(path);
  return new Map(table?.v === 1 ? Object.entries(table.topics) : []);
}

export function writeTopics(path: string, lines: PreludeLine[], notes: Note[]): void {
  const named = new Map(notes.map((note) => [note.id, namesOf(note)]));
  writeJson(path, {
    v: 1,
    topics: Object.fromEntries(
      lines.flatMap(({ note, section, text, reason, code }) =>
        note === undefined
          ? []
          : [[note, { section, text, reason, ...(code === undefined ? {} : { code }), ...named.get(note) }]],
      ),
    ),
  } satisfies TopicTable);
}

const codeSpan = /`([^`\n]+)`/g;
/** One that may be any word of a prompt names nothing. */
const plainWord = /^\p{L}+$/u;

function namesOf({ topic, files, match = {}, text }: Note): Pick<TopicLine, 'topic' | 'files' | 'literals'> {
  const spans = [...text.matchAll(codeSpan)].map(([, span = '']) => span);
  const literals = [...Object.values(match).flat(), ...spans].filter((literal) => !plainWord.test(literal));
  return {
    ...(topic === undefined ? {} : { topic }),
    ...(files.length === 0 ? {} : { files }),
    ...(literals.length === 0 ? {} : { literals: [...new Set(literals)] }),
  };
}

/**
 * Tells whether a prompt names a settled matter: it has all words of its label, or names one of its files, commands or
 * other literals.
 */
export function namedIn(prompt: string): (topic: TopicLine) => boolean {
  const { words, idents } = termsOf(prompt);
  const own = new Set([...words, ...idents]);
  const paths = (prompt.match(pathLike) ?? []).map((path) =>
    path.replaceAll('\\', '/').replace(/^@?(?:\.\/)?/, ''),
  );
  const isLabelled = (topic: string): boolean => {
    const { terms, isCommon } = queryTerms(topic);
    return !isCommon && terms.every((term) => own.has(term));
  };
  const namesFile = (file: string): boolean =>
    paths.some((path) => `/${file}`.endsWith(`/${path}`) || path.endsWith(`/${file}`));
  return ({ topic = '', files = [], literals = [] }) =>
    isLabelled(topic) || files.some(namesFile) || literals.some((literal) => hasLiteral(prompt, literal));
}

/** Not `\p{L}`: other scripts are written next to a path without a space. */
const pathLike = /[\w@+.\-/\\]*[./\\][\w@+.\-/\\]*\w/g;

function hasLiteral(prompt: string, literal: string): boolean {
  const [start = '', ...rest] = prompt.toLowerCase().split(literal.toLowerCase());
  let before = start;
  return rest.some((after) => {
    const isPart =
      (/[\w-]$/.test(before) && /^\w/.test(literal)) || (/^[\w-]/.test(after) && /\w$/.test(literal));
    before = after;
    return !isPart;
  });
}
