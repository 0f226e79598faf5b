import { listCheckoutFolder, readCheckoutText } from '../../base/checkout-file.ts';
import type { NoteKind } from '../../domain/note.ts';
import type { ForeignNote } from './foreign-note.ts';

const maxFileBytes = 4 * 1024 * 1024;
const maxEntries = 10_000;

/**
 * Reads what Codex remembers of a project: the summary of each session, and the sections of `MEMORY.md` that it made of
 * them. Codex has one memory for all projects, so only what names a folder of the project is read; `isHere` decides.
 * `memory_summary.md` and `raw_memories.md` repeat the same in other words.
 */
export function readCodexMemories(folder: string, isHere: (cwd: string) => boolean): ForeignNote[] {
  return [...readSummaries(folder, isHere), ...readHandbook(folder, isHere)];
}

function readSummaries(folder: string, isHere: (cwd: string) => boolean): ForeignNote[] {
  return listCheckoutFolder(folder, 'rollout_summaries', maxEntries).flatMap(({ name, kind }) => {
    if (kind !== 'file' || !name.endsWith('.md')) return [];
    const source = readCheckoutText(folder, `rollout_summaries/${name}`, maxFileBytes) ?? '';
    const { fields, body } = splitHeader(source);
    if (body === '' || !isHere(fields.get('cwd') ?? '')) return [];
    return [
      {
        key: fields.get('thread_id') ?? name,
        kind: 'summary' as const,
        title: titleOf(body) || name,
        text: body,
        concepts: [],
        files: [],
        created: dateOf(fields.get('updated_at')),
      },
    ];
  });
}

/** A summary starts with lines such as `cwd: /home/you/shop`, up to an empty line. */
function splitHeader(source: string): { fields: Map<string, string>; body: string } {
  const lines = source.replaceAll('\r\n', '\n').split('\n');
  const end = lines.findIndex((line) => !/^[a-z_]+: /.test(line));
  const fields = lines.slice(0, Math.max(end, 0)).map((line): [string, string] => {
    const at = line.indexOf(': ');
    return [line.slice(0, at), line.slice(at + 2).trim()];
  });
  return {
    fields: new Map(fields),
    body: lines.slice(Math.max(end, 0)).join('\n').trim(),
  };
}

const titleOf = (body: string): string => (body.split('\n')[0] ?? '').replace(/^#+\s*/, '').slice(0, 120);

const dateOf = (value: string | undefined): string => {
  const date = new Date(value ?? '');
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
};

/** The sections of a task group that say something. Its other sections list sessions and search terms. */
const sectionKinds: Record<string, NoteKind> = {
  'User preferences': 'preference',
  'Reusable knowledge': 'knowledge',
  'Failures and how to do differently': 'failed',
};

/** `MEMORY.md` has a `# Task Group:` for each kind of work, with the folders it applies to. */
function readHandbook(folder: string, isHere: (cwd: string) => boolean): ForeignNote[] {
  const source = readCheckoutText(folder, 'MEMORY.md', maxFileBytes) ?? '';
  const groups = source.replaceAll('\r\n', '\n').split(/^# Task Group: /m);
  return groups.slice(1).flatMap((group) => {
    if (!foldersOf(group).some(isHere)) return [];
    const name = titleOf(group);
    const scope = /^scope: (.+)$/m.exec(group)?.[1] ?? '';
    const sections = group.split(/^## /m).slice(1);
    return sections.flatMap((section) => {
      const [heading = '', ...lines] = section.split('\n');
      const kind = sectionKinds[heading.trim()];
      // The references to tasks mean nothing outside the file.
      const body = lines
        .join('\n')
        .replaceAll(/(?:\s*\[Task \d+\])+/g, '')
        .trim();
      if (kind === undefined || body === '') return [];
      return [
        {
          key: `MEMORY.md#${name}#${heading.trim()}`,
          kind,
          title: `${heading.trim()}: ${name}`,
          text: scope === '' ? body : `${scope}\n\n${body}`,
          concepts: [],
          files: [],
          created: newestDate(group),
        },
      ];
    });
  });
}

/** The folders of a task group: `applies_to: cwd=/home/you/shop; …`, and those of its sessions, in parentheses. */
const foldersOf = (group: string): string[] =>
  [...group.matchAll(/\bcwd=([^\n,;)]+)/g)].map(([, folder]) =>
    (folder as string).trim().replace(/^`|`$/g, ''),
  );

const newestDate = (group: string): string =>
  [...group.matchAll(/\bupdated_at=([^\s,;)]+)/g)]
    .map(([, date]) => dateOf(date))
    .sort()
    .at(-1) ?? '';
