import { AppError } from '../../base/errors.ts';
import { hashId } from '../../base/hash.ts';
import { statementsOf } from '../foreign/claude-memory.ts';
import { findKnowledgePart, readInside, repoFolder } from './repo-folder.ts';

/**
 * The knowledge file of a repository: Markdown that Backstory and people write together. Backstory's lines are between
 * two comments. The second lists the id and a hash of every line as Backstory wrote it, so that any clone can tell
 * which lines a person changed or deleted since.
 */
export const knowledgePath = `${repoFolder}/knowledge.md`;
/** Files of agents that can have Backstory's part, for tools without hooks. */
export const agentFiles = ['AGENTS.md', 'CLAUDE.md'];

export interface KnowledgeFile {
  /** The text around Backstory's part, byte for byte. */
  head: string;
  tail: string;
  lineEnd: '\n' | '\r\n';
  lines: string[];
  /** The hash of each line as Backstory wrote it, by the id of the line. */
  written: Map<string, string>;
}

const beginning =
  '<!-- backstory knowledge: begin. `backstory knowledge` updates this part. Edit or delete any line: it stays as you left it. -->';
const ending = '<!-- backstory knowledge: end. The lines as Backstory wrote them:';

export function parseKnowledge(text: string, path: string): KnowledgeFile {
  if (/^(?:<{7}|>{7}) /m.test(text))
    throw new AppError('CONFLICT', `${path} has conflict markers of a merge`, {
      hint: 'Resolve the conflict, then run the command again',
    });
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const { marks, found } = findKnowledgePart(text);
  if (found === null && marks > 0)
    throw new AppError('CONFLICT', `${path} has not exactly one begin and one end comment of Backstory`, {
      hint: 'Restore the comments, or delete both to start a new part',
    });
  if (found === null) {
    const gap = text === '' || /\n\r?\n$/.test(text) ? '' : text.endsWith('\n') ? lineEnd : lineEnd + lineEnd;
    return { head: text + gap, tail: lineEnd, lineEnd, lines: [], written: new Map() };
  }
  const [whole, own = '', state = ''] = found;
  const entries = state.matchAll(/^(\S+) ([0-9a-f]{6})\r?$/gm);
  return {
    head: text.slice(0, found.index),
    tail: text.slice(found.index + whole.length),
    lineEnd,
    lines: own.replace(/\r?\n$/, '').split(/\r?\n/),
    written: new Map([...entries].map(([, id = '', hash = '']) => [id, hash])),
  };
}

export function formatKnowledge({ head, tail, lineEnd, lines, written }: KnowledgeFile): string {
  const state = [...written].sort(([a], [b]) => (a < b ? -1 : 1)).map(([id, hash]) => `${id} ${hash}`);
  return head + [beginning, ...lines, ending, ...state, '-->'].join(lineEnd) + tail;
}

/** Identifies a line by the id of a statement at its end or, without one, by its first code. */
export function lineId(line: string): string | undefined {
  const id = /\[([0-9A-Za-z]{8})\]\s*$/.exec(line)?.[1];
  const code = /^\s*- .*?`([^`]+)`/.exec(line)?.[1];
  return id ?? (code === undefined ? undefined : codeId(code));
}

const codeId = (code: string): string => `~${hashId('knowledge line', code).slice(0, 7)}`;
const isCodeId = (id: string): boolean => id.startsWith('~');

/** A formatter that changes spaces has not edited the line. */
export const hashOf = (line: string): string => hashId(line.trim().replace(/\s+/g, ' ')).slice(0, 6);

/** The files in which a statement with such a short id is, in a line or as history. */
export const filesNaming = (root: string, isNamed: (id: string) => boolean): string[] =>
  [knowledgePath, ...agentFiles].filter((path) =>
    [...(readInside(root, path) ?? '').matchAll(/\[(\w{8})\]$/gm)].some(([, id = '']) => isNamed(id)),
  );

/** A text in a knowledge file of the repository. Somebody wrote it, perhaps on another machine. */
export interface KnownText {
  /** The heading above it. */
  title: string;
  text: string;
  /** The short id of the note from which a machine wrote it. */
  note?: string;
}

/** Reads the statements of the file. Commands are left out, because the repository itself has them. */
export function readKnowledgeTexts(root: string): KnownText[] {
  const markdown = (readInside(root, knowledgePath) ?? '').replace(/<!--[\s\S]*?(?:-->|$(?![\s\S]))/g, '');
  return statementsOf(markdown).flatMap(({ topic, text }): KnownText[] => {
    const id = lineId(text.split('\n')[0] ?? '');
    if (text.trim() === '' || (id !== undefined && isCodeId(id))) return [];
    return [{ title: topic, text, ...(id === undefined ? {} : { note: id }) }];
  });
}
