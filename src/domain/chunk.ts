import { type AgentName, type EventKind, isDialog, type Origin, type Trust } from './event.ts';
import type { MemorySource } from './memory.ts';
import type { NoteKind } from './note.ts';
import type { ObservationType } from './observation.ts';

export type ChunkKind = EventKind | NoteKind | ObservationType;

/** An indexed slice of an event or a note. */
export interface Chunk {
  /** Hash of the chunk's content and source, so that a rebuilt index has the same ids. */
  id: string;
  project: string;
  source: 'event' | 'note';
  /** The event or note of which the chunk is a slice. */
  sourceId: string;
  kind: ChunkKind;
  origin: Origin;
  trust: Trust;
  agent: AgentName;
  agentSession: string;
  turn: string;
  branch: string;
  at: number;
  paths: string[];
  concepts: string[];
  pinned: boolean;
  /** Set only for a command that failed. */
  isFailed?: true;
  /** What the statement of a note is about. It is searched together with the text. */
  topic?: string;
  /** Set for a memory of a team, and for a teammate's note when it is shown. */
  team?: TeamSource;
  text: string;
}

/** Where a hit of recall comes from, if it is a team's. */
export interface TeamSource {
  /** Name of the team's project. */
  name: string;
  source: MemorySource;
  author: string;
  /** The hit comes from the server's answer, and this machine does not have it as it is now. */
  isOnServer?: true;
}

/** The text whose meaning is compared: the topic of a chunk, if it has one, and its own text. */
export const searchedText = ({ topic = '', text }: Pick<Chunk, 'topic' | 'text'>): string =>
  topic === '' ? text : `${topic}\n${text}`;

/** The text whose words are indexed. A note is also found by the name of its kind: "decisions about signing in". */
export const indexedText = (
  chunk: Pick<Chunk, 'topic' | 'text'> & { source: string; kind: string },
): string =>
  chunk.source === 'note' && chunk.kind !== 'summary'
    ? `${chunk.kind}\n${searchedText(chunk)}`
    : searchedText(chunk);

/** States of notes that are no longer valid. */
export const asideStates = ['superseded', 'archived'] as const;

/** How the concept begins that says who disputes a note: `disputed by eve on 2026-11-17`. */
const disputeMark = 'disputed by ';
export const disputeConcept = (name: string, day: string): string => `${disputeMark}${name} on ${day}`;
export const isDisputeConcept = (concept: string): boolean => concept.startsWith(disputeMark);

/** Whether it is what a person chose or answered when an agent asked: a decision of the record. */
export const isChoice = ({ kind, trust, text }: Pick<Chunk, 'kind' | 'trust' | 'text'>): boolean =>
  kind === 'prompt' && trust >= 2 && isDialog({ text });

/**
 * Whether the chunk belongs to a superseded or archived note, or to a teammate's note that somebody in the team
 * disputes. The index stores the state of a note among its concepts.
 */
export const isSetAside = ({
  source,
  origin,
  concepts,
}: Pick<Chunk, 'source' | 'origin' | 'concepts'>): boolean =>
  source === 'note' &&
  (asideStates.some((state) => concepts.includes(state)) ||
    (origin === 'teammate' && concepts.some(isDisputeConcept)));

/** Whether it is a text by a teammate, or from the team's sources, that the user has not accepted. */
export const isUnreviewedTeamText = ({ source, origin, trust }: Chunk): boolean =>
  origin === 'teammate' && source === 'note' && trust < 2;

export const authorConcept = 'by ';
/** The concept of a prompt that is a plan of the agent, which the user accepted. */
export const planConcept = 'plan';

/** The concept of a prompt of which a person can say whether it is theirs, and has not been asked. */
export const unconfirmedConcept = 'unconfirmed';

export const everywhereConcept = 'everywhere';

export interface ChunkFilter {
  kinds?: ChunkKind[];
  /** Only recall uses it: the texts of a turn are one hit, its observation. */
  observations?: true;
  /** A path, or the end of one: `worker.ts` matches `src/worker.ts`. */
  file?: string;
  /** If set, only chunks about files in this folder match. Useful in monorepos. */
  folder?: string;
  concept?: string;
  /** Only notes whose topic contains this. Case does not matter. */
  topic?: string;
  agent?: AgentName;
  agentSession?: string;
  turn?: string;
  branch?: string;
  since?: number;
  until?: number;
  minTrust?: Trust;
  source?: Chunk['source'];
  pinned?: boolean;
  /** Whether only texts of a team that the user has not accepted match, or all others. */
  unreviewedTeamText?: boolean;
}

/** A chunk with its similarity to each vector of a query. */
export interface NearChunk {
  chunk: Chunk;
  scores: number[];
}

export interface ScoredChunk {
  chunk: Chunk;
  /** The higher the score, the better. Scores are comparable only within one answer of one store. */
  score: number;
}
