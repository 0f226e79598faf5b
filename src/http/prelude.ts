import { z } from 'zod';
import { projectShape } from '../api/shapes.ts';
import { newsSince } from '../memory/prelude/news-since-prelude.ts';
import { preludeText, readPrelude } from '../memory/prelude/prelude-file.ts';
import { estimateTokens } from '../text/tokens.ts';
import * as memoryAnswers from '../wire/answers/memory.ts';
import { projectFor } from './parts.ts';
import { type Route, route } from './route.ts';

export const preludeRoutes: Route[] = [
  route({
    method: 'GET',
    path: '/api/v1/prelude',
    name: 'getPrelude',
    answers: memoryAnswers.prelude,
    summary: 'The context that the next agent session gets, with the reason for each line.',
    params: z.object(projectShape),
    async answer(http, { project: named }) {
      const { project, parts } = projectFor(http, named);
      const prelude = readPrelude(http.paths, project.id);
      const lines = prelude?.lines ?? [];
      const since = newsSince(parts.log, prelude?.position ?? {});
      const text = preludeText(lines, since, project.name, prelude?.digest);
      return { text, tokens: estimateTokens(text), characters: text.length, lines, since };
    },
  }),
];
