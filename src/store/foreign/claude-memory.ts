import { hashId } from '../../base/hash.ts';
import type { NoteKind } from '../../domain/note.ts';
import { type ForeignNote, readMarkdownFolder } from './foreign-note.ts';

/** Claude Code puts this much of `MEMORY.md` into every session. */
const loadedLines = 200;
const loadedBytes = 25 * 1024;
const indexFile = 'MEMORY.md';
const maxTitleLength = 80;

/** Reads memory files of Claude Code, one note per statement. `isLoaded` leaves out what every session reads anyway. */
export function readClaudeMemory(root: string, folder: string, isLoaded: boolean): ForeignNote[] {
  return readMarkdownFolder(root, folder, 'knowledge').flatMap((file) => {
    const text = isLoaded && file.key === indexFile ? unloadedPart(file.text) : file.text;
    return splitNote({ ...file, text });
  });
}

/** Kinds of the sections that TheHook asks its model for. */
const sectionKinds: Record<string, NoteKind> = {
  summary: 'summary',
  conventions: 'rule',
  decisions: 'decision',
  gotchas: 'fact',
};

/** One note per statement of a Markdown file. Its heading is the topic, or says the kind if it is a section of TheHook. */
export const splitNote = (file: ForeignNote): ForeignNote[] =>
  statementsOf(file.text).map(({ topic, text }) => {
    const kind = sectionKinds[topic.toLowerCase()];
    return {
      ...file,
      key: `${file.key}#${hashId('statement', topic, text)}`,
      title: text.split('\n')[0]?.slice(0, maxTitleLength) ?? '',
      ...(kind === undefined ? { topic: topic || file.key.replace(/\.md$/, '') } : { kind }),
      text,
    };
  });

function unloadedPart(text: string): string {
  const lines = text.split('\n');
  let bytes = 0;
  const end = lines.findIndex((line, at) => {
    bytes += Buffer.byteLength(line) + 1;
    return at >= loadedLines || bytes > loadedBytes;
  });
  return end === -1 ? '' : lines.slice(end).join('\n');
}

interface Statement {
  /** The heading above it; empty if there is none. */
  topic: string;
  text: string;
}

/** Splits Markdown: each bullet with its indented lines, and each paragraph. A code block belongs to what is above it. */
export function statementsOf(markdown: string): Statement[] {
  const found: Statement[] = [];
  let topic = '';
  let isOpen = false;
  let isCode = false;
  for (const line of markdown.split(/\r?\n/)) {
    const last = found.at(-1);
    const isFence = /^\s*(?:```|~~~)/.test(line);
    const heading = isCode ? undefined : /^#{1,6}\s+(.*?)\s*#*$/.exec(line)?.[1];
    const isBlank = /^\s*(?:([-*_])(?:\s*\1){2,}\s*)?$/.test(line);
    const bullet = /^(?:[-*+]|\d+[.)])\s+(.*)$/.exec(line)?.[1];
    if (isFence) isCode = !isCode;
    if (heading !== undefined) {
      topic = heading;
      isOpen = false;
    } else if (isFence || isCode || (isOpen && bullet === undefined && !isBlank)) {
      if (last?.topic === topic) last.text += `\n${line.trimEnd()}`;
      else if (!isFence) found.push({ topic, text: line.trim() });
      isOpen = true;
    } else if (isBlank) isOpen = false;
    else {
      found.push({ topic, text: (bullet ?? line).trim() });
      isOpen = true;
    }
  }
  return found.filter(({ text }) => /\p{L}/u.test(text));
}
