import { z } from 'zod';
import { entryAt } from '../base/checkout-file.ts';
import { AppError } from '../base/errors.ts';
import type { CodeSearch } from '../code/code-search.ts';
import type { CodeSymbol } from '../code/symbols/symbol.ts';
import { tokenClasses } from '../code/symbols/tokens.ts';
import { readObjects } from '../git/objects.ts';
import { driftText } from '../recall/drift-text.ts';
import { standingsOf } from '../recall/possible-changes.ts';
import { quickLimits } from '../recall/with-index.ts';
import { hasHidden } from '../text/hidden-characters.ts';
import { linesIn } from '../text/line-index.ts';
import { type FileStory, fileStory, readFileHistory, type StoryNote } from '../why/file-story.ts';
import { listWorkedFiles } from '../why/worked-files.ts';
import {
  type FilePage,
  type FileStory as FileStoryAnswer,
  filePage,
  fileStory as fileStoryAnswer,
  workedFiles,
} from '../wire/answers/file-page.ts';
import type { NoteStanding } from '../wire/answers/memory.ts';
import { checkoutOf, checkoutShape } from './code.ts';
import type { RequestedProject } from './parts.ts';
import { projectRoute, type Route } from './route.ts';

/** A browser can show more, but nobody reads it, and every line is attributed. */
const maxLines = 10_000;
const maxTextLength = 2 * 1024 * 1024;
const parseTimeoutMs = 5_000;

const params = {
  path: z.string().min(1).max(1_000),
  commit: z
    .string()
    .regex(/^[0-9a-f]{7,64}$/)
    .optional()
    .describe('Commit whose version is shown; default: the file on disk'),
  ...checkoutShape,
};

/** Two requests, because the code can be shown long before the history of a file with hundreds of edits is read. */
export const filePageRoutes: Route[] = [
  projectRoute({
    path: '/api/v1/viewer/file',
    name: 'getFilePage',
    answers: filePage,
    text: 'code',
    summary: 'A file with its colours and symbols.',
    params,
    async answer(named, query): Promise<FilePage> {
      const { code, path, source, all, lines } = await readVersion(named, query);
      const parsed = await code.parse({ ...source, deadlineMs: parseTimeoutMs });
      return {
        path,
        ...(query.commit === undefined ? {} : { commit: query.commit }),
        ...(parsed.language === undefined ? {} : { language: parsed.language }),
        lines,
        lineCount: all.length,
        tokenClasses: [...tokenClasses],
        tokens: lines.map((line, at) => (hasHidden(line) ? [] : (parsed.tokens[at] ?? []))),
        symbols: parsed.symbols.map(symbolOf),
      };
    },
  }),
  projectRoute({
    path: '/api/v1/viewer/file/story',
    name: 'getFileStory',
    answers: fileStoryAnswer,
    text: 'code',
    summary: 'The backstory of each line of a file, and its past states.',
    params,
    async answer(named, query): Promise<FileStoryAnswer> {
      const { http, parts } = named;
      const { root, path, past, lines } = await readVersion(named, query);
      const revision = past && { commit: past.commit, path: past.path };
      const story = await fileStory(
        { parts, root },
        { path, lines, revision },
        { now: http.clock.now(), code: http.checkedCode(root) },
      );
      const notes = await parts.notes.list();
      const of = standingsOf(notes);
      const standing = new Map(notes.map((note) => [note.id, of(note)]));
      return {
        origins: story.origins,
        blocks: story.blocks,
        notes: story.notes.map((note) => noteOf(note, standing.get(note.chunk.sourceId))),
        tried: story.tried,
        states: statesOf(story),
        titles: story.titles,
        missing: story.missing,
      };
    },
  }),
  projectRoute({
    path: '/api/v1/viewer/files',
    name: 'listWorkedFiles',
    answers: workedFiles,
    text: 'code',
    summary:
      'Files that agents edited or notes are about, each with how many of its lines match one that an edit added.',
    params: checkoutShape,
    async answer(named, { root: requestedRoot }) {
      const { root } = checkoutOf(named, requestedRoot);
      const { files, isCut } = await listWorkedFiles({ parts: named.parts, root }, quickLimits);
      return { items: files, isCut };
    },
  }),
];

async function readVersion(
  named: RequestedProject,
  { root: requestedRoot, path: given, commit }: z.output<z.ZodObject<typeof params>>,
) {
  const place = checkoutOf(named, requestedRoot);
  const code = await named.http.code(place);
  const past = commit === undefined ? undefined : await pastVersion(code, given, commit);
  const source = past ?? (await code.source(given));
  const all = linesIn(source.text);
  if (all.at(-1) === '') all.pop();
  const lines = source.text.length > maxTextLength ? [] : all.slice(0, maxLines);
  const path = commit === undefined ? source.path : given;
  return { root: place.root, code, path, source, past, all, lines };
}

/** Files that git ignores now are refused, also as they were: they may have become secret. */
async function pastVersion(
  code: CodeSearch,
  path: string,
  commit: string,
): Promise<{ path: string; commit: string; text: string }> {
  if (entryAt(code.root, path) !== 'none') await code.lines({ path, from: 1, to: 1 });
  const history = await readFileHistory(code.root, path);
  const pastPath = history?.find(({ hash }) => hash.startsWith(commit))?.path ?? path;
  const name = `${commit}:${pastPath}`;
  const text = (await readObjects(code.root, [name])).get(name);
  if (text === undefined || text.includes('\0'))
    throw new AppError('NOT_FOUND', `${commit.slice(0, 12)} has no text file ${path}`, {
      hint: 'Choose one of its past states',
    });
  return { path: pastPath, commit, text };
}

const symbolOf = ({ name, kind, container, startLine, endLine }: CodeSymbol) => ({
  name,
  kind,
  container,
  startLine,
  endLine,
});

const noteOf = (
  { chunk, drift, lines }: StoryNote,
  standing: NoteStanding = { state: 'active' },
): FileStoryAnswer['notes'][number] => ({
  ...standing,
  id: chunk.sourceId,
  kind: chunk.kind,
  text: chunk.text,
  ...(chunk.topic === undefined ? {} : { topic: chunk.topic }),
  at: chunk.at,
  freshness: drift.state,
  drift: driftText(drift),
  lines,
});

const statesOf = ({ commits, edits }: FileStory): FileStoryAnswer['states'] =>
  [
    ...commits.map((commit) => ({ kind: 'commit' as const, ...commit })),
    ...edits.map((edit) => ({ kind: 'edit' as const, ...edit })),
  ].sort((a, b) => b.at - a.at);
