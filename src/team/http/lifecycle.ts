import * as teamAnswers from '../../wire/answers/team.ts';
import { checkPermission, forWriters } from '../people/permissions.ts';
import { applyChange } from '../sources/apply-change.ts';
import { changeOf, lifecycleShape } from '../sources/lifecycle.ts';
import { type TeamRoute, teamRoute } from './route.ts';
import { uuidShape } from './shapes.ts';

export const lifecycleRoutes: TeamRoute[] = [
  teamRoute({
    method: 'POST',
    path: '/api/v1/projects/:id/lifecycle',
    alias: '/api/projects/:id/lifecycle',
    name: 'reportChange',
    answers: teamAnswers.applied,
    summary:
      'Reports a change to an issue, a comment or a job. An update replaces its memory; a deletion removes it permanently.',
    params: lifecycleShape.safeExtend({ id: uuidShape }),
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
