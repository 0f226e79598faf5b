import { z } from 'zod';
import { AppError } from '../base/errors.ts';
import { isFolder } from '../base/files.ts';
import { answerTimeoutMs } from '../code/search.ts';
import type { Place } from '../domain/project.ts';
import { frecencyScores } from '../memo/steps.ts';
import { contextPack, maxBudgetTokens, maxFilesCap } from '../pack/context-pack.ts';
import { fitBudget } from '../pack/fit-budget.ts';
import { createPastWork } from '../pack/past-work.ts';
import { estimateTokens } from '../text/tokens.ts';
import {
  contentSearchShape,
  definedName,
  fileSearchShape,
  outlineShape,
  packShape,
  symbolShape,
  usedName,
} from '../wire/code.ts';
import { offsetOf } from '../wire/offset-cursor.ts';
import { type HttpParts, placeOf, projectFor, type RequestedProject } from './parts.ts';
import { type Route, route } from './route.ts';
import { projectShape } from './shapes.ts';

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
    method: 'GET',
    path: '/api/code/search',
    text: 'code',
    summary: 'Search file contents; definitions first.',
    params: z.object({ ...contentSearchShape, ...checkoutShape }),
    async answer(http, { project, root, query, lang, ignore_case, whole_word, multiline, cursor, ...input }) {
      const code = await http.code(checkoutOf(http, projectFor(http, project), root));
      const found = await code.content({
        ...input,
        path: input.path,
        text: query,
        language: lang,
        ignoreCase: ignore_case ?? false,
        wholeWord: whole_word ?? false,
        multiline: multiline ?? false,
        offset: offsetOf(cursor),
        deadlineMs: answerTimeoutMs,
      });
      return withCursor(found);
    },
  }),
  route({
    method: 'GET',
    path: '/api/code/files',
    text: 'code',
    summary: 'Files by name or path, best first.',
    params: z.object({ ...fileSearchShape, ...checkoutShape }),
    async answer(http, { project, root, query, limit, cursor }) {
      const named = projectFor(http, project);
      const place = checkoutOf(http, named, root);
      const code = await http.code(place);
      const frecency = await frecencyScores(named.parts, place.checkout, http.clock.now());
      return withCursor(await code.files({ query, limit, offset: offsetOf(cursor), frecency }));
    },
  }),
  route({
    method: 'GET',
    path: '/api/code/lines',
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
    method: 'GET',
    path: '/api/code/outline',
    text: 'code',
    summary: 'Symbols that a file defines, with their lines.',
    params: z.object({ ...outlineShape, ...checkoutShape }),
    async answer(http, { project, root, path }) {
      const code = await http.code(checkoutOf(http, projectFor(http, project), root));
      const { state: _, ...found } = await code.outline({ path, deadlineMs: answerTimeoutMs });
      return found;
    },
  }),
  route({
    method: 'GET',
    path: '/api/code/definition',
    text: 'code',
    summary: 'Where a name is defined.',
    params: z.object({ ...symbolShape(definedName), ...checkoutShape }),
    async answer(http, { project, root, lang, cursor, ...input }) {
      const code = await http.code(checkoutOf(http, projectFor(http, project), root));
      const search = { ...input, path: input.path, language: lang, offset: offsetOf(cursor) };
      return withCursor(await code.definitions({ ...search, deadlineMs: answerTimeoutMs }));
    },
  }),
  route({
    method: 'GET',
    path: '/api/code/references',
    text: 'code',
    summary: 'Where a name is used.',
    params: z.object({ ...symbolShape(usedName), ...checkoutShape }),
    async answer(http, { project, root, lang, cursor, ...input }) {
      const code = await http.code(checkoutOf(http, projectFor(http, project), root));
      const search = { ...input, path: input.path, language: lang, offset: offsetOf(cursor) };
      return withCursor(await code.references({ ...search, deadlineMs: answerTimeoutMs }));
    },
  }),
  route({
    method: 'GET',
    path: '/api/pack',
    text: 'code',
    summary: 'Files and lines to start a task with, from the code and from similar past work.',
    params: z.object({ ...packShape, ...checkoutShape }),
    async answer(http, { project, root, goal, intent, budget_tokens, max_files, changed_files }) {
      const named = projectFor(http, project);
      const place = checkoutOf(http, named, root);
      const code = await http.code(place);
      const pack = await contextPack(
        {
          code,
          pastWork: createPastWork(code.root),
          memory: named.parts,
          checkedCode: http.checkedCode(code.root),
          clock: http.clock,
          frecency: () => frecencyScores(named.parts, place.checkout, http.clock.now()),
        },
        {
          goal,
          intent,
          budgetTokens: Math.min(budget_tokens, maxBudgetTokens),
          maxFiles: Math.min(max_files, maxFilesCap),
          changedFiles: changed_files ?? [],
        },
      );
      return fitBudget(pack, (one) => estimateTokens(JSON.stringify(one)));
    },
  }),
];

/** Accepts only known working trees of the project, so that no parameter can open another folder. */
export function checkoutOf(http: HttpParts, { project }: RequestedProject, root: string | undefined): Place {
  if (root === undefined) return requireFolder(placeOf(http, project));
  if (project.paths.includes(root)) return requireFolder(placeOf(http, project, root));
  throw new AppError('NOT_FOUND', `${root.slice(0, 200)} is not a working tree of ${project.name}`, {
    hint: 'GET /api/projects',
  });
}

function requireFolder(place: Place): Place {
  if (place.root !== '' && isFolder(place.root)) return place;
  throw new AppError('REPO_NOT_DETECTED', `the working tree of ${place.name} does not exist: ${place.root}`, {
    hint: 'GET /api/projects',
  });
}

const withCursor = <T extends { nextOffset: number | undefined }>({ nextOffset, ...found }: T) => ({
  ...found,
  ...(nextOffset === undefined ? {} : { next_cursor: String(nextOffset) }),
});
