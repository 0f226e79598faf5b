import type { Edit } from '../domain/edit.ts';
import { type BlamedLine, blame, type LineRange } from '../git/blame.ts';
import { readObjects } from '../git/objects.ts';
import type { Evidence } from '../recall/evidence.ts';
import type { Origin } from '../wire/answers/memory.ts';
import { type Claims, claimsOf, distinctClaims, readClaims } from './claims.ts';
import { findWriters, type LineOrigin, maxLoose } from './find-writers.ts';
import { reasonOf } from './reason.ts';

interface LineQuery {
  path: string;
  text: string[];
  range?: LineRange | undefined;
  revision?: { commit: string; path: string } | undefined;
  now: number;
}

/**
 * Finds the origin of each line. `why`, the page of a file, the API and editors all ask it. The answer for a line does
 * not depend on the range. If git does not track the file, all lines count as uncommitted.
 */
export async function originsOfLines(
  root: string,
  { path, text, range, revision, now }: LineQuery,
  evidence: Evidence,
): Promise<LineOrigin[]> {
  const { from, to } = range ?? { from: 1, to: text.length };
  const around = range && withTextAround(text, range);
  const blamed = await blame(root, revision?.path ?? path, {
    range: around,
    ...(revision === undefined ? {} : { revision: revision.commit }),
  });
  const lines =
    blamed.kind === 'lines'
      ? blamed.lines
      : uncommittedLines(text, path, around?.from ?? from, around?.to ?? to);
  const found = joinBlank(await findWriters(root, lines, { path, disk: () => text, now }, evidence));
  return found.filter(({ line: { line } }) => line >= from && line <= to);
}

const isBlank = (text: string | undefined): boolean => text !== undefined && text.trim() === '';

function withTextAround(text: string[], { from, to }: LineRange): LineRange {
  let [first, last] = [Math.max(1, from - maxLoose), Math.min(text.length, to + maxLoose)];
  while (isBlank(text[first - 1]) && first > 1) first--;
  while (isBlank(text[last - 1]) && last < text.length) last++;
  return { from: first, to: last };
}

/** A blank line without a known writer has the origin of its neighbours if they have the same, or of an unknown one. */
function joinBlank(found: LineOrigin[]): LineOrigin[] {
  const hasText = ({ line }: LineOrigin) => !isBlank(line.text);
  const textFrom = (at: number, step: 1 | -1): LineOrigin | undefined => {
    let next = at + step;
    while (isBlank(found[next]?.line.text)) next += step;
    return found[next];
  };
  return found.map((each, at) => {
    if (each.edit !== undefined || hasText(each)) return each;
    const [before, after] = [textFrom(at, -1), textFrom(at, 1)];
    const isOne =
      before?.edit?.turn === after?.edit?.turn && before?.edit?.agentSession === after?.edit?.agentSession;
    const like = isOne ? before : [before, after].find((one) => one?.edit === undefined);
    return like === undefined
      ? each
      : { ...like, line: { ...like.line, line: each.line.line, text: each.line.text } };
  });
}

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

export const pathsOf = (path: string, found: LineOrigin[]): string[] => [
  ...new Set([path, ...found.map(({ line }) => line.path)]),
];

/** The origins of lines, the one with the most lines first. The first `maxExplained` have their reasons. */
export async function explainedOrigins(
  root: string,
  found: LineOrigin[],
  evidence: Evidence,
  maxExplained: number,
): Promise<Origin[]> {
  const groups = grouped(
    found,
    await readClaims(root, new Set(found.flatMap(({ line }) => line.commit || []))),
  );
  await explain(root, groups.slice(0, maxExplained), evidence);
  for (const { session } of groups.map(({ origin }) => origin)) {
    const model = session && (await evidence.modelOf(session));
    if (session !== undefined && model !== undefined) session.model = model;
  }
  return groups.map(({ origin }) => origin);
}

interface Group {
  origin: Origin;
  found: LineOrigin;
}

/** Groups lines by commit and turn or, if no turn is known, by commit and claims. */
function grouped(found: LineOrigin[], all: Claims): Group[] {
  const groups = new Map<string, Group>();
  for (const each of found) {
    const { line, edit } = each;
    const claims = claimsOf(all, line);
    const key = `${line.commit} ${each.isUnsure} ${edit === undefined ? JSON.stringify(claims) : `${edit.agentSession} ${edit.turn}`}`;
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { origin: originOf(each), found: each });
    else add(known.origin, line);
    const { origin } = known ?? (groups.get(key) as Group);
    if (claims.length > 0) origin.claims = distinctClaims([...(origin.claims ?? []), ...claims]);
  }
  return [...groups.values()].sort((a, b) => b.origin.count - a.origin.count);
}

function originOf({ line, edit, isUnsure }: LineOrigin): Origin {
  const { commit: hash, at, author, summary, path } = line;
  return {
    lines: [[line.line, line.line]],
    count: 1,
    text: line.text,
    ...(hash === '' ? {} : { commit: { hash, at, author, summary, message: summary, path } }),
    ...(isUnsure === undefined ? {} : { isUnsure }),
    ...(edit === undefined ? {} : { session: sessionOf(edit) }),
  };
}

const sessionOf = ({ id, agent, agentSession, turn, at, branch }: Edit) => ({
  ...{ agent, agentSession, turn, at, branch },
  edit: id,
});

export function addLine(ranges: Origin['lines'], line: number): void {
  const last = ranges.at(-1);
  if (last?.[1] === line - 1) last[1] = line;
  else ranges.push([line, line]);
}

function add(origin: Origin, { line, text }: BlamedLine): void {
  addLine(origin.lines, line);
  origin.count++;
  if (origin.text.trim() === '') origin.text = text;
}

async function explain(root: string, explained: Group[], evidence: Evidence): Promise<void> {
  const commits = await readObjects(
    root,
    explained.flatMap(({ origin }) => (origin.commit === undefined ? [] : [origin.commit.hash])),
  );
  const ids = new Set(explained.flatMap(({ found }) => found.edit?.agentSession ?? []));
  const titles = await evidence.titlesOf([...ids]);
  for (const { origin, found } of explained) {
    const object = commits.get(origin.commit?.hash ?? '');
    if (origin.commit !== undefined && object !== undefined)
      origin.commit.message = object.slice(object.indexOf('\n\n')).trim();
    if (found.edit !== undefined)
      origin.reason = await reasonOf(found.edit, evidence, titles[found.edit.agentSession] ?? '');
  }
}
