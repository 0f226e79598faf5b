import { z } from 'zod';
import { memorySources } from '../domain/memory.ts';
import type { MemoryFilter } from '../domain/shown-memory.ts';
import { kindNames, parseFilter } from '../recall/parse-filter.ts';
import { filterShape } from './filter.ts';

const { file, folder, concept, since, until } = filterShape;

/** What may be asked of a team's memory: the filters of one's own that mean something there, by the same names. */
export const teamFilterShape = {
  kind: z.string().max(500).optional().describe('Such as decision,gotcha,issue,job'),
  file,
  folder,
  concept,
  since,
  until,
  author: z.string().max(200).optional().describe('Name or id of a person; me'),
};

export const sourceShape = z.enum(memorySources);

export interface TeamWords {
  kind?: string | undefined;
  file?: string | undefined;
  folder?: string | undefined;
  concept?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  author?: string | undefined;
  sources?: MemoryFilter['sources'];
}

/** Words as one's own memory reads them, and what only a team has. */
export function teamFilterFromWords(
  { author, sources, kind, ...words }: TeamWords,
  now: number,
): MemoryFilter {
  return {
    ...parseFilter(words, now),
    // Of what kind a memory of a team is says whoever saves it.
    ...(kind === undefined ? {} : { kinds: kindNames(kind) }),
    ...(author === undefined ? {} : { author }),
    ...(sources === undefined || sources.length === 0 ? {} : { sources }),
  };
}
