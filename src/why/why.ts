import { readCheckoutFile } from '../base/checkout-file.ts';
import { AppError } from '../base/errors.ts';
import type { Drift } from '../domain/anchor.ts';
import type { Chunk } from '../domain/chunk.ts';
import type { AgentName } from '../domain/event.ts';
import type { FailedPath } from '../domain/failed-path.ts';
import { checkDrift } from '../drift/check-drift.ts';
import type { CheckedCode } from '../drift/current-code.ts';
import { type BlamedLine, blame } from '../git/blame.ts';
import { originOfMovedLine } from '../git/moved-line.ts';
import { readObjects } from '../git/objects.ts';
import { type Evidence, withEvidence } from '../recall/evidence.ts';
import { failedPathsIn } from '../recall/failed-paths.ts';
import type { RecallLimits, RecallParts } from '../recall/with-index.ts';
import { linesIn } from '../text/line-index.ts';
import { findWriters, type LineOrigin } from './find-writers.ts';
import { maxFileBytes } from './past-files.ts';
import { type Reason, reasonOf } from './reason.ts';

/**
 * Asks why lines are as they are. Git provides the commit, edit events provide the agent session that wrote them, and
 * the session provides the reason. Nothing is guessed: a line without evidence gets its commit and no session.
 */
export interface WhyQuery {
  /** Path of the file, relative to the working tree. */
  path: string;
  /** Line numbers from 1, both ends included. Without a range, `why` explains the whole file. */
  range?: { from: number; to: number };
}

export interface WhyAnswer {
  path: string;
  from: number;
  to: number;
  /** Lines grouped by origin, the largest group first. */
  origins: Origin[];
  /** Notes about the file. */
  notes: (Chunk & { drift?: Drift })[];
  failedPaths: FailedPath[];
}

export interface Origin {
  /** Current line numbers, as ranges. */
  lines: [from: number, to: number][];
  count: number;
  /** Text of the first line that is not blank. */
  text: string;
  commit?: { hash: string; at: number; author: string; summary: string; message: string; path: string };
  session?: {
    agent: AgentName;
    agentSession: string;
    turn: string;
    at: number;
    branch: string;
    edit: string;
  };
  reason?: Reason;
}

/** Maximum number of origins that `why` explains with a reason. */
const maxExplained = 5;
const maxNotes = 5;

export async function why(
  { parts, root }: { parts: RecallParts; root: string },
  { path, range }: WhyQuery,
  { now, limits, code }: { now: number; limits: RecallLimits; code?: CheckedCode },
): Promise<WhyAnswer> {
  const disk = readLines(root, path);
  const { from, to } = rangeIn(disk, path, range);
  const blamed = await blame(root, path, { range: range && { from, to } });
  const lines =
    blamed.kind === 'lines' ? await traceRenames(root, blamed.lines) : uncommittedLines(disk, path, from, to);
  return withEvidence(parts, limits, async (evidence) => {
    const found = await findWriters(root, lines, { path, disk, now }, evidence);
    const origins = grouped(found);
    await explain(root, origins, evidence);
    const paths = [...new Set([path, ...lines.map((line) => line.path)])];
    const notes = await Promise.all(paths.map((file) => evidence.chunks({ source: 'note', file }, maxNotes)));
    const shown = distinctNotes(notes.flat()).slice(0, maxNotes);
    const drifts = code === undefined ? undefined : await checkDrift(shown, evidence, code);
    const withDrift = (note: Chunk) => {
      const drift = drifts?.get(note);
      return drift === undefined ? note : { ...note, drift };
    };
    return {
      path,
      from,
      to,
      origins: origins.map(({ origin }) => origin),
      notes: shown.map(withDrift),
      failedPaths: evidence.isEmpty ? [] : await failedPathsIn(path, evidence),
    };
  });
}

function readLines(root: string, path: string): string[] {
  const file = readCheckoutFile(root, path, maxFileBytes);
  if (file.kind === 'absent' || file.kind === 'refused') {
    throw new AppError('NOT_FOUND', `${path} is not a file of this checkout`, {
      hint: 'Find it: backstory files NAME',
    });
  }
  if (file.kind === 'large') {
    throw new AppError('INVALID_ARGUMENT', `${path} is too large`, {
      hint: `Ask git instead: git blame ${path}`,
    });
  }
  const lines = linesIn(file.bytes.toString('utf8'));
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function rangeIn(disk: string[], path: string, range: WhyQuery['range']): { from: number; to: number } {
  const { from, to } = range ?? { from: 1, to: disk.length };
  if (from < 1 || from > disk.length || to < from) {
    throw new AppError('INVALID_ARGUMENT', `${path} has ${disk.length} lines`, {
      hint: `Choose one of them: backstory why ${path}:${Math.min(Math.max(1, from), disk.length)}`,
    });
  }
  return { from, to: Math.min(to, disk.length) };
}

/**
 * If `why` is asked about at most this many lines, each line is traced through moves between files separately, because
 * git detects only moves of larger blocks.
 */
const maxLinesToTrace = 3;

const traceRenames = (root: string, lines: BlamedLine[]): Promise<BlamedLine[]> | BlamedLine[] =>
  lines.length > maxLinesToTrace ? lines : Promise.all(lines.map((line) => originOfMovedLine(root, line)));

/** Lines of a file that git does not track. Only edit events can tell who wrote them. */
const uncommittedLines = (disk: string[], path: string, from: number, to: number): BlamedLine[] =>
  disk.slice(from - 1, to).map((text, at) => ({
    line: from + at,
    text,
    commit: '',
    path,
    originalLine: from + at,
    previous: undefined,
    author: '',
    at: 0,
    summary: '',
  }));

interface Group {
  origin: Origin;
  found: LineOrigin;
}

function grouped(found: LineOrigin[]): Group[] {
  const groups = new Map<string, Group>();
  for (const each of found) {
    const { line, edit } = each;
    const key = `${line.commit} ${edit?.agentSession ?? ''} ${edit?.turn ?? ''}`;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { origin: originOf(each), found: each });
    else add(known.origin, line);
  }
  return [...groups.values()].sort((a, b) => b.origin.count - a.origin.count);
}

function originOf({ line, edit }: LineOrigin): Origin {
  const { commit: hash, at, author, summary, path } = line;
  return {
    lines: [[line.line, line.line]],
    count: 1,
    text: line.text,
    ...(hash === '' ? {} : { commit: { hash, at, author, summary, message: summary, path } }),
    ...(edit === undefined
      ? {}
      : {
          session: {
            agent: edit.agent,
            agentSession: edit.agentSession,
            turn: edit.turn,
            at: edit.at,
            branch: edit.branch,
            edit: edit.id,
          },
        }),
  };
}

function add(origin: Origin, { line, text }: BlamedLine): void {
  const last = origin.lines.at(-1);
  if (last?.[1] === line - 1) last[1] = line;
  else origin.lines.push([line, line]);
  origin.count++;
  if (origin.text.trim() === '') origin.text = text;
}

async function explain(root: string, groups: Group[], evidence: Evidence): Promise<void> {
  const explained = groups.slice(0, maxExplained);
  const commits = await readObjects(
    root,
    explained.flatMap(({ origin }) => (origin.commit === undefined ? [] : [origin.commit.hash])),
  );
  for (const { origin, found } of explained) {
    const object = commits.get(origin.commit?.hash ?? '');
    if (origin.commit !== undefined && object !== undefined)
      origin.commit.message = object.slice(object.indexOf('\n\n') + 2).trim();
    if (found.edit !== undefined) origin.reason = await reasonOf(found.edit, evidence);
  }
}

const distinctNotes = (chunks: Chunk[]): Chunk[] => [
  ...new Map(chunks.map((chunk) => [chunk.sourceId, chunk])).values(),
];
