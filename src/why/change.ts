import { AppError } from '../base/errors.ts';
import { lineHash } from '../base/hash.ts';
import { isQuestion } from '../distil/find-quote.ts';
import type { Chunk } from '../domain/chunk.ts';
import { isSetAside } from '../domain/chunk.ts';
import type { Edit } from '../domain/edit.ts';
import type { Quote } from '../domain/failed-path.ts';
import type { BlamedLine } from '../git/blame.ts';
import { changedFiles } from '../git/changed-files.ts';
import { readObjects } from '../git/objects.ts';
import type { PatchFile } from '../git/patch.ts';
import { headOf } from '../git/repository.ts';
import { commitsOf, patchOf, type RevisionRange } from '../git/revisions.ts';
import { type Evidence, withEvidence } from '../recall/evidence.ts';
import { failedPathsIn, quoteOf } from '../recall/failed-paths.ts';
import type { RecallLimits, RecallParts } from '../recall/with-index.ts';
import { isDistinctive, linesIn } from '../text/line-index.ts';
import { plural } from '../text/plural.ts';
import { lastTestResults } from '../text/test-result.ts';
import type { ChangeAnswer, ChangeTurn } from '../wire/answers/change.ts';
import { readTurns, type SessionTurn } from './change-turns.ts';
import { findWriters } from './find-writers.ts';
import { committedAt } from './past-files.ts';
import { statementKinds } from './reason.ts';

/**
 * Explains a change as a whole: commits, a branch, or what is staged. Lines are matched by their content, so the answer
 * is the same after a squash merge or a rebase.
 */
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
  const until = commits.at(-1)?.at ?? now;
  return withEvidence(parts, limits, async (evidence) => {
    const writings: Writing[] = [];
    for (const file of patch) writings.push(await writingOf(root, range, file, { until, now, evidence }));
    await dropStrangers(root, range, writings);
    const own = new Map(writings.flatMap(({ edits }) => [...edits.keys()].map((edit) => [edit.id, edit])));
    const sessions = [...new Set([...own.values()].map(({ agentSession }) => agentSession))];
    const paths = new Set(patch.flatMap(({ path, oldPath }) => [path, oldPath]));
    const read = await Promise.all(sessions.map((session) => readTurns(parts.log, evidence, session)));
    const notes = await notesByEvent(evidence);
    const chosen = read.map((turns) => turnsOfChange(turns, own, paths));
    const turns = chosen.flat().map((turn) => describeTurn(turn, writings, notes));
    const tried = evidence.isEmpty
      ? []
      : await Promise.all([...paths].map((path) => failedPathsIn(path, evidence)));
    const tests = testsOf(read, chosen, until);
    return {
      ...range,
      commits,
      files: writings.map(fileOf),
      turns: turns.sort((a, b) => a.at - b.at),
      tried: tried
        .flat()
        .filter(({ agentSession, at }) => sessions.includes(agentSession) && at <= until + slackMs),
      tests,
      open: [
        ...tests.flatMap(({ command, result }) =>
          result === 'failed' ? [`\`${command}\` failed last`] : [],
        ),
        ...read.flatMap((all, at) => unansweredIn(all, chosen[at] ?? [])),
        ...chosen
          .flat()
          .flatMap(({ events }) =>
            events.flatMap((event) =>
              (notes.get(event) ?? []).flatMap(({ kind, text }) =>
                kind === 'open' ? [`put off: ${text}`] : [],
              ),
            ),
          ),
        ...(await uncommittedIn(root, range, paths)),
      ],
    };
  });
}

/** Commit times are whole seconds, and what follows a commit at once, such as a test, still belongs to it. */
const slackMs = 60_000;

/** Who wrote the added lines of a file, and who removed others. */
interface Writing {
  file: PatchFile;
  added: number;
  removed: number;
  /** Numbers of added lines and how many were removed, by the edit that did it. */
  edits: Map<Edit, { lines: number[]; removed: number }>;
}

async function writingOf(
  root: string,
  { base, head }: RevisionRange,
  file: PatchFile,
  { until, now, evidence }: { until: number; now: number; evidence: Evidence },
): Promise<Writing> {
  const { path, oldPath, hunks } = file;
  const edits: Writing['edits'] = new Map();
  const countOf = (edit: Edit) => {
    const known = edits.get(edit) ?? { lines: [], removed: 0 };
    edits.set(edit, known);
    return known;
  };
  const lines = hunks.flatMap(({ start, added }) =>
    added.map(
      (text, at): BlamedLine => ({
        line: start + at,
        text,
        commit: head,
        path,
        originalLine: start + at,
        previous: oldPath === '' ? undefined : { commit: base, path: oldPath },
        author: '',
        at: until,
        summary: '',
      }),
    ),
  );
  const staged = head === '' ? await readObjects(root, [`:${path}`]) : new Map<string, string>();
  const disk = linesIn(staged.get(`:${path}`) ?? '');
  if (lines.length > 0)
    for (const { line, edit } of await findWriters(root, lines, { path, disk, now }, evidence))
      if (edit !== undefined) countOf(edit).lines.push(line.line);
  const removed = hunks.flatMap((hunk) => hunk.removed);
  for (const edit of await removersOf(removed, [path, oldPath], until, evidence)) countOf(edit).removed += 1;
  return { file, added: lines.length, removed: removed.length, edits };
}

/** The last edit that removed each of these lines. */
async function removersOf(
  lines: string[],
  paths: string[],
  until: number,
  evidence: Evidence,
): Promise<Edit[]> {
  const wanted = new Set(lines.filter(isDistinctive).map(lineHash));
  if (wanted.size === 0 || evidence.isEmpty) return [];
  const found = (await evidence.editsWithLines([...wanted]))
    .filter(({ path, at }) => paths.includes(path) && at <= until + slackMs)
    .sort((a, b) => b.at - a.at);
  const removes = (edit: Edit, hash: string) =>
    edit.hunks.some(({ added, removed }) => removed.includes(hash) && !added.includes(hash));
  return [...wanted].flatMap((hash) => found.find((edit) => removes(edit, hash)) ?? []);
}

/**
 * Drops the sessions that only removed lines, before the change began: somebody brought such lines back. After a rebase
 * an edit can be older than the base, but then its session wrote lines too.
 */
async function dropStrangers(root: string, { base }: RevisionRange, writings: Writing[]): Promise<void> {
  const all = writings.flatMap(({ edits }) => [...edits]);
  const writers = new Set(all.flatMap(([edit, { lines }]) => (lines.length > 0 ? [edit.agentSession] : [])));
  const start = committedAt((await readObjects(root, [base])).get(base));
  for (const { edits } of writings)
    for (const edit of edits.keys())
      if (!writers.has(edit.agentSession) && edit.at <= start) edits.delete(edit);
}

/** How many turns before the first edit, in which it may have been discussed, belong to it. */
const maxTurnsBefore = 3;

/**
 * The turns of a session that led to the change: those whose lines are in it, those between them that edited the same
 * files or edited nothing, and the talk just before.
 */
function turnsOfChange(turns: SessionTurn[], own: Map<string, Edit>, paths: Set<string>): SessionTurn[] {
  const isWriter = ({ edits }: SessionTurn) => edits.some(({ event }) => own.has(event));
  const [first, last] = [turns.findIndex(isWriter), turns.findLastIndex(isWriter)];
  const hasNoEdit = ({ edits }: SessionTurn) => edits.length === 0;
  let start = first;
  while (start > Math.max(0, first - maxTurnsBefore) && hasNoEdit(turns[start - 1] as SessionTurn)) start--;
  return turns
    .slice(Math.max(0, start), last + 1)
    .filter((turn) => isWriter(turn) || hasNoEdit(turn) || turn.edits.some(({ path }) => paths.has(path)));
}

type NotesByEvent = Map<string, Chunk[]>;
const maxNotes = 5_000;

/** The notes that were kept of what an event says. What nobody has reviewed is left out. */
async function notesByEvent(evidence: Evidence): Promise<NotesByEvent> {
  const all = await evidence.chunks({ source: 'note', kinds: [...statementKinds, 'open'] }, maxNotes);
  const kept = all.filter(
    (note) => note.trust >= 2 && !isSetAside(note) && !note.concepts.includes('candidate'),
  );
  const ties = await evidence.tiesOf(kept.map(({ sourceId }) => sourceId));
  const pairs = kept.flatMap((note) =>
    (ties.get(note.sourceId)?.derivedFrom ?? []).map((event) => ({ event, note })),
  );
  return new Map(
    [...Map.groupBy(pairs, ({ event }) => event)].map(([event, of]) => [event, of.map(({ note }) => note)]),
  );
}

function describeTurn(turn: SessionTurn, writings: Writing[], notes: NotesByEvent): ChangeTurn {
  const events = new Set(turn.events);
  const files = writings.flatMap(({ file, edits }) => {
    const ofTurn = [...edits].filter(([edit]) => events.has(edit.id)).map(([, count]) => count);
    const lines = ofTurn.flatMap((count) => count.lines).sort((a, b) => a - b);
    const removed = ofTurn.reduce((sum, count) => sum + count.removed, 0);
    return lines.length + removed === 0 ? [] : [{ path: file.path || file.oldPath, lines, removed }];
  });
  const said = [...new Set(turn.events.flatMap((event) => notes.get(event) ?? []))];
  const { agent, agentSession, at, asked, untyped, plan, exchanges, account } = turn;
  return {
    ...{ agent, agentSession, at, asked, untyped, exchanges, account },
    ...(plan === undefined ? {} : { plan }),
    lines: files.reduce((sum, file) => sum + file.lines.length, 0),
    removed: files.reduce((sum, file) => sum + file.removed, 0),
    files: files.map(({ path, lines }) => ({ path, lines: rangesOf(lines) })),
    decisions: said.filter(({ kind }) => kind !== 'failed' && kind !== 'open').map(quoteOf),
    rejected: said.filter(({ kind }) => kind === 'failed').map(quoteOf),
  };
}

function rangesOf(lines: number[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    if (last?.[1] === line - 1) last[1] = line;
    else ranges.push([line, line]);
  }
  return ranges;
}

function fileOf({ file: { path, oldPath }, added, removed, edits }: Writing): ChangeAnswer['files'][number] {
  const lines = [...Map.groupBy(edits, ([{ agent }]) => agent)].map(([agent, of]) => ({
    agent,
    lines: of.reduce((sum, [, count]) => sum + count.lines.length, 0),
  }));
  return {
    path: path || oldPath,
    ...(path === '' || oldPath === '' || path === oldPath ? {} : { from: oldPath }),
    added,
    removed,
    writers: lines.filter((each) => each.lines > 0).sort((a, b) => b.lines - a.lines),
  };
}

/** The last results of the checks that the sessions ran from their first turn of the change up to its last commit. */
function testsOf(read: SessionTurn[][], chosen: SessionTurn[][], until: number): ChangeAnswer['tests'] {
  const runs = read.flatMap((turns, at) => {
    const first = chosen[at]?.[0]?.at ?? Number.POSITIVE_INFINITY;
    return turns.flatMap((turn) => turn.runs.filter((run) => run.at >= first && run.at <= until + slackMs));
  });
  const edits = chosen.flat().flatMap((turn) => turn.edits);
  return lastTestResults(runs.sort((a, b) => a.at - b.at)).map(({ event, command, result }) => {
    const at = runs.find((run) => run.event === event)?.at ?? 0;
    return { command, result, at, isBeforeLastEdit: edits.some((edit) => edit.at > at) };
  });
}

/** Whether the last turn of a session belongs to the change and was left without an answer, or ends with a question. */
function unansweredIn(turns: SessionTurn[], chosen: SessionTurn[]): string[] {
  const last = turns.at(-1);
  if (last === undefined || !chosen.includes(last) || !turns.some(({ account }) => account.length > 0))
    return [];
  const asked = [...last.asked, ...last.untyped].at(-1)?.text ?? '';
  const said: Quote | undefined = last.account.at(-1);
  if (said === undefined || last.isStopped) return [`the last request has no answer: ${asked}`];
  return isQuestion(said.text)
    ? [`the agent's last question is not answered: ${said.text.split('\n').at(-1)}`]
    : [];
}

/** Files of the change that were changed again and are not committed. Of older commits that says nothing. */
async function uncommittedIn(
  root: string,
  { base, head }: RevisionRange,
  paths: Set<string>,
): Promise<string[]> {
  if ((head || base) !== headOf(root)) return [];
  const files = ((await changedFiles(root)) ?? []).filter((path) => paths.has(path));
  return head === '' || files.length === 0
    ? []
    : [`${plural(files.length, 'file')} with uncommitted changes: ${files.join(', ')}`];
}
