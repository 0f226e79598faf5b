import { z } from 'zod';
import { type BringRequest, maxKnowledgeParts, maxReferenceLength } from '../../remote/sync-shapes.ts';
import { maxTextLength } from '../memories/prepare.ts';
import { forPeople, forWriters } from '../people/permissions.ts';
import { requestKnowledge, saveKnowledge } from '../sources/knowledge.ts';
import { type TeamRoute, teamRoute } from './route.ts';
import { uuidShape } from './shapes.ts';

const part = z.object({
  ref: z
    .string()
    .min(1)
    .max(maxReferenceLength - 50),
  title: z.string().max(500),
  text: z.string().trim().min(1).max(maxTextLength),
  files: z.array(z.string().max(500)).max(100),
}) satisfies z.ZodType<BringRequest['parts'][number]>;

export const knowledgeRoutes: TeamRoute[] = [
  teamRoute({
    method: 'POST',
    path: '/api/projects/:id/knowledge',
    summary: "Brings what a project's files say of it, in place of what was brought before.",
    allowed: forWriters,
    asks: z.object({
      id: uuidShape,
      parts: z.array(part).max(maxKnowledgeParts).describe('Each its own memory, named by `ref`'),
    }),
    answer: (parts, { id, ...brought }, token) => saveKnowledge(parts, token, id, brought),
  }),
  teamRoute({
    method: 'POST',
    path: '/api/projects/:id/knowledge/wanted',
    summary: "Asks for it to be gathered anew from the project's files: by the next laptop that does so.",
    allowed: forPeople,
    status: 202,
    asks: z.object({ id: uuidShape }),
    answer: (parts, { id }, token) => requestKnowledge(parts, token, id),
  }),
];
