import { z } from 'zod';
import { camelShape } from '../api/shapes.ts';
import { AppError } from '../base/errors.ts';
import { isFolder } from '../base/files.ts';
import type { CodeSearch } from '../code/code-search.ts';
import { answerTimeoutMs } from '../code/search.ts';
import type { Place } from '../domain/project.ts';
import { frecencyScores } from '../memo/steps.ts';
import { createPastWork } from '../pack/past-changes.ts';
import { searchCode } from '../pack/search-code.ts';
import * as codeAnswers from '../wire/answers/code.ts';
import { contentSearchShape, definedName, fileSearchShape, outlineShape, symbolShape } from '../wire/code.ts';
import { offsetOf } from '../wire/offset-cursor.ts';
import { placeOf, type RequestedProject } from './parts.ts';
import { projectRoute, type Route } from './route.ts';

export const checkoutShape = {
  root: z
    .string()
    .max(4_000)
    .optional()
    .describe('Working tree of the project; default: the most recently used one'),
};

const maxLines = 2_000;

export const codeRoutes: Route[] = [
  projectRoute({
    path: '/api/v1/code/search',
    name: 'searchCode',
    answers: codeAnswers.codeSearch.sent,
    text: 'code',
    summary: 'Search code for a text, or with a question in plain words.',
    params: { ...camelShape(contentSearchShape), ...checkoutShape },
    async answer(named, { root, query, ignoreCase, wholeWord, cursor, ...input }) {
      const code = await codeOf(named, root);
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
  projectRoute({
    path: '/api/v1/code/files',
    name: 'findFiles',
    answers: codeAnswers.codeFiles.sent,
    text: 'code',
    summary: 'Files by name or path, best first.',
    params: { ...fileSearchShape, ...checkoutShape },
    async answer(named, { root, query, limit, cursor }) {
      const { http, parts } = named;
      const place = checkoutOf(named, root);
      const code = await http.code(place);
      const frecency = await frecencyScores(parts, place.checkout, http.clock.now());
      const { files, ...rest } = await code.files({ query, limit, offset: offsetOf(cursor), frecency });
      return withCursor({ items: files, ...rest });
    },
  }),
  projectRoute({
    path: '/api/v1/code/lines',
    name: 'getLines',
    answers: codeAnswers.codeLines,
    text: 'code',
    summary: 'Current lines of a file.',
    params: {
      ...outlineShape,
      from: z.int().min(1).max(10_000_000).default(1),
      to: z.int().min(1).max(10_000_000).optional(),
      ...checkoutShape,
    },
    async answer(named, { root, path, from, to }) {
      const code = await codeOf(named, root);
      return code.lines({ path, from, to: Math.min(to ?? from + maxLines - 1, from + maxLines - 1) });
    },
  }),
  projectRoute({
    path: '/api/v1/code/definition',
    name: 'findDefinitions',
    answers: codeAnswers.definitions.sent,
    text: 'code',
    summary: 'Where a name is defined.',
    params: { ...symbolShape(definedName), ...checkoutShape },
    async answer(named, { root, cursor, ...input }) {
      const code = await codeOf(named, root);
      const search = { ...input, path: input.path, offset: offsetOf(cursor) };
      const found = await code.definitions({ ...search, deadlineMs: answerTimeoutMs });
      const { definitions, ...rest } = found;
      return withCursor({ items: definitions, ...rest });
    },
  }),
];

/** Accepts only known working trees of the project, so that no parameter can open another folder. */
export function checkoutOf(named: RequestedProject, root: string | undefined): Place {
  if (root === undefined || named.project.paths.includes(root)) return requireFolder(placeOf(named, root));
  throw new AppError('NOT_FOUND', `${root.slice(0, 200)} is not a working tree of ${named.project.name}`, {
    hint: 'GET /api/v1/projects',
  });
}

const codeOf = (named: RequestedProject, root: string | undefined): Promise<CodeSearch> =>
  named.http.code(checkoutOf(named, root));

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
