import { z } from 'zod';
import { AppError } from '../base/errors.ts';
import { listAgentSessions } from '../memory/sessions/agent-sessions.ts';
import { maxGraphNodes, projectGraph } from '../pack/project-graph.ts';
import { checkoutOf, checkoutShape } from './code.ts';
import { projectFor } from './parts.ts';
import { type Route, route } from './route.ts';

const maxSessions = 500;
const symbolsTimeoutMs = 1_500;

export const graphRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/graph',
    summary: 'Graph of notes, decisions, the files they are about and the symbols they mention.',
    params: z.object({
      ...checkoutShape,
      limit: z.int().min(1).max(maxGraphNodes).default(maxGraphNodes),
    }),
    async answer(http, { project, root, limit }) {
      const named = projectFor(http, project);
      const [notes, { sessions }, code] = await Promise.all([
        named.parts.notes.list(),
        listAgentSessions(named.parts, {}, maxSessions),
        codeIfPresent(),
      ]);
      const until = http.clock.now() + symbolsTimeoutMs;
      return projectGraph(
        { notes, sessions, ...(code === undefined ? {} : { code }) },
        { maxNodes: limit, isOver: () => http.clock.now() > until },
      );

      /**
       * Opens code search. Returns undefined if the project's working tree no longer exists; the graph then shows notes
       * and files, but no symbols.
       */
      async function codeIfPresent() {
        try {
          return await http.code(checkoutOf(http, named, root));
        } catch (error) {
          if (error instanceof AppError && root === undefined) return undefined;
          throw error;
        }
      }
    },
  }),
];
