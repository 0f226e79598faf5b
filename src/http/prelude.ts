import { z } from 'zod';
import { AppError } from '../base/errors.ts';
import { muteLine } from '../memory/prelude/muted-lines.ts';
import { newsSince } from '../memory/prelude/news-since-prelude.ts';
import { preludeText, readPrelude } from '../memory/prelude/prelude-file.ts';
import { refreshPrelude } from '../memory/refresh-prelude.ts';
import { quickLimits, withIndex, withoutMeaning } from '../recall/with-index.ts';
import { estimateTokens } from '../text/tokens.ts';
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
      const { lines, muted = [] } = preludeOf(named);
      if (![...lines, ...muted].some((one) => one.line === line))
        throw new AppError('NOT_FOUND', 'the prelude has no such line', { hint: 'GET /api/v1/prelude' });
      await withIndex(withoutMeaning(named.parts), quickLimits, (index) =>
        muteLine(notePartsFor(named), index, line, isMuted),
      );
      await refreshPrelude(named.parts);
      return { line, isMuted };
    },
  }),
];

/** What the next session is told. Every route says it from here. */
export function preludeOf({ http, project, parts }: RequestedProject) {
  const { lines = [], muted = [], position = {}, digest } = readPrelude(http.paths, project.id) ?? {};
  const since = newsSince(parts.log, position);
  const text = preludeText(lines, since, project.name, digest);
  return { text, tokens: estimateTokens(text), characters: text.length, lines, muted, since };
}
