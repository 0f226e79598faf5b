import { z } from 'zod';
import { camelShape, projectShape } from '../api/shapes.ts';
import { AppError } from '../base/errors.ts';
import { isFolder } from '../base/files.ts';
import { answerTimeoutMs } from '../code/search.ts';
import type { Place } from '../domain/project.ts';
import { frecencyScores } from '../memo/steps.ts';
import { createPastWork } from '../pack/past-work.ts';
import { searchCode } from '../pack/search-code.ts';
import * as codeAnswers from '../wire/answers/code.ts';
import { contentSearchShape, definedName, fileSearchShape, outlineShape, symbolShape } from '../wire/code.ts';
import { offsetOf } from '../wire/offset-cursor.ts';
import { type HttpParts, placeOf, projectFor, type RequestedProject } from './parts.ts';
import { type Route, route } from './route.ts';

export const checkoutShape = {
  ...projectShape,
  root: z
    .string()
    .max(4_000)
    .optional()
    .describe('Working tree of the project; default: the most recently used one'),
};

const maxLines = 2_000;

export const codeRoutes: Route[] = [
  route({
    path: '/api/v1/code/search',
    name: 'searchCode',
    answers: codeAnswers.codeSearch.sent,
    text: 'code',
    summary: 'Search code for a text, or with a question in plain words.',
    params: z.object({ ...camelShape(contentSearchShape), ...checkoutShape }),
    async answer(http, { project, root, query, ignoreCase, wholeWord, cursor, ...input }) {
      const code = await http.code(checkoutOf(http, projectFor(http, project), root));
      const found = await searchCode(
        { code, pastWork: createPastWork(code.root) },
        {
          ...input,
          mode: input.mode,
          wordings: input.wordings,
          path: input.path,
          text: query,
          ignoreCase: ignoreCase ?? false,
          wholeWord: wholeWord ?? false,
          offset: offsetOf(cursor),
          deadlineMs: answerTimeoutMs,
        },
      );
      if ('results' in found.answer) {
        const { results, ...rest } = found.answer;
        return withCursor({ items: results, ...rest });
      }
      const { files, ...rest } = found.answer;
      return withCursor({ items: files, ...rest });
    },
  }),
  route({
    path: '/api/v1/code/files',
    name: 'findFiles',
    answers: codeAnswers.codeFiles.sent,
    text: 'code',
    summary: 'Files by name or path, best first.',
    params: z.object({ ...fileSearchShape, ...checkoutShape }),
    async answer(http, { project, root, query, limit, cursor }) {
      const named = projectFor(http, project);
      const place = checkoutOf(http, named, root);
      const code = await http.code(place);
      const frecency = await frecencyScores(named.parts, place.checkout, http.clock.now());
      const { files, ...rest } = await code.files({ query, limit, offset: offsetOf(cursor), frecency });
      return withCursor({ items: files, ...rest });
    },
  }),
  route({
    path: '/api/v1/code/lines',
    name: 'getLines',
    answers: codeAnswers.codeLines,
    text: 'code',
    summary: 'Current lines of a file.',
    params: z.object({
      ...outlineShape,
      from: z.int().min(1).max(10_000_000).default(1),
      to: z.int().min(1).max(10_000_000).optional(),
      ...checkoutShape,
    }),
    async answer(http, { project, root, path, from, to }) {
      const code = await http.code(checkoutOf(http, projectFor(http, project), root));
      return code.lines({ path, from, to: Math.min(to ?? from + maxLines - 1, from + maxLines - 1) });
    },
  }),
  route({
    path: '/api/v1/code/definition',
    name: 'findDefinitions',
    answers: codeAnswers.definitions.sent,
    text: 'code',
    summary: 'Where a name is defined.',
    params: z.object({ ...symbolShape(definedName), ...checkoutShape }),
    async answer(http, { project, root, cursor, ...input }) {
      const code = await http.code(checkoutOf(http, projectFor(http, project), root));
      const search = { ...input, path: input.path, offset: offsetOf(cursor) };
      const found = await code.definitions({ ...search, deadlineMs: answerTimeoutMs });
      const { definitions, ...rest } = found;
      return withCursor({ items: definitions, ...rest });
    },
  }),
];

/** Accepts only known working trees of the project, so that no parameter can open another folder. */
export function checkoutOf(http: HttpParts, { project }: RequestedProject, root: string | undefined): Place {
  if (root === undefined) return requireFolder(placeOf(http, project));
  if (project.paths.includes(root)) return requireFolder(placeOf(http, project, root));
  throw new AppError('NOT_FOUND', `${root.slice(0, 200)} is not a working tree of ${project.name}`, {
    hint: 'GET /api/v1/projects',
  });
}

function requireFolder(place: Place): Place {
  if (place.root !== '' && isFolder(place.root)) return place;
  throw new AppError('REPO_NOT_DETECTED', `the working tree of ${place.name} does not exist: ${place.root}`, {
    hint: 'GET /api/v1/projects',
  });
}

const withCursor = <T extends { nextOffset: number | undefined }>({ nextOffset, ...found }: T) => ({
  ...found,
  ...(nextOffset === undefined ? {} : { nextCursor: String(nextOffset) }),
});
