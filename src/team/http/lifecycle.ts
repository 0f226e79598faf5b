import { z } from 'zod';
import { maxTextLength } from '../memories/prepare.ts';
import { checkPermission, forWriters } from '../people/permissions.ts';
import { applyChange } from '../sources/apply-change.ts';
import { changeOf, lifecycleEvents, textOf } from '../sources/lifecycle.ts';
import { type TeamRoute, teamRoute } from './route.ts';
import { metadataShape, uuidShape } from './shapes.ts';

const longText = z.string().max(maxTextLength);
const reference = z.string().min(1).max(500);
const lines = z.array(z.string().max(10_000)).max(500);

const told = z.object({
  event: z.enum(lifecycleEvents),
  sourceRef: reference.describe('Names the issue, comment or job; the same for as long as it lives'),
  updatedAt: z.iso
    .datetime({ offset: true })
    .describe('When it changed, by the clock of where it lives: what is older than what was told is ignored'),
  title: z.string().max(1_000).optional().describe('Of an issue or a job'),
  description: longText.optional().describe('Of an issue'),
  body: longText.optional().describe('Of a comment'),
  issue: reference.optional().describe('Of a comment or a job: the sourceRef of its issue'),
  stdout: longText.optional().describe('Of a job: its telling lines and its end are kept'),
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
    .describe('Of a job: what was decided, which errors were resolved, which files changed'),
  metadata: metadataShape,
});

const saysSomething = (one: z.output<typeof told>): boolean =>
  one.event.endsWith(':deleted') || textOf(one) !== '';
const saysNothing = {
  error: 'an issue needs a title or description, a comment a body, a job a title, output or sessionContext',
};

/** What a delivery in the generic signed form holds, too. */
export const lifecycleShape = told.refine(saysSomething, saysNothing);

export const lifecycleRoutes: TeamRoute[] = [
  teamRoute({
    method: 'POST',
    path: '/api/projects/:id/lifecycle',
    summary:
      'Tells what happened to an issue, a comment or a job where it lives: an edited one replaces its memory, a deleted one removes it for good.',
    allowed: forWriters,
    asks: told.extend({ id: uuidShape }).refine(saysSomething, saysNothing),
    async answer(parts, { id, ...lifecycle }, token) {
      const { store } = parts;
      checkPermission(await store.member(token, id), forWriters);
      const { outcome, documentId } = await applyChange(parts, id, 'lifecycle', changeOf(lifecycle), (work) =>
        store.inProject(token, id, (project) => {
          checkPermission(project.member, forWriters);
          return work(project);
        }),
      );
      const [source] = lifecycle.event.split(':');
      return { outcome, documentId, project: id, source, sourceRef: lifecycle.sourceRef };
    },
  }),
];
