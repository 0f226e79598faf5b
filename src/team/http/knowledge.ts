import { z } from 'zod';
import { type KnowledgeRequest, maxKnowledgeParts, maxReferenceLength } from '../../remote/sync-types.ts';
import * as teamAnswers from '../../wire/answers/team.ts';
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
}) satisfies z.ZodType<KnowledgeRequest['parts'][number]>;

export const knowledgeRoutes: TeamRoute[] = [
  teamRoute({
    method: 'POST',
    path: '/api/v1/projects/:id/knowledge',
    alias: '/api/projects/:id/knowledge',
    name: 'uploadKnowledge',
    answers: teamAnswers.savedKnowledge,
    summary: "Uploads facts from the project's files. Replaces the previous upload.",
    allowed: forWriters,
    params: z.object({
      id: uuidShape,
      parts: z.array(part).max(maxKnowledgeParts).describe('Each becomes a memory, identified by `ref`'),
    }),
    answer: (parts, { id, ...upload }, token) => saveKnowledge(parts, token, id, upload),
  }),
  teamRoute({
    method: 'POST',
    path: '/api/v1/projects/:id/knowledge/wanted',
    alias: '/api/projects/:id/knowledge/wanted',
    name: 'requestKnowledge',
    answers: teamAnswers.queued,
    summary: "Requests a new upload of facts from the project's files, by the next laptop that syncs.",
    allowed: forPeople,
    status: 202,
    params: z.object({ id: uuidShape }),
    answer: (parts, { id }, token) => requestKnowledge(parts, token, id),
  }),
];
