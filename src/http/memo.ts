import { z } from 'zod';
import { projectShape } from '../api/shapes.ts';
import { followMemo } from '../memo/follow-client.ts';
import { openSessionMemo } from '../memo/session-memo.ts';
import { pausesOf } from '../memory/projects/pauses.ts';
import * as projectAnswers from '../wire/answers/project.ts';
import { placeOf, projectFor } from './parts.ts';
import { type Route, route } from './route.ts';

const maxFiles = 200;

export const memoRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/v1/memo',
    name: 'getMemo',
    answers: projectAnswers.memo,
    summary: 'Files that an agent session has read, whether they are unchanged, and the tokens saved.',
    params: z.object({ ...projectShape, session: z.string().min(1).max(200).describe('Agent session') }),
    async answer(http, { project: wanted, session }) {
      const { project, parts } = projectFor(http, wanted);
      const captureGapEnds = () =>
        pausesOf(http.paths, project.id).map(({ until }) => until ?? Number.POSITIVE_INFINITY);
      const follower = followMemo(parts, { pid: 0, captureGapEnds });
      const now = http.clock.now();
      const memo = await openSessionMemo(parts, follower, placeOf(http, project), { named: session }, now);
      const files = memo.files.slice(-maxFiles).map((file) => {
        const { path, status, recommendation, tokens, readCount, lastReadAt, message } = memo.ask(
          file.path,
          false,
        );
        return {
          path,
          status,
          recommendation,
          tokens,
          readCount,
          editCount: file.editCount,
          lastReadAt: lastReadAt === 0 ? null : lastReadAt,
          message,
        };
      });
      return {
        session: memo.agentSession,
        epoch: memo.epoch,
        items: files,
        savings: memo.savings,
        estimated: true as const,
        truncated: memo.files.length > maxFiles,
      };
    },
  }),
];
