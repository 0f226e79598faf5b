import { z } from 'zod';
import { quickLimits } from '../recall/with-index.ts';
import { whyWithTeam } from '../remote/why-with-team.ts';
import { resolveTarget } from '../why/target.ts';
import * as memoryAnswers from '../wire/answers/memory.ts';
import { whyShape } from '../wire/code.ts';
import { checkoutOf, checkoutShape } from './code.ts';
import { projectFor } from './parts.ts';
import { type Route, route } from './route.ts';

export const whyRoutes: Route[] = [
  route({
    path: '/api/v1/why',
    name: 'why',
    answers: memoryAnswers.whyAnswer,
    summary: 'Why code is as it is: who wrote it, for what, and what was rejected.',
    params: z.object({ ...whyShape, ...checkoutShape }),
    async answer(http, { project, root: requestedRoot, target }) {
      const named = projectFor(http, project);
      const place = checkoutOf(http, named, requestedRoot);
      const { root } = place;
      const query = await resolveTarget(target.trim(), {
        root,
        cwd: root,
        code: () => http.code(place),
        mayBeIgnored: false,
      });
      const code = http.checkedCode(root);
      return whyWithTeam({ parts: named.parts, root }, query, {
        now: http.clock.now(),
        limits: quickLimits,
        code,
      });
    },
  }),
];
