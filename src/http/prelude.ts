import { z } from 'zod';
import { AppError } from '../base/errors.ts';
import { toldNow } from '../memory/prelude/told-now.ts';
import { muteLineNow } from '../memory/refresh-prelude.ts';
import * as memoryAnswers from '../wire/answers/memory.ts';
import { notePartsFor, type RequestedProject } from './parts.ts';
import { projectRoute, type Route } from './route.ts';

export const preludeRoutes: Route[] = [
  projectRoute({
    path: '/api/v1/prelude',
    name: 'getPrelude',
    answers: memoryAnswers.prelude,
    summary: 'The context that the next agent session gets, with the reason for each line.',
    params: {},
    answer: async (named) => preludeOf(named),
  }),
  projectRoute({
    method: 'POST',
    path: '/api/v1/prelude/mute',
    name: 'muteLine',
    answers: memoryAnswers.mutedLine,
    summary:
      'Keeps a line that tells no note, such as one about the last work, out of what sessions are told, or tells it again.',
    needsPerson: 'Muting a line',
    params: {
      line: z.string().min(8).max(64).describe('`line` of a line of the prelude'),
      isMuted: z.boolean().default(true),
    },
    async answer(named, { line, isMuted }) {
      const { lines, muted } = preludeOf(named);
      if (![...lines, ...muted].some((one) => one.line === line))
        throw new AppError('NOT_FOUND', 'the prelude has no such line', { hint: 'GET /api/v1/prelude' });
      await muteLineNow(named.parts, notePartsFor(named), line, isMuted);
      return { line, isMuted };
    },
  }),
];

export function preludeOf({ project, parts }: RequestedProject) {
  const { told, muted } = toldNow(parts, project.name);
  return { ...told, muted };
}
