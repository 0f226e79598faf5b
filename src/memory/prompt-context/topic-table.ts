import { readJson, writeJson } from '../../base/files.ts';
import type { PreludeLine } from '../prelude/prelude-file.ts';

/** Rendered together with the prelude, so that the hook reads no note. Derived from the notes. */
interface TopicTable {
  v: 1;
  topics: Record<string, TopicLine>;
}

export type TopicLine = Pick<PreludeLine, 'section' | 'text' | 'reason' | 'code'>;

export function readTopics(path: string): Map<string, TopicLine> {
  const table = readJson<TopicTable>(path);
  return new Map(table?.v === 1 ? Object.entries(table.topics) : []);
}

export const writeTopics = (path: string, lines: PreludeLine[]): void =>
  writeJson(path, {
    v: 1,
    topics: Object.fromEntries(
      lines.flatMap(({ note, section, text, reason, code }) =>
        note === undefined
          ? []
          : [[note, { section, text, reason, ...(code === undefined ? {} : { code }) }]],
      ),
    ),
  } satisfies TopicTable);
