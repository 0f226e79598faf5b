import { basename, dirname, join } from 'node:path';
import { parse } from 'yaml';
import { listCheckoutFolder, readCheckoutText } from '../../base/checkout-file.ts';
import { list, record, text } from '../../base/json.ts';
import type { NoteKind } from '../../domain/note.ts';
import { frontMatter } from '../notes/note-file.ts';
import { findKnowledgePart } from '../repo/repo-folder.ts';

export interface ForeignNote {
  /** Id of the memory in the other tool, so that importing again finds the same note. */
  key: string;
  kind: NoteKind;
  title: string;
  /** What the text is about, if the tool says so. */
  topic?: string;
  text: string;
  concepts: string[];
  files: string[];
  /** When the memory was created, in ISO-8601; empty if unknown. */
  created: string;
}

/** Larger files are not imported, because they are no notes. */
const maxNoteBytes = 1024 * 1024;
const maxEntries = 10_000;

/**
 * Reads the Markdown files of a folder and its subfolders as notes; tags and title come from the front
 * matter. Links are skipped. The root may also be one such file.
 */
export function readMarkdownFolder(given: string, folder: string, kind: NoteKind): ForeignNote[] {
  const isFile = given.endsWith('.md');
  const root = isFile ? dirname(given) : given;
  const paths = isFile ? [basename(given)] : markdownFiles(root, folder, '', 0).sort();
  return paths.flatMap((path) => {
    const written = readCheckoutText(root, join(folder, path), maxNoteBytes) ?? '';
    // What Backstory wrote itself is no memory of another tool.
    const source = written.replace(findKnowledgePart(written).found?.[0] ?? '', '');
    const match = frontMatter.exec(source);
    const front = match === null ? {} : frontMatterOf(match[1] as string);
    const body = (match?.[2] ?? source).trim();
    if (body === '') return [];
    return [
      {
        key: path,
        kind,
        title: text(front.title) || firstLine(body) || path,
        text: body,
        concepts: list(front.tags)
          .map(text)
          .filter((tag) => tag !== ''),
        files: [],
        created: dateOf(front.created ?? front.date),
      },
    ];
  });
}

/** Another tool's front matter may be invalid; the note is imported without it. */
function frontMatterOf(source: string): Record<string, unknown> {
  try {
    return record(parse(source, { maxAliasCount: 0 }));
  } catch {
    return {};
  }
}

const firstLine = (body: string): string =>
  (body.split('\n').find((line) => line.trim() !== '') ?? '').replace(/^#+\s*/, '').slice(0, 80);

const dateOf = (value: unknown): string => {
  const date = value instanceof Date ? value : new Date(text(value));
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
};

const maxDepth = 6;

function markdownFiles(root: string, folder: string, below: string, depth: number): string[] {
  return listCheckoutFolder(root, join(folder, below), maxEntries).flatMap(({ name, kind }) => {
    const path = below === '' ? name : `${below}/${name}`;
    if (kind === 'folder' && depth < maxDepth && !name.startsWith('.'))
      return markdownFiles(root, folder, path, depth + 1);
    return kind === 'file' && name.endsWith('.md') ? [path] : [];
  });
}
