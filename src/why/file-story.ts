import { type Chunk, isSetAside } from '../domain/chunk.ts';
import type { Edit } from '../domain/edit.ts';
import { checkPlaces } from '../drift/check-drift.ts';
import type { CheckedCode } from '../drift/current-code.ts';
import { type FileCommit, fileHistory } from '../git/path-history.ts';
import { type Evidence, withEvidence } from '../recall/evidence.ts';
import { failedPathsIn } from '../recall/failed-paths.ts';
import { quickLimits, type RecallParts } from '../recall/with-index.ts';
import type { FileStory as FileStoryAnswer } from '../wire/answers/file-page.ts';
import type { Drift, FailedPath, Origin } from '../wire/answers/memory.ts';
import { explainedOrigins, originsOfLines, pathsOf } from './origins.ts';

export type FileStory = Awaited<ReturnType<typeof fileStory>>;
type Block = FileStoryAnswer['blocks'][number];

export interface StoryNote {
  chunk: Chunk;
  drift: Drift;
  lines: [from: number, to: number][];
}

const maxExplained = 400;
const maxNotes = 60;
/** A note may have several chunks, and the filter finds others. */
const maxChunks = 180;
const maxTried = 10;
const maxCommits = 200;
const maxEdits = 200;
const historyTimeoutMs = 2_000;

export const readFileHistory = (root: string, path: string): Promise<FileCommit[] | undefined> =>
  fileHistory(root, path, { maxCommits, timeoutMs: historyTimeoutMs });

interface StoryFile {
  path: string;
  lines: string[];
  /** The past version that has these lines, and its path there; default: the file on disk. */
  revision?: { commit: string; path: string } | undefined;
}

/**
 * The backstory of every line of a file, for its page in the viewer. `why` explains a few lines for a reader at a
 * terminal; this explains all of them in one pass over blame, edits and notes.
 */
export async function fileStory(
  { parts, root }: { parts: RecallParts; root: string },
  { path, lines, revision }: StoryFile,
  { now, code }: { now: number; code: CheckedCode },
) {
  return withEvidence(parts, quickLimits, async (evidence) => {
    const found = await originsOfLines(root, { path, text: lines, revision, now }, evidence);
    const edits = await evidence.editsOfFile(path);
    // Each of these waits for git in between.
    const [notes, origins, commits] = await Promise.all([
      notesOn(pathsOf(path, found), path, evidence, code),
      explainedOrigins(root, found, evidence, maxExplained),
      readFileHistory(root, path),
    ]);
    const tried = await failedPathsIn(path, evidence, maxTried);
    const sessions = [...origins.map(({ session }) => session), ...tried, ...edits.slice(0, maxEdits)];
    return {
      titles: await evidence.titlesOf([...new Set(sessions.flatMap((one) => one?.agentSession ?? []))]),
      origins: origins.map(({ lines: _, text: __, ...origin }) => origin),
      blocks: blocksOf(lines, origins),
      notes,
      tried: tried.map((each) => withEdit(each, edits)),
      commits: commits ?? [],
      edits: edits.slice(0, maxEdits).map(storyEdit),
      missing: [
        ...(commits === undefined ? ['history' as const] : []),
        ...(origins.length > maxExplained ? ['reasons' as const] : []),
      ],
    };
  });
}

/** Adjacent lines of one origin, as a block with the index of that origin. Every line has an origin. */
export function blocksOf(lines: string[], origins: Pick<Origin, 'lines'>[]): Block[] {
  const originAt = new Map<number, number>();
  for (const [index, origin] of origins.entries())
    for (const [from, to] of origin.lines)
      for (let line = from; line <= to; line++) originAt.set(line, index);
  const blocks: Block[] = [];
  for (const at of lines.keys()) {
    const last = blocks.at(-1);
    const origin = originAt.get(at + 1) as number;
    if (last?.origin === origin) last.to = at + 1;
    else blocks.push({ from: at + 1, to: at + 1, origin });
  }
  return blocks;
}

/** Notes about the file under this or an earlier name; those that hold come first. */
export async function notesOn(
  paths: string[],
  path: string,
  evidence: Evidence,
  code: CheckedCode,
): Promise<StoryNote[]> {
  const found = await Promise.all(paths.map((file) => evidence.chunks({ source: 'note', file }, maxChunks)));
  // The filter also accepts the end of a path. The summary of a session says nothing about the file itself.
  const isAbout = ({ kind, paths: own }: Chunk) =>
    kind !== 'summary' && own.some((each) => paths.includes(each));
  const named = distinctNotes(found.flat()).filter(isAbout);
  const notes = named.sort((a, b) => Number(isSetAside(a)) - Number(isSetAside(b)) || b.at - a.at);
  const checked = await checkPlaces(notes.slice(0, maxNotes), evidence, code);
  return [...checked].map(([chunk, { drift, places }]) => ({
    chunk,
    drift,
    lines: places.flatMap((place): [number, number][] =>
      place.path === path && place.from !== undefined ? [[place.from, place.to ?? place.from]] : [],
    ),
  }));
}

export const distinctNotes = (chunks: Chunk[]): Chunk[] => [
  ...new Map(chunks.map((chunk) => [chunk.sourceId, chunk])).values(),
];

/** A reverted attempt, with the edit that made it. */
export function withEdit(tried: FailedPath, edits: Edit[]): FailedPath & { edit?: string } {
  const edit = edits.find(({ agentSession, at }) => agentSession === tried.agentSession && at === tried.at);
  return edit === undefined ? tried : { ...tried, edit: edit.id };
}

export const storyEdit = ({ id, at, agent, agentSession, hunks }: Edit) => ({
  id,
  at,
  agent,
  agentSession,
  added: hunks.reduce((sum, { added }) => sum + added.length, 0),
  removed: hunks.reduce((sum, { removed }) => sum + removed.length, 0),
});
