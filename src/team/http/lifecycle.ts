import { z } from 'zod';
import * as teamAnswers from '../../wire/answers/team.ts';
import { maxTextLength } from '../memories/prepare.ts';
import { checkPermission, forWriters } from '../people/permissions.ts';
import { applyChange } from '../sources/apply-change.ts';
import { changeOf, lifecycleEvents, textOf } from '../sources/lifecycle.ts';
import { type TeamRoute, teamRoute } from './route.ts';
import { metadataShape, uuidShape } from './shapes.ts';

const longText = z.string().max(maxTextLength);
const reference = z.string().min(1).max(500);
const lines = z.array(z.string().max(10_000)).max(500);

const lifecycle = z.object({
  event: z.enum(lifecycleEvents),
  sourceRef: reference.describe('A stable id of the issue, comment or job'),
  updatedAt: z.iso
    .datetime({ offset: true })
    .describe(
      'When it changed, by the clock of its origin. Changes older than the last known one are ignored',
    ),
  title: z.string().max(1_000).optional().describe('For an issue or a job'),
  description: longText.optional().describe('For an issue'),
  body: longText.optional().describe('For a comment'),
  issue: reference.optional().describe('For a comment or a job: the sourceRef of its issue'),
  stdout: longText.optional().describe('For a job: significant lines and the end of the output are kept'),
  toolResults: z
    .array(z.object({ tool: z.string().min(1).max(200), output: longText }))
    .max(200)
    .optional(),
  sessionContext: z
    .object({
      decisions: lines.optional(),
      resolvedErrors: lines.optional(),
      filesModified: lines.optional(),
    })
    .optional()
    .describe('For a job: decisions, resolved errors and changed files'),
  metadata: metadataShape,
});

const hasContent = (input: z.output<typeof lifecycle>): boolean =>
  input.event.endsWith(':deleted') || textOf(input) !== '';
const contentRequired = {
  error: 'an issue needs a title or description, a comment a body, a job a title, output or sessionContext',
};

/** The body of POST …/lifecycle, and of a delivery to a webhook of the kind `signed`, which any program may send. */
export const lifecycleShape = lifecycle.refine(hasContent, contentRequired);

export const lifecycleRoutes: TeamRoute[] = [
  teamRoute({
    method: 'POST',
    path: '/api/v1/projects/:id/lifecycle',
    alias: '/api/projects/:id/lifecycle',
    name: 'reportChange',
    answers: teamAnswers.applied,
    summary:
      'Reports a change to an issue, a comment or a job. An update replaces its memory; a deletion removes it permanently.',
    allowed: forWriters,
    params: lifecycle.extend({ id: uuidShape }).refine(hasContent, contentRequired),
    async answer(parts, { id, ...input }, token) {
      const { store } = parts;
      checkPermission(await store.member(token, id), forWriters);
      const { outcome, documentId } = await applyChange(parts, id, 'lifecycle', changeOf(input), (work) =>
        store.inProject(token, id, (project) => {
          checkPermission(project.member, forWriters);
          return work(project);
        }),
      );
      const [source = ''] = input.event.split(':');
      return { outcome, documentId, project: id, source, sourceRef: input.sourceRef };
    },
  }),
];
