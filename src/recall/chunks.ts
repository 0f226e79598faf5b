import { hashId } from '../base/hash.ts';
import {
  authorConcept,
  type Chunk,
  type ChunkKind,
  everywhereConcept,
  isDisputeConcept,
  planConcept,
  unconfirmedConcept,
} from '../domain/chunk.ts';
import {
  awaitsConfirmation,
  type EventEnvelope,
  type Origin,
  originOf,
  promptText,
} from '../domain/event.ts';
import {
  isEverywhere,
  isFromRepository,
  isFromTeam,
  type Note,
  noteStates,
  silencingDisputes,
} from '../domain/note.ts';
import { splitText } from '../text/split-text.ts';
import { disputeText } from './dispute-text.ts';

export function chunksOfEvent(event: EventEnvelope): Chunk[] {
  const slice = (kind: ChunkKind, text: string, at: number, paths: string[]): Chunk => ({
    id: hashId(event.project, event.id, kind, String(at), text),
    project: event.project,
    source: 'event',
    sourceId: event.id,
    kind,
    origin: originOf(event),
    trust: event.trust,
    agent: event.agent,
    agentSession: event.agentSession,
    turn: turnOf(event),
    branch: event.branch,
    at: Date.parse(event.at) || 0,
    paths,
    concepts: conceptsOfEvent(event),
    pinned: false,
    text,
  });
  const slices = (text: string, paths: string[]) =>
    splitText(text).map((part, at) => slice(event.kind, part, at, paths));
  switch (event.kind) {
    case 'prompt':
      return slices(promptText(event.body), pathsInText(promptText(event.body)));
    case 'answer':
      return slices(event.body.text, pathsInText(event.body.text));
    case 'edit':
      return slices(editLine(event.body), [event.body.path]);
    case 'command': {
      const { command, ok, exit, output } = event.body;
      const status = ok ? '' : `failed${exit === undefined ? '' : `, exit ${exit}`}\n`;
      const text = `${status}$ ${command}${output === undefined ? '' : `\n${output}`}`;
      const chunks = slices(text, pathsInText(command));
      return ok ? chunks : chunks.map((chunk) => ({ ...chunk, isFailed: true as const }));
    }
    case 'commit': {
      const { hash, message, files } = event.body;
      return slices(`commit ${hash.slice(0, 12)}: ${message}`, files);
    }
    case 'oversize':
      return slices(
        `${event.body.of}, ${event.body.length} bytes\n${event.body.head}\n…\n${event.body.tail}`,
        [],
      );
    default:
      return [];
  }
}

const conceptsOfEvent = (event: EventEnvelope): string[] => {
  if (event.kind === 'commit') return [authorConcept + event.body.author];
  if (event.origin === 'teammate') return [authorConcept + event.actor];
  if (event.kind !== 'prompt') return [];
  return [
    ...(event.body.isPlan === true ? [planConcept] : []),
    ...(awaitsConfirmation(event) ? [unconfirmedConcept] : []),
  ];
};

export const turnOf = (event: EventEnvelope): string => ('turn' in event.body ? (event.body.turn ?? '') : '');

function editLine(body: Extract<EventEnvelope, { kind: 'edit' }>['body']): string {
  const added = body.hunks.reduce((sum, hunk) => sum + hunk.added.length, 0);
  const removed = body.hunks.reduce((sum, hunk) => sum + hunk.removed.length, 0);
  const done = body.created === true ? 'created' : 'edited';
  return `${body.command === undefined ? done : `a command ${done}`} ${body.path} (+${added} −${removed} lines)`;
}

/** A note from a repository counts as a file, not as a teammate's statement, until the user trusts it. */
function originOfNote(note: Note): Origin {
  if (isFromRepository(note)) return note.trust >= 2 ? 'teammate' : 'file';
  if (isFromTeam(note)) return 'teammate';
  return note.trust >= 2 ? 'user' : 'assistant';
}

/**
 * The concepts of a note and, if it is not active, its state, whether it applies in every project, and who disputes it.
 * A concept with the name of one of these marks is dropped, so that it is not mistaken for the mark.
 */
const conceptsOf = (note: Note): string[] => [
  ...note.concepts.filter((concept) => !marks.includes(concept) && !isDisputeConcept(concept)),
  ...(note.state === 'active' ? [] : [note.state]),
  ...(isEverywhere(note) ? [everywhereConcept] : []),
  ...silencingDisputes(note).map(disputeText),
];
const marks: string[] = [...noteStates, everywhereConcept];

export function chunksOfNote(note: Note, project: string): Chunk[] {
  // A title that was made from the text is left out, because it would repeat it.
  const title = note.title.replace(/…$/, '').trimEnd();
  const indexed = note.text.startsWith(title) ? note.text : `${note.title}\n${note.text}`;
  const { id: sourceId, kind, rev, state, trust, pinned } = note;
  return splitText(indexed).map((text, at) => ({
    id: hashId(project, sourceId, String(rev), String(at), text, String(pinned), state, String(trust)),
    project,
    source: 'note',
    sourceId,
    kind,
    origin: originOfNote(note),
    trust,
    agent: 'backstory',
    agentSession: '',
    turn: '',
    branch: '',
    at: Date.parse(note.updated) || 0,
    paths: note.files,
    concepts: conceptsOf(note),
    pinned,
    ...(note.topic === undefined ? {} : { topic: note.topic }),
    text,
  }));
}

/** The lookbehind lets a match begin only at the start of a path; otherwise long lines would take quadratic time. */
const pathLike =
  /(?<![\w@.-]|[\w@.-]\/)(?:(?:[\w@.-]+\/)+[\w.-]+\.\w{1,8}|[\w-]{2,}\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|cc?|cpp|hh?|hpp|sql|md|json|ya?ml|toml|sh|css|html|vue|svelte|swift|scala|ex|exs|zig|lua)\b)/g;
const maxPaths = 20;
const maxSearchedLength = 20_000;

export function pathsInText(text: string): string[] {
  return [...new Set(text.slice(0, maxSearchedLength).match(pathLike) ?? [])].slice(0, maxPaths);
}
