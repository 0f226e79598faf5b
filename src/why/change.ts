import { AppError } from '../base/errors.ts';
import { lineHash } from '../base/hash.ts';
import { isQuestion } from '../distil/find-quote.ts';
import type { Chunk } from '../domain/chunk.ts';
import type { Edit } from '../domain/edit.ts';
import { type BlamedLine, blame } from '../git/blame.ts';
import { readObjects } from '../git/objects.ts';
import { linesAdded, type PatchFile } from '../git/patch.ts';
import { headOf } from '../git/repository.ts';
import { commitsOf, patchOf, type RevisionRange } from '../git/revisions.ts';
import { changedFiles } from '../git/uncommitted-changes.ts';
import { type Evidence, withEvidence } from '../recall/evidence.ts';
import { failedPathsIn, quoteOf } from '../recall/failed-paths.ts';
import type { RecallLimits, RecallParts } from '../recall/with-index.ts';
import { isDistinctive, linesIn } from '../text/line-index.ts';
import { lastTestResults } from '../text/test-result.ts';
import type { ChangeAnswer, ChangeTurn, ChangeWriter } from '../wire/answers/change.ts';
import { readTurns, type SessionTurn } from './change-turns.ts';
import { type Claims, claimsOf, readClaims } from './claims.ts';
import { findWriters } from './find-writers.ts';
import { addLine } from './origins.ts';
import { committedAt } from './past-files.ts';
import { isHeld } from './reason.ts';

/** Commit times are whole seconds, and what follows a commit at once, such as a test, still belongs to it. */
const slackMs = 60_000;

/** Lines are matched by their content, so the answer is the same after a squash merge or a rebase. */
export async function whyChange(
  { parts, root }: { parts: RecallParts; root: string },
  range: RevisionRange,
  { now, limits }: { now: number; limits: RecallLimits },
): Promise<ChangeAnswer> {
  const [patch, commits] = await Promise.all([patchOf(root, range), commitsOf(root, range)]);
  if (patch === undefined)
    throw new AppError('INVALID_ARGUMENT', `${range.name} is too large to compare`, {
      hint: 'Ask about one of its commits: backstory why COMMIT',
    });
  const until = (commits.at(-1)?.at ?? now) + slackMs;
  return withEvidence(parts, limits, async (evidence) => {
    const files = await writtenFiles(root, range, patch, { until, now, evidence });
    const start = committedAt((await readObjects(root, [range.base])).get(range.base));
    dropStrangers(start, files);
    const edits = new Map(files.flatMap(({ parts: own }) => [...own.keys()].map((edit) => [edit.id, edit])));
    const paths = new Set(patch.flatMap(({ path, oldPath }) => [path, oldPath]));
    const models = await modelsOf(edits, evidence);
    const ids = [...new Set([...edits.values()].map(({ agentSession }) => agentSession))];
    const sessions = await Promise.all(
      ids.map(async (id) => {
        const all = await readTurns(parts.log, evidence, id);
        return { all, own: turnsOfChange(all, edits, paths) };
      }),
    );
    const turns = sessions.flatMap(({ own }) => own).sort((a, b) => a.at - b.at);
    const notes = await evidence.statements();
    const tried = await Promise.all([...paths].map((path) => failedPathsIn(path, evidence)));
    const tests = testsOf(sessions, until);
    // Without a commit before it, git blames the whole history.
    const since = start === 0 ? range.head : `${range.base}..${range.head}`;
    const claims = await readClaims(
      root,
      commits.map(({ hash }) => hash),
    );
    const blamed = async (path: string): Promise<BlamedLine[]> => {
      const found = await blame(root, path, { revision: since });
      return found.kind === 'lines' ? found.lines : [];
    };
    return {
      ...range,
      commits,
      files: await Promise.all(files.map((file) => fileWithWriters(blamed, { claims, models }, file))),
      turns: turns.map((turn) => describeTurn(turn, files, { notes, models })),
      tried: tried.flat().filter(({ agentSession, at }) => ids.includes(agentSession) && at <= until),
      tests,
      open: [
        ...tests.flatMap((test) => (test.result === 'failed' ? [`\`${test.command}\` failed last`] : [])),
        ...sessions.flatMap(({ all, own }) => unansweredIn(all, own)),
        ...notesOf(turns, notes).flatMap(({ kind, text }) => (kind === 'open' ? [`put off: ${text}`] : [])),
        ...(await uncommittedIn(root, range, paths)),
      ],
    };
  });
}

/** A changed file with the numbers of the added lines and how many were removed, by the edit that did it. */
export interface WrittenFile extends PatchFile {
  added: BlamedLine[];
  parts: Map<Edit, { lines: number[]; removed: number }>;
}

/** Looks up the writers of all files together, because each look takes several processes of git. */
async function writtenFiles(
  root: string,
  { base, head }: RevisionRange,
  patch: PatchFile[],
  { until, now, evidence }: { until: number; now: number; evidence: Evidence },
): Promise<WrittenFile[]> {
  const files = patch.map((file): WrittenFile => {
    const added = linesAdded(file, { commit: head, base, at: until - slackMs });
    return { ...file, added, parts: new Map() };
  });
  const staged = await stagedLines(root, head === '' ? patch : []);
  const disk = (path: string) => staged.get(path) ?? [];
  const lines = files.flatMap(({ added }) => added);
  const byPath = new Map(files.map((file) => [file.path, file]));
  for (const { edit, line } of await findWriters(root, lines, { path: '', disk, now }, evidence))
    if (edit !== undefined) partOf(byPath.get(line.path) as WrittenFile, edit).lines.push(line.line);
  for (const file of files) await addRemoved(file, until, evidence);
  return files;
}

async function stagedLines(root: string, patch: PatchFile[]): Promise<Map<string, string[]>> {
  const objects = await readObjects(
    root,
    patch.map(({ path }) => `:${path}`),
  );
  return new Map([...objects].map(([name, text]) => [name.slice(1), linesIn(text)]));
}

function partOf({ parts }: WrittenFile, edit: Edit) {
  const part = parts.get(edit) ?? { lines: [], removed: 0 };
  parts.set(edit, part);
  return part;
}

/** Adds the distinctive lines that the change removed to the last edit that removed each. */
export async function addRemoved(file: WrittenFile, until: number, evidence: Evidence): Promise<void> {
  const { path, oldPath, hunks } = file;
  const wanted = hunks.flatMap(({ removed }) => removed.filter(isDistinctive).map(lineHash));
  const known = evidence.isEmpty || wanted.length === 0 ? [] : await evidence.editsWithLines(wanted);
  const near = known.filter((edit) => [path, oldPath].includes(edit.path) && edit.at <= until);
  near.sort((a, b) => b.at - a.at);
  for (const hash of wanted) {
    const last = near.find((edit) =>
      edit.hunks.some((hunk) => hunk.removed.includes(hash) && !hunk.added.includes(hash)),
    );
    if (last !== undefined) partOf(file, last).removed += 1;
  }
}

/** Who only removed lines before the change is a stranger: somebody brought those lines back. */
export function dropStrangers(start: number, files: WrittenFile[]): void {
  const all = files.flatMap(({ parts }) => [...parts]);
  const writers = new Set(all.flatMap(([edit, { lines }]) => (lines.length > 0 ? [edit.agentSession] : [])));
  for (const { parts } of files)
    for (const edit of parts.keys())
      if (!writers.has(edit.agentSession) && edit.at <= start) parts.delete(edit);
}

type Models = Map<string, { model?: string }>;

/** The model that made each edit, if it is known. */
export async function modelsOf(
  edits: Map<string, Edit>,
  evidence: Pick<Evidence, 'modelOf'>,
): Promise<Models> {
  const models: Models = new Map();
  for (const edit of edits.values()) {
    const model = await evidence.modelOf(edit);
    if (model !== undefined) models.set(edit.id, { model });
  }
  return models;
}

/** How many turns before the first edit, in which it may have been discussed, belong to it. */
const maxTurnsBefore = 3;

/**
 * The turns of a session that led to the change: those whose lines are in it, those between them that edited the same
 * files or edited nothing, and the talk just before.
 */
export function turnsOfChange(
  all: SessionTurn[],
  edits: Map<string, Edit>,
  paths: Set<string>,
): SessionTurn[] {
  const isWriter = (turn: SessionTurn) => turn.edits.some(({ event }) => edits.has(event));
  const isTalk = (turn: SessionTurn | undefined) => turn?.edits.length === 0;
  const [first, last] = [all.findIndex(isWriter), all.findLastIndex(isWriter)];
  let start = first;
  while (start > first - maxTurnsBefore && isTalk(all[start - 1])) start--;
  return all
    .slice(start, last + 1)
    .filter((turn) => isWriter(turn) || isTalk(turn) || turn.edits.some(({ path }) => paths.has(path)));
}

type NotesByEvent = Awaited<ReturnType<Evidence['statements']>>;

/** The notes that were kept of what was said in these turns. What nobody has reviewed is left out. */
export function notesOf(turns: SessionTurn[], notes: NotesByEvent): Chunk[] {
  const all = turns.flatMap(({ events }) => events.flatMap((event) => notes.get(event) ?? []));
  return [...new Set(all.map(({ note }) => note))].filter(isHeld);
}

export function describeTurn(
  turn: SessionTurn,
  files: WrittenFile[],
  { notes, models }: { notes: NotesByEvent; models: Models },
): ChangeTurn {
  const { agent, agentSession, at, asked, account } = turn;
  const parts = files.flatMap(({ path, oldPath, parts: all }) => {
    const own = [...all].flatMap(([edit, part]) => (turn.events.includes(edit.id) ? [part] : []));
    const lines = own.flatMap((part) => part.lines);
    const removed = own.reduce((sum, part) => sum + part.removed, 0);
    return own.length === 0 ? [] : [{ path: path || oldPath, lines, removed }];
  });
  const said = notesOf([turn], notes);
  return {
    ...{ agent, agentSession, at, asked, account },
    ...turn.events.map((event) => models.get(event)).find(Boolean),
    added: parts.reduce((sum, { lines }) => sum + lines.length, 0),
    removed: parts.reduce((sum, { removed }) => sum + removed, 0),
    files: parts.map(({ path, lines }) => ({ path, lines: rangesOf(lines) })),
    decided: [
      ...turn.settled,
      ...said.filter(({ kind }) => kind !== 'failed' && kind !== 'open').map(quoteOf),
    ],
    rejected: said.filter(({ kind }) => kind === 'failed').map(quoteOf),
  };
}

function rangesOf(lines: number[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const line of lines.toSorted((a, b) => a - b)) addLine(ranges, line);
  return ranges;
}

/** Git takes seconds to blame generated files of thousands of lines. */
const maxClaimedLines = 2_000;

/** Of lines that no session is known to have written, notes and trailers of the commits may say who wrote them. */
export async function fileWithWriters(
  blamed: (path: string) => Promise<BlamedLine[]>,
  { claims, models }: { claims: Claims; models: Models },
  { path, oldPath, hunks, added, parts }: WrittenFile,
): Promise<ChangeAnswer['files'][number]> {
  const written = [...parts].flatMap(([{ id, agent }, { lines }]) =>
    lines.map(() => ({ agent, ...models.get(id) })),
  );
  const known = new Set([...parts.values()].flatMap(({ lines }) => lines));
  const unknown = new Set(added.flatMap(({ line }) => (known.has(line) ? [] : [line])));
  const isAsked = claims.size > 0 && unknown.size > 0 && unknown.size <= maxClaimedLines;
  const lines = isAsked ? (await blamed(path)).filter(({ line }) => unknown.has(line)) : [];
  const claimed = lines.flatMap((line) => {
    const [claim] = claimsOf(claims, line);
    if (claim === undefined) return [];
    const { tool: agent, model, source } = claim;
    return [{ agent, ...(model && { model }), claim: source }];
  });
  const writers = Map.groupBy<string, Omit<ChangeWriter, 'lines'>>([...written, ...claimed], (each) =>
    JSON.stringify(each),
  );
  return {
    path: path || oldPath,
    added: added.length,
    removed: hunks.reduce((sum, { removed }) => sum + removed.length, 0),
    writers: [...writers.values()]
      .flatMap((same) => (same[0] === undefined ? [] : [{ ...same[0], lines: same.length }]))
      .sort((a, b) => b.lines - a.lines),
  };
}

/** The last results of the checks that the sessions ran from their first turn of the change up to its last commit. */
export function testsOf(
  sessions: { all: SessionTurn[]; own: SessionTurn[] }[],
  until: number,
): ChangeAnswer['tests'] {
  const runs = sessions.flatMap(({ all, own }) =>
    all.flatMap((turn) => turn.runs.filter(({ at }) => at >= (own[0]?.at ?? until) && at <= until)),
  );
  const lastEdit = Math.max(
    ...sessions.flatMap(({ own }) => own.flatMap(({ edits }) => edits.map(({ at }) => at))),
  );
  const at = new Map(runs.map((run) => [run.event, run.at]));
  return lastTestResults(runs.sort((a, b) => a.at - b.at)).map(({ event, command, result }) => ({
    command,
    result,
    isBeforeLastEdit: (at.get(event) as number) < lastEdit,
  }));
}

/** Whether the last turn of a session belongs to the change and has no answer, or ends with a question. */
export function unansweredIn(all: SessionTurn[], own: SessionTurn[]): string[] {
  const last = all.at(-1);
  if (last === undefined || !own.includes(last) || all.every(({ account }) => account.length === 0))
    return [];
  const said = last.account.at(-1)?.text;
  if (said === undefined || last.isStopped)
    return [`the last request has no answer: ${last.asked.at(-1)?.text ?? ''}`];
  return isQuestion(said) ? [`the agent's last question is not answered: ${said.split('\n').at(-1)}`] : [];
}

/** Files of the change that were changed again and are not committed. Of older commits that says nothing. */
export async function uncommittedIn(
  root: string,
  { head }: Pick<RevisionRange, 'head'>,
  paths: Set<string>,
): Promise<string[]> {
  if (head !== headOf(root)) return [];
  const files = (await changedFiles(root))?.filter((path) => paths.has(path)) ?? [];
  return files.length === 0 ? [] : [`not committed: changes of ${files.join(', ')}`];
}
