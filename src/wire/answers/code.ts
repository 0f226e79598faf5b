import { z } from 'zod';
import { count, listOf, named, nextCursor, object, text, time } from './fields.ts';

const route = z.strictObject({
  strategy: z.enum(['indexed', 'direct_scan']),
  reason: z.enum(['index_building', 'no_index', 'pattern_without_grams', 'selective_grams']),
});

/** Whether an answer was found through the index or by reading all files, and why. */
export type SearchRoute = z.infer<typeof route>;

const reasons = z.array(
  z.enum([
    'content_match',
    'path_match',
    'definition_match',
    'mentioned',
    'similar_change',
    'often_changed',
    'changed_file',
    'memory',
    'recently_used',
    'similar_meaning',
  ]),
);

export const indexState = {
  isIndexed: z.boolean(),
  indexedFiles: count,
  indexBytes: count,
  updated: time.optional(),
  generation: count.describe('increases with every change that was seen'),
  dirtyFiles: count.describe('files that every search reads until they are indexed'),
  dirtySinceMs: z.number(),
  isWatched: z.boolean(),
  isWriter: z.boolean(),
  isBuilding: z.boolean(),
};

const state = object('CodeIndexState', indexState);
export type CheckoutState = z.infer<typeof state>;

/** The answer of a command, which names its list and has an offset, and that of a route. */
const paged = <List extends string, Item extends z.ZodType, Shape extends z.ZodRawShape>(
  name: string,
  list: List,
  item: Item,
  shape: Shape,
) => ({
  printed: z.strictObject({
    [list]: z.array(item),
    ...shape,
    state,
    nextOffset: count.optional().describe('offset of the next page'),
  }),
  sent: named(name, z.strictObject({ items: z.array(item), ...shape, state, nextCursor })),
});

const lines = paged(
  'CodeLineMatches',
  'files',
  z.strictObject({
    path: text,
    hits: listOf({
      line: count,
      column: count.describe('in bytes, from 1'),
      text: text.describe('the line, or a part with the match if it is very long'),
      matchAt: count,
      isDefinition: z.boolean(),
      score: z.number(),
    }),
  }),
  {
    lineCount: count,
    fileCount: count,
    isComplete: z.boolean().describe('false when the counts are lower bounds'),
    timedOut: z.boolean(),
    route,
  },
);

const questions = paged(
  'CodeQuestionMatches',
  'results',
  z.strictObject({
    path: text,
    from: count,
    to: count,
    symbol: text.optional().describe('the first name that these lines define'),
    reasons,
    score: z.number(),
    lines: z.array(text).describe('the first of these lines'),
  }),
  {
    match: z.enum(['good', 'weak', 'none']).describe('how well the results answer the question'),
  },
);

export type CodeResult = z.infer<typeof questions.sent>['items'][number];

export const codeSearch = {
  printed: z.union([lines.printed, questions.printed]),
  sent: z.union([lines.sent, questions.sent]),
};

export const codeFiles = paged(
  'CodeFiles',
  'files',
  z.strictObject({ path: text, reason: z.enum(['path_match', 'fuzzy_path_match']) }),
  {
    total: count,
  },
);

export type CodeFiles = z.infer<typeof codeFiles.sent>;
export type CodeLineMatches = z.infer<typeof lines.sent>;

export const codeLines = object('CodeLines', {
  path: text,
  from: count,
  lines: z.array(text),
  lineCount: count.describe('number of lines of the whole file'),
});
export type CodeLines = z.infer<typeof codeLines>;

export const symbolFields = {
  name: text,
  kind: text,
  container: text.describe('names of the enclosing symbols, joined by dots'),
  startLine: count,
  endLine: count,
  line: count.describe('of the name'),
  column: count,
  signature: text.describe('the definition without its body, on one line'),
};

const coverage = z.strictObject({
  filesWithName: count,
  parsed: count,
  byLines: count.describe('files without a parser, or too large for it'),
  notRead: count.describe('files that were not examined for lack of time, the least likely ones first'),
});

export type SymbolCoverage = z.infer<typeof coverage>;

export const definitions = paged(
  'Definitions',
  'definitions',
  z.strictObject({ ...symbolFields, path: text, isGuess: z.boolean() }),
  {
    total: count,
    isFolded: z.boolean(),
    isComplete: z.boolean(),
    timedOut: z.boolean(),
    coverage,
    route,
  },
);

export type Definitions = z.infer<typeof definitions.sent>;

export const pack = object('ContextPack', {
  goal: text,
  intent: z.enum(['bugfix', 'review']),
  budgetTokens: count,
  maxFiles: count,
  changedFiles: z.array(text).optional(),
  estimatedTokens: count,
  items: listOf({
    path: text,
    score: z.number(),
    reasons,
    snippets: listOf({ line: count, column: count, preview: text }),
  }),
  notes: listOf({
    id: text,
    kind: text,
    title: text,
    path: text,
    drift: text.optional().describe('as a sentence'),
  }),
  similarChanges: listOf({ commit: text, title: text }),
  nextSteps: z.array(text),
  missing: z.array(z.enum(['git_history', 'memory'])),
  truncated: z.boolean(),
});
export type ContextPack = z.infer<typeof pack>;
export type PackItem = ContextPack['items'][number];
export type PackReason = PackItem['reasons'][number];
export type Snippet = PackItem['snippets'][number];
export type NoteAbout = ContextPack['notes'][number];
