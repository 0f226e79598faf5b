import type { CodeSearch } from '../code/code-search.ts';
import type { AgentSession } from '../domain/agent-session.ts';
import type { Note, NoteKind, NoteState } from '../domain/note.ts';
import { contradictions } from '../memory/notes/note-lifecycle.ts';

/**
 * A project's memory as a graph for the viewer: notes and decisions, the files they are about, the symbols they
 * mention. Every edge comes from stored data; none is guessed.
 */
export interface ProjectGraph {
  nodes: GraphNode[];
  edges: GraphEdge[];
  /** True if the project has more nodes than `maxNodes`, so that some are left out. */
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

export interface GraphEdge {
  from: string;
  to: string;
  kind: 'about' | 'mentions' | 'defined_in' | 'drawn_from' | 'contradicts' | 'changed_together';
  /** For `changed_together`: the number of agent sessions that changed both files. */
  weight?: number;
}

export interface GraphParts {
  notes: Note[];
  sessions: AgentSession[];
  /** Finds the symbols of files; absent if there is no checkout. */
  code?: Pick<CodeSearch, 'outline'>;
}

export const maxGraphNodes = 5_000;
/** Parsing a file takes milliseconds, and the user is waiting for the graph. */
const maxOutlines = 150;
const outlineTimeoutMs = 2_000;
const minSharedSessions = 2;
const maxTogetherEdges = 2_000;

export async function projectGraph(
  { notes, sessions, code }: GraphParts,
  { maxNodes, isOver }: { maxNodes: number; isOver(): boolean },
): Promise<ProjectGraph> {
  const sorted = linkedFirst(notes);
  const first = sorted.slice(0, Math.ceil(maxNodes * 0.7));
  const files = filesByDegree(first, sessions);
  const paths = files.slice(0, Math.max(0, maxNodes - first.length));
  const known = new Set(paths);
  const symbols = code === undefined ? [] : await symbolsOf(paths.slice(0, maxOutlines), first, code, isOver);
  const fitting = symbols.slice(0, Math.max(0, maxNodes - first.length - paths.length));
  // Fill the nodes that files and symbols leave free with more notes.
  const kept = sorted.slice(0, maxNodes - paths.length - fitting.length);
  return {
    nodes: [
      ...kept.map(noteNode),
      ...paths.map((path) => ({ id: fileId(path), kind: 'file' as const, label: nameOf(path), path })),
      ...fitting.map(({ node }) => node),
    ],
    edges: [
      ...aboutEdges(kept, known),
      ...fitting.flatMap(({ edges }) => edges),
      ...noteEdges(kept),
      ...togetherEdges(sessions, known),
    ],
    truncated: sorted.length > kept.length || files.length > paths.length || symbols.length > fitting.length,
  };
}

const noteId = (id: string): string => `note:${id}`;
const fileId = (path: string): string => `file:${path}`;
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

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

const rank: Record<NoteState, number> = { active: 0, candidate: 1, superseded: 2, archived: 3 };

/** Notes without links to files or other notes come last. */
function linkedFirst(notes: Note[]): Note[] {
  const ids = new Set(notes.map(({ id }) => id));
  const isLinked = ({ files, derivedFrom }: Note): boolean =>
    files.length > 0 || derivedFrom.some((id) => ids.has(id));
  const sorted = [...notes].sort(bySignificance);
  return [...sorted.filter(isLinked), ...sorted.filter((note) => !isLinked(note))];
}

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

function aboutEdges(notes: Note[], known: Set<string>): GraphEdge[] {
  return notes.flatMap(({ id, files }) =>
    [...new Set(files)]
      .filter((path) => known.has(path))
      .map((path) => ({ from: noteId(id), to: fileId(path), kind: 'about' as const })),
  );
}

function noteEdges(notes: Note[]): GraphEdge[] {
  const known = new Set(notes.map(({ id }) => id));
  const derived = notes.flatMap(({ id, derivedFrom }) =>
    derivedFrom
      .filter((from) => known.has(from) && from !== id)
      .map((from) => ({ from: noteId(id), to: noteId(from), kind: 'drawn_from' as const })),
  );
  const contradicting = contradictions(notes).map(([one, other]) => ({
    from: noteId(one.id),
    to: noteId(other.id),
    kind: 'contradicts' as const,
  }));
  return [...derived, ...contradicting];
}

/**
 * Links files that were changed together in at least two agent sessions. One session is not enough, because it may
 * change unrelated files.
 */
function togetherEdges(sessions: AgentSession[], known: Set<string>): GraphEdge[] {
  const pairs = new Map<string, { from: string; to: string; weight: number }>();
  for (const { files } of sessions) {
    const own = files.filter((path) => known.has(path)).slice(0, 20);
    for (const [at, from] of own.entries()) {
      for (const to of own.slice(at + 1)) {
        const key = `${from}\0${to}`;
        const pair = pairs.get(key) ?? { from: fileId(from), to: fileId(to), weight: 0 };
        pair.weight += 1;
        pairs.set(key, pair);
      }
    }
  }
  return [...pairs.values()]
    .filter(({ weight }) => weight >= minSharedSessions)
    .sort((a, b) => b.weight - a.weight || (a.from + a.to < b.from + b.to ? -1 : 1))
    .slice(0, maxTogetherEdges)
    .map((pair) => ({ ...pair, kind: 'changed_together' as const }));
}

interface NamedSymbol {
  node: GraphNode;
  edges: GraphEdge[];
}

const identifier = /[\p{L}_$][\p{L}\p{N}_$]{3,}/gu;

/** Finds the symbols of these files that a note about the same file mentions. */
async function symbolsOf(
  paths: string[],
  notes: Note[],
  code: Pick<CodeSearch, 'outline'>,
  isOver: () => boolean,
): Promise<NamedSymbol[]> {
  const byFile = new Map<string, Note[]>();
  for (const note of notes) {
    for (const path of new Set(note.files)) byFile.set(path, [...(byFile.get(path) ?? []), note]);
  }
  const found: NamedSymbol[] = [];
  for (const path of paths) {
    const about = byFile.get(path) ?? [];
    if (about.length === 0) continue;
    if (isOver()) break;
    const words = new Map(about.map((note) => [note.id, new Set(note.text.match(identifier) ?? [])]));
    // A file that is deleted, binary or in an unsupported language has no symbols.
    const outline = await code.outline({ path, deadlineMs: outlineTimeoutMs }).catch(() => undefined);
    const seen = new Set<string>();
    for (const { name, startLine } of outline?.symbols ?? []) {
      const mentioning = about.filter(({ id }) => words.get(id)?.has(name));
      if (mentioning.length === 0 || seen.has(name)) continue;
      seen.add(name);
      const id = `symbol:${path}#${name}`;
      found.push({
        node: { id, kind: 'symbol', label: name, path, line: startLine },
        edges: [
          { from: id, to: fileId(path), kind: 'defined_in' },
          ...mentioning.map((note) => ({ from: noteId(note.id), to: id, kind: 'mentions' as const })),
        ],
      });
    }
  }
  return found;
}
