import type { AgentName } from '../domain/event.ts';
import { type BlamedLine, blame, type LineRange } from '../git/blame.ts';
import { originOfMovedLine } from '../git/moved-line.ts';
import { readObjects } from '../git/objects.ts';
import type { Evidence } from '../recall/evidence.ts';
import type { Claim } from '../wire/answers/memory.ts';
import { type Claims, distinctClaims } from './claims.ts';
import type { LineOrigin } from './find-writers.ts';
import { type Reason, reasonOf } from './reason.ts';

/** Lines that one turn of an agent session wrote, or that one commit brought. */
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
    /** Set by `nameModels`. */
    model?: string;
  };
  /** What others say about the lines. Absent if nobody does. */
  claims?: Claim[];
  reason?: Reason;
}

interface BlameQuery {
  path: string;
  /** Without a range, the whole file. */
  range?: LineRange | undefined;
  /** A past commit whose version of the file has the lines; default: the file on disk. */
  revision?: string | undefined;
}

/** Returns the commit of each line. If git does not track the file, all lines count as uncommitted. */
export async function blamedLines(
  root: string,
  text: string[],
  { path, range, revision }: BlameQuery,
): Promise<BlamedLine[]> {
  const blamed = await blame(root, path, { range, ...(revision === undefined ? {} : { revision }) });
  if (blamed.kind === 'lines') return traceRenames(root, blamed.lines);
  const { from, to } = range ?? { from: 1, to: text.length };
  return uncommittedLines(text, path, from, to);
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

export interface Group {
  origin: Origin;
  found: LineOrigin;
}

/** Groups lines by commit and turn or, if no turn is known, by commit and claims; the largest group first. */
export function grouped(found: LineOrigin[], claimsOf: Claims = () => []): Group[] {
  const groups = new Map<string, Group>();
  for (const each of found) {
    const { line, edit } = each;
    const claims = claimsOf(line);
    const key = `${line.commit} ${edit === undefined ? JSON.stringify(claims) : `${edit.agentSession} ${edit.turn}`}`;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { origin: originOf(each), found: each });
    else add(known.origin, line);
    const { origin } = known ?? (groups.get(key) as Group);
    if (claims.length > 0) origin.claims = distinctClaims([...(origin.claims ?? []), ...claims]);
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

/** Adds the whole commit message and the reason to each group. */
export async function explain(root: string, explained: Group[], evidence: Evidence): Promise<void> {
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

/** Adds to each session the model that wrote the lines, if a transcript names it. */
export async function nameModels(groups: Group[], evidence: Evidence): Promise<void> {
  for (const { session } of groups.map(({ origin }) => origin)) {
    if (session === undefined) continue;
    const model = await evidence.modelOf(session);
    if (model !== undefined) session.model = model;
  }
}
