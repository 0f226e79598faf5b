import { z } from 'zod';
import { memorySources } from '../domain/memory.ts';
import type { MemoryFilter } from '../domain/team-memory-view.ts';
import { type Exact, kindNames, parseFilter } from '../recall/parse-filter.ts';
import { filterShape } from './filter.ts';

const { file, folder, concept, since, until } = filterShape;

/** Filter parameters of a team's memory: the local ones that apply to it, with the same names, and `author`. */
export const teamFilterShape = {
  kind: z.string().max(500).optional().describe('Such as decision,fact,issue,job'),
  file,
  folder,
  concept,
  since,
  until,
  disputed: z.boolean().optional().describe('Only memories that a member calls wrong'),
  author: z.string().max(200).optional().describe('Name or id of a person, or me'),
};

export const sourceShape = z.enum(memorySources);

export type TeamFilterText = {
  [Name in keyof typeof teamFilterShape]?: z.output<(typeof teamFilterShape)[Name]>;
} & { sources?: MemoryFilter['sources'] };

/** Parses the filters that local memory has too, and adds those that only a team has. */
export function parseTeamFilter<Given extends TeamFilterText>(
  given: Exact<TeamFilterText, Given>,
  now: number,
): MemoryFilter {
  const { author, disputed, sources, kind, ...filter }: TeamFilterText = given;
  return {
    ...parseFilter(filter, now),
    // The kind is not limited to those of local memory, because sources of a team define their own.
    ...(kind === undefined ? {} : { kinds: kindNames(kind) }),
    ...(author === undefined ? {} : { author }),
    ...(disputed === true ? { disputed } : {}),
    ...(sources === undefined || sources.length === 0 ? {} : { sources }),
  };
}
