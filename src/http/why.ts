import { z } from 'zod';
import { quickLimits } from '../recall/with-index.ts';
import { resolveTarget } from '../why/target.ts';
import { why } from '../why/why.ts';
import { whyShape } from '../wire/code.ts';
import { checkoutOf, checkoutShape } from './code.ts';
import { projectFor } from './parts.ts';
import { type Route, route } from './route.ts';

export const whyRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/why',
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
      return why({ parts: named.parts, root }, query, {
        now: http.clock.now(),
        limits: quickLimits,
        code,
      });
    },
  }),
];
