import { quickLimits } from '../recall/with-index.ts';
import { whyWithTeam } from '../remote/why-with-team.ts';
import { resolveTarget } from '../why/target.ts';
import * as memoryAnswers from '../wire/answers/memory.ts';
import { whyShape } from '../wire/code.ts';
import { checkoutOf, checkoutShape } from './code.ts';
import { projectRoute, type Route } from './route.ts';

export const whyRoutes: Route[] = [
  projectRoute({
    path: '/api/v1/why',
    name: 'why',
    answers: memoryAnswers.whyAnswer,
    summary: 'Why code is as it is: who wrote it, for what, and what was rejected.',
    params: { ...whyShape, ...checkoutShape },
    async answer(named, { root: requestedRoot, target }) {
      const { http, parts } = named;
      const place = checkoutOf(named, requestedRoot);
      const { root } = place;
      const query = await resolveTarget(target.trim(), {
        root,
        cwd: root,
        code: () => http.code(place),
        mayBeIgnored: false,
      });
      const options = { now: http.clock.now(), limits: quickLimits, code: http.checkedCode(root) };
      return whyWithTeam({ parts, root }, query, options);
    },
  }),
];
