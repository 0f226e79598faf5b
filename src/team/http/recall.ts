import { z } from 'zod';
import { aliasRoutes, searchAliases } from '../../api/aliases.ts';
import { defaultLimit } from '../../recall/hit.ts';
import { questionOf } from '../../recall/parse-filter.ts';
import { hitRecord } from '../../recall/render.ts';
import type { TeamMemory } from '../../wire/answers/team.ts';
import * as teamAnswers from '../../wire/answers/team.ts';
import { offsetOf } from '../../wire/offset-cursor.ts';
import { recallShape } from '../../wire/recall-request.ts';
import { parseTeamFilter, sourceShape, teamFilterShape } from '../../wire/team.ts';
import { recallTeam } from '../memories/recall.ts';
import { type TeamRoute, teamRoute } from './route.ts';
import { uuidShape } from './shapes.ts';

/**
 * Routes for recall over a team's memory, with the parameters and response of the recall route of `backstory serve`.
 * Each hit also has a `memory` field with what only a team server knows, such as the author.
 */
const maxOffset = 10_000;
const cursor = z.string().max(20).optional().describe('`nextCursor` of the previous page');
const source = z.array(sourceShape).optional().describe('Only these sources; can be repeated');
const query = z.string().max(20_000);

const recallRoute = teamRoute({
  method: 'GET',
  path: '/api/v1/projects/:id/recall',
  name: 'recall',
  answers: teamAnswers.teamRecallPage,
  summary:
    "Searches the team's memory, best hits first, with the reasons for each hit. With a filter and no query, lists the newest.",
  params: z.object({
    id: uuidShape,
    query: query.optional().describe('What to find, in plain words or identifiers'),
    q: query.optional().describe('Short for query'),
    wordings: recallShape.wordings,
    ...teamFilterShape,
    source,
    format: recallShape.format,
    limit: recallShape.limit,
    cursor,
  }),
  async answer(parts, { id, query: long, q, wordings, limit = defaultLimit, cursor: page, ...rest }, token) {
    const from = Math.min(offsetOf(page), maxOffset);
    const { format, source: sources, ...words } = rest;
    const filter = parseTeamFilter({ ...words, sources }, parts.clock.now());
    const found = await recallTeam(parts, token, id, {
      ...questionOf({ text: long ?? q, wordings }, filter, '?query=…'),
      filter,
      limit,
      offset: from,
    });
    const next = from + found.hits.length;
    const { hits, ...about } = found;
    return {
      ...about,
      items: hits.map(({ memory, ...hit }) => {
        const { text: whole, ...record } = hitRecord(hit);
        return { ...record, ...(format === 'index' ? {} : { text: whole }), memory: detailsOf(memory) };
      }),
      ...(found.truncated && next <= maxOffset ? { nextCursor: String(next) } : {}),
    };
  },
});

export const recallRoutes: TeamRoute[] = [recallRoute, ...aliasRoutes(recallRoute, searchAliases)];

/** The fields of a team memory that a hit or a chunk does not already have. */
export const detailsOf = ({ text: _, files: __, concepts: ___, ...memory }: TeamMemory) => memory;
