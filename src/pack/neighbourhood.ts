import type { CodeSearch } from '../code/code-search.ts';
import type { AgentSession } from '../domain/agent-session.ts';
import type { Note, NoteKind, NoteState } from '../domain/note.ts';

/**
 * One file, symbol or note with everything that is directly connected to it. Every edge comes from stored data or from
 * the outline of a file; none is guessed. The answer depends only on what is stored, not on how long anything takes.
 */
export interface Neighbourhood {
  /** Absent if nothing is known about the node. */
  centre?: GraphNode;
  /** Neighbours, at most `limit` of each kind, the most significant first. */
  nodes: GraphNode[];
  /** Edges between the centre and its neighbours, and among the neighbours. */
  edges: GraphEdge[];
  /** Number of neighbours of each kind, with those that were left out. */
  totals: Partial<Record<GraphKind, number>>;
  truncated: boolean;
}

export type GraphNode =
  | {
      id: string;
      kind: 'note' | 'decision';
      label: string;
      note: string;
      noteKind: NoteKind;
      state: NoteState;
      pinned: boolean;
      updated: string;
    }
  | { id: string; kind: 'file'; label: string; path: string }
  | { id: string; kind: 'symbol'; label: string; path: string; line: number };

export type GraphKind = GraphNode['kind'];

export interface GraphEdge {
  from: string;
  to: string;
  kind: 'about' | 'mentions' | 'defined-in' | 'drawn-from' | 'changed-together';
  /** For `changed-together`: the number of agent sessions that changed both files. */
  weight?: number;
}

export interface GraphParts {
  notes: Note[];
  sessions: AgentSession[];
  /** Finds the symbols of files; absent if there is no checkout. */
  code?: Pick<CodeSearch, 'outline'>;
}

/** Files of a note that are parsed for the symbols that it mentions. */
const maxOutlines = 10;
/** Far above the time of any file, so that the answer does not depend on the load of the machine. */
const outlineTimeoutMs = 10_000;
/** One session may change unrelated files. */
const minSharedSessions = 2;

export async function neighbourhoodOf(
  { notes, sessions, code }: GraphParts,
  node: string,
  limit: number,
): Promise<Neighbourhood> {
  const sorted = shownNotes(notes);
  const { name, path, kind } = parseNode(node);
  if (kind === 'note') {
    const note = sorted.find(({ id }) => id === name);
    if (note === undefined) return none;
    const files = [...new Set(note.files)];
    const symbols = await symbolsOf(files.slice(0, maxOutlines), [note], code);
    const tied = noteEdges(note, sorted);
    const ids = new Set(tied.flatMap(({ from, to }) => [from, to]));
    const others = sorted.filter(({ id }) => id !== note.id && ids.has(noteId(id)));
    return cut(
      noteNode(note),
      [...others.map(noteNode), ...files.map(fileNode), ...symbols],
      [
        ...tied,
        ...aboutEdges([note, ...others], files),
        ...mentionEdges([note, ...others], symbols),
        ...symbols.map(definedIn),
      ],
      limit,
    );
  }
  const about = sorted.filter(({ files }) => files.includes(path));
  if (kind === 'symbol') {
    const [symbol] = (await symbolsOf([path], undefined, code)).filter(({ label }) => label === name);
    if (symbol === undefined) return none;
    const mentioning = about.filter((note) => mentions(note, name));
    return cut(
      symbol,
      [fileNode(path), ...mentioning.map(noteNode)],
      [definedIn(symbol), ...aboutEdges(mentioning, [path]), ...mentionEdges(mentioning, [symbol])],
      limit,
    );
  }
  const together = togetherEdges(path, sessions);
  const symbols = await symbolsOf([path], about, code);
  const isKnown = about.length > 0 || sessions.some(({ files }) => files.includes(path));
  if (!isKnown) return none;
  const others = together.map(({ to }) => to.slice(filePrefix.length));
  return cut(
    fileNode(path),
    [...about.map(noteNode), ...others.map(fileNode), ...symbols],
    [
      ...together,
      ...aboutEdges(about, [path, ...others]),
      ...mentionEdges(about, symbols),
      ...symbols.map(definedIn),
    ],
    limit,
  );
}

const none: Neighbourhood = { nodes: [], edges: [], totals: {}, truncated: false };

/** Finds files and notes by words in their path or title; without words, those with the most notes and sessions. */
export function findNodes({ notes, sessions }: GraphParts, words: string, limit: number): Neighbourhood {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const isWanted = (text: string): boolean => wanted.every((word) => text.toLowerCase().includes(word));
  const files = filesByDegree(shownNotes(notes), sessions).filter(isWanted).map(fileNode);
  const found = shownNotes(notes).filter(
    ({ title, topic, files: own }) => own.length > 0 && isWanted(`${title} ${topic ?? ''}`),
  );
  return cut(undefined, [...files, ...found.map(noteNode)], [], limit);
}

/** Keeps the first nodes of each kind, and the edges between those that are kept. */
function cut(
  centre: GraphNode | undefined,
  all: GraphNode[],
  edges: GraphEdge[],
  limit: number,
): Neighbourhood {
  const byKind = Map.groupBy(all, ({ kind }) => kind);
  const nodes = [...byKind.values()].flatMap((own) => own.slice(0, limit));
  const shown = new Set([...nodes.map(({ id }) => id), centre?.id]);
  return {
    ...(centre === undefined ? {} : { centre }),
    nodes,
    edges: edges.filter(({ from, to }) => shown.has(from) && shown.has(to)),
    totals: Object.fromEntries([...byKind].map(([kind, own]) => [kind, own.length])),
    truncated: nodes.length < all.length,
  };
}

const filePrefix = 'file:';
const noteId = (id: string): string => `note:${id}`;
const fileId = (path: string): string => filePrefix + path;

/** Parses `file:PATH`, `note:ID` or `symbol:PATH#NAME`. A bare path is a file. */
function parseNode(node: string): { kind: 'note' | 'file' | 'symbol'; name: string; path: string } {
  if (node.startsWith('note:')) return { kind: 'note', name: node.slice('note:'.length), path: '' };
  const at = node.lastIndexOf('#');
  if (node.startsWith('symbol:') && at !== -1)
    return { kind: 'symbol', path: node.slice('symbol:'.length, at), name: node.slice(at + 1) };
  const path = node.startsWith(filePrefix) ? node.slice(filePrefix.length) : node;
  return { kind: 'file', name: path, path };
}

const noteNode = ({ id, kind, title, state, pinned, updated }: Note): GraphNode => ({
  id: noteId(id),
  kind: kind === 'decision' || kind === 'convention' ? 'decision' : 'note',
  label: title,
  note: id,
  noteKind: kind,
  state,
  pinned,
  updated,
});

const fileNode = (path: string): GraphNode => ({
  id: fileId(path),
  kind: 'file',
  label: path.slice(path.lastIndexOf('/') + 1),
  path,
});

const rank: Record<NoteState, number> = { active: 0, candidate: 1, superseded: 2, archived: 3 };

/** Most significant first. Summaries of sessions are left out, because they repeat the other notes. */
const shownNotes = (notes: Note[]): Note[] =>
  notes.filter(({ kind }) => kind !== 'summary').sort(bySignificance);

const bySignificance = (a: Note, b: Note): number =>
  Number(b.pinned) - Number(a.pinned) ||
  rank[a.state] - rank[b.state] ||
  (a.updated < b.updated ? 1 : a.updated > b.updated ? -1 : a.id < b.id ? -1 : 1);

/** Files with the most notes first, then files that agents changed in the most sessions. */
function filesByDegree(notes: Note[], sessions: AgentSession[]): string[] {
  const degrees = new Map<string, number>();
  const add = (path: string, weight: number) => degrees.set(path, (degrees.get(path) ?? 0) + weight);
  for (const { files } of notes) for (const path of new Set(files)) add(path, 1_000);
  for (const { files } of sessions) for (const path of files) add(path, 1);
  return [...degrees]
    .sort(([a, degreeA], [b, degreeB]) => degreeB - degreeA || (a < b ? -1 : 1))
    .map(([path]) => path);
}

function aboutEdges(notes: Note[], paths: string[]): GraphEdge[] {
  const known = new Set(paths);
  return notes.flatMap(({ id, files }) =>
    [...new Set(files)]
      .filter((path) => known.has(path))
      .map((path) => ({ from: noteId(id), to: fileId(path), kind: 'about' as const })),
  );
}

/** Notes that the note was made from or that were made from it. */
function noteEdges(note: Note, notes: Note[]): GraphEdge[] {
  return notes.flatMap(({ id, derivedFrom }): GraphEdge[] => {
    if (id === note.id || note.derivedFrom.includes(id))
      return id === note.id ? [] : [{ from: noteId(note.id), to: noteId(id), kind: 'drawn-from' }];
    return derivedFrom.includes(note.id)
      ? [{ from: noteId(id), to: noteId(note.id), kind: 'drawn-from' }]
      : [];
  });
}

/** Files that were changed together with this one in at least two agent sessions, most sessions first. */
function togetherEdges(path: string, sessions: AgentSession[]): GraphEdge[] {
  const counts = new Map<string, number>();
  for (const { files } of sessions)
    if (files.includes(path))
      for (const other of files) if (other !== path) counts.set(other, (counts.get(other) ?? 0) + 1);
  return [...counts]
    .filter(([, weight]) => weight >= minSharedSessions)
    .sort(([a, weightA], [b, weightB]) => weightB - weightA || (a < b ? -1 : 1))
    .map(([other, weight]) => ({ from: fileId(path), to: fileId(other), kind: 'changed-together', weight }));
}

type SymbolNode = Extract<GraphNode, { kind: 'symbol' }>;

const definedIn = ({ id, path }: SymbolNode): GraphEdge => ({
  from: id,
  to: fileId(path),
  kind: 'defined-in',
});

const mentions = ({ text }: Note, name: string): boolean =>
  new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]{3,}/gu)).has(name);

const mentionEdges = (notes: Note[], symbols: SymbolNode[]): GraphEdge[] =>
  symbols.flatMap(({ id, label, path }) =>
    notes
      .filter((note) => note.files.includes(path) && mentions(note, label))
      .map((note) => ({ from: noteId(note.id), to: id, kind: 'mentions' as const })),
  );

/** The symbols of these files that one of the notes mentions; all symbols without notes. */
async function symbolsOf(
  paths: string[],
  notes: Note[] | undefined,
  code: Pick<CodeSearch, 'outline'> | undefined,
): Promise<SymbolNode[]> {
  const found = new Map<string, SymbolNode>();
  for (const path of code === undefined ? [] : paths) {
    // A file that is deleted, binary or in an unsupported language has no symbols.
    const outline = await code?.outline({ path, deadlineMs: outlineTimeoutMs }).catch(() => undefined);
    for (const { name, startLine } of outline?.symbols ?? []) {
      const id = `symbol:${path}#${name}`;
      if (found.has(id) || notes?.every((note) => !mentions(note, name))) continue;
      found.set(id, { id, kind: 'symbol', label: name, path, line: startLine });
    }
  }
  return [...found.values()];
}
