import { z } from 'zod';
import { AppError } from '../base/errors.ts';
import { listAgentSessions } from '../memory/sessions/agent-sessions.ts';
import { findNodes, neighbourhoodOf } from '../pack/neighbourhood.ts';
import * as projectAnswers from '../wire/answers/project.ts';
import { checkoutOf, checkoutShape } from './code.ts';
import { projectFor } from './parts.ts';
import { type Route, route } from './route.ts';

const maxSessions = 500;
const maxNodesPerKind = 500;
const defaultNodesPerKind = 12;

export const graphRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/v1/graph',
    name: 'getGraph',
    answers: projectAnswers.graph,
    summary:
      'A file, symbol or note with what is connected to it: notes, files, symbols. Without `node`, finds nodes by name.',
    params: z.object({
      ...checkoutShape,
      node: z.string().min(1).max(2_000).optional().describe('`file:PATH`, `note:ID` or `symbol:PATH#NAME`'),
      find: z.string().max(500).default('').describe('Words in the path of a file or the title of a note'),
      limit: z.int().min(1).max(maxNodesPerKind).default(defaultNodesPerKind).describe('Nodes of each kind'),
    }),
    async answer(http, { project, root, node, find, limit }) {
      const named = projectFor(http, project);
      const [notes, { sessions }, code] = await Promise.all([
        named.parts.notes.list(),
        listAgentSessions(named.parts, {}, maxSessions),
        node === undefined ? undefined : codeIfPresent(),
      ]);
      const parts = { notes, sessions, ...(code === undefined ? {} : { code }) };
      return node === undefined ? findNodes(parts, find, limit) : neighbourhoodOf(parts, node, limit);

      /**
       * Opens code search. Returns undefined if the project's working tree no longer exists; the answer then has notes
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
