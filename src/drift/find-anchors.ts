import { isInCheckout } from '../base/path-in-checkout.ts';
import type { Anchor } from '../domain/anchor.ts';
import type { Chunk } from '../domain/chunk.ts';
import type { Evidence } from '../recall/evidence.ts';
import type { NoteTies, TurnEvidence } from '../store/store.ts';
import { parseAnchor } from './anchors-from-user.ts';
import { anchorsOfEdits, anchorsOfReads } from './anchors-of-turn.ts';

/** The code that a chunk refers to: anchors, a commit, or nothing. */
export interface Tie {
  anchors: Anchor[];
  commit?: string;
  branch?: string;
}

const maxAnchors = 12;

/**
 * Finds the code that chunks refer to. The evidence is tool calls and never what somebody wrote: for an edit its own
 * lines, for a prompt or answer the lines that its turn added, for a note the turns it was derived from, for a commit
 * its lines.
 */
export async function findAnchors(chunks: Chunk[], evidence: Evidence): Promise<Map<Chunk, Tie>> {
  const notes = chunks.filter(({ source }) => source === 'note').map(({ sourceId }) => sourceId);
  const ties = await evidence.tiesOf(notes);
  const sourceIds = [...ties.values()].flatMap(({ anchors, derivedFrom }) =>
    anchors.length > 0 ? [] : derivedFrom,
  );
  const rows = await evidence.events(sourceIds);
  const turns = [...chunks.filter(isOfTurn), ...rows.values()].flatMap(({ turn }) => turn || []);
  const done = await evidence.ofTurns([...new Set(turns)]);
  const found = new Map<Chunk, Tie>();
  for (const chunk of chunks) {
    if (chunk.source === 'note') {
      const own = ties.get(chunk.sourceId);
      const sources = (own?.derivedFrom ?? []).flatMap((id): Turn | Turn[] => rows.get(id) ?? []);
      found.set(chunk, {
        anchors: own === undefined ? [] : largest(anchorsOfNote(own, chunk, sources, done)),
      });
    } else if (isOfTurn(chunk)) found.set(chunk, { anchors: largest(anchorsOfTurn(chunk, done)) });
    else found.set(chunk, { anchors: [], ...(await commitOf(chunk, evidence)) });
  }
  return found;
}

/** Command output does not describe the current code, and rules are about future code. */
const isOfTurn = ({ source, turn, kind }: Chunk): boolean =>
  source === 'event' && turn !== '' && !['command', 'commit', 'rule'].includes(kind);

interface Turn {
  agentSession: string;
  turn: string;
}

/** Turn ids come from the agents, so two sessions may use the same id. */
const isIn = (turn: Turn) => (step: { agentSession: string }) => step.agentSession === turn.agentSession;

function anchorsOfTurn(chunk: Chunk, { edits, reads }: TurnEvidence): Anchor[] {
  const inTurn = edits.filter((edit) => isIn(chunk)(edit) && edit.turn === chunk.turn);
  if (chunk.kind === 'edit') {
    const own = inTurn.find(({ id }) => id === chunk.sourceId);
    const later =
      own === undefined ? [] : inTurn.filter((edit) => edit.path === own.path && edit.at >= own.at);
    return anchorsOfEdits(later).filter(({ at }) => at === own?.at);
  }
  const written = anchorsOfEdits(inTurn);
  if (inTurn.length > 0 || chunk.origin === 'user') return written;
  return anchorsOfReads(reads.filter(isIn(chunk)), (path) => isNamed(path, chunk.paths));
}

function anchorsOfNote(
  ties: NoteTies,
  { at, paths, kind }: Chunk,
  turns: Turn[],
  { edits, reads }: TurnEvidence,
): Anchor[] {
  if (ties.anchors.length > 0) return ties.anchors.flatMap((line) => parseAnchor(line, at) ?? []);
  if (kind === 'rule') return [];
  const own = turns.filter(({ turn }) => turn !== '');
  const written = [
    ...new Map(own.map((turn) => [`${turn.agentSession} ${turn.turn}`, turn])).values(),
  ].flatMap((turn) => anchorsOfEdits(edits.filter((edit) => isIn(turn)(edit) && edit.turn === turn.turn)));
  const named = written.filter(({ path }) => isNamed(path, ties.files));
  if (written.length > 0) return named.length > 0 ? named : written;
  const shown = reads.filter((read) => own.some((turn) => isIn(turn)(read)));
  return anchorsOfReads(shown, (path) => isNamed(path, [...ties.files, ...paths]));
}

const isNamed = (path: string, names: string[]): boolean =>
  names.some((name) => path === name || path.endsWith(`/${name}`));

const sizeOf = ({ lines }: Anchor): number => (lines.kind === 'span' ? lines.count : lines.hashes.length);

function largest(anchors: Anchor[]): Anchor[] {
  const inside = anchors.filter(({ path }) => isInCheckout(path));
  return inside.length <= maxAnchors
    ? inside
    : inside.sort((a, b) => sizeOf(b) - sizeOf(a)).slice(0, maxAnchors);
}

async function commitOf(chunk: Chunk, evidence: Evidence): Promise<Pick<Tie, 'commit' | 'branch'>> {
  if (chunk.source !== 'event' || chunk.agentSession !== '' || chunk.paths.length === 0) return {};
  // A chunk may be one sentence of a commit message. The chunk of the whole message has the commit's hash.
  const whole = chunk.kind === 'commit' ? [chunk] : await evidence.chunksOf(chunk.sourceId);
  const commit = whole.map(({ text }) => /^commit ([0-9a-f]{12}):/.exec(text)?.[1]).find((hash) => hash);
  return commit === undefined ? {} : { commit, branch: chunk.branch };
}
