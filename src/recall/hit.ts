import type { Chunk, ChunkFilter } from '../domain/chunk.ts';
import type { NoteState } from '../domain/note.ts';
import type { AgentSession, Drift, FailedPath, Observation } from '../wire/answers/memory.ts';

export interface RecallQuery extends ChunkFilter {
  /** The question. If it is empty, recall lists what matches the filter: see `listByFilter`. */
  text: string;
  /** The same question in other words, at most `maxWordings`. They are one question: one ranking, one page. */
  wordings?: string[];
  /** Without a limit, the answer has as many hits as are good, and at most `defaultLimit`. */
  limit?: number;
  offset?: number;
  /**
   * The session of the agent that asks; several if it is one of them. Their current turns are no hits, because the prompt
   * that an agent answers resembles its question, and the agent has just read it.
   */
  askingSessions?: string[];
  /** Time of the question. The current turn of `askingSessions` is one of the last hours. */
  now?: number;
}

export const filterOf = (query: RecallQuery): ChunkFilter =>
  Object.fromEntries(Object.entries(query).filter(([name]) => !ofQuestion.has(name)));

const ofQuestion = new Set(['text', 'wordings', 'limit', 'offset', 'askingSessions', 'now']);

/** A ranked chunk with the parts of its score. */
export interface Hit extends Partial<NoteStanding> {
  id: string;
  chunk: Chunk;
  preview: string;
  /**
   * The rank of the hit in each search method (arm) that found it, from 1. `lexical`: by words. `tail`: by words, in
   * events that are not indexed yet. `dense`: by embedding.
   */
  ranks: { lexical?: number; tail?: number; dense?: number };
  score: number;
  /** How much each signal contributed to the score, before the factor for the author of the text is applied. */
  why: Record<string, number>;
  /** The agent session of which the hit is the summary. */
  session?: Pick<AgentSession, 'id' | 'title' | 'end'>;
  /** Set if the hit is a whole turn. */
  observation?: Observation;
  /** Superseded statements on the topic of a note, newest first. */
  earlier?: Chunk[];
  /** Other events and notes with the same text. */
  copies?: Chunk[];
  /** State of the code to which it refers; absent if it was not checked. */
  drift?: Drift;
}

/** Whether a note holds, as every surface says it. Of a hit it is set if the hit is a note of this machine. */
export interface NoteStanding {
  state: NoteState;
  /** What closed it: a statement, or the id of an event or `user` without a text. Set if it is superseded. */
  closedBy?: HitStatement;
  /** The later statement that may have changed it. */
  changedBy?: HitStatement;
  /** What had closed it was forgotten; it may have changed since. ISO 8601. */
  doubtedSince?: string;
}

export interface HitStatement {
  id: string;
  text: string;
  /** ISO 8601. */
  at: string;
}

export type ArmState = 'answered' | 'empty' | 'failed' | 'unused';

/** `weak`: the best hit is only the nearest one and probably does not answer the question. */
export type MatchQuality = 'good' | 'weak' | 'none';

export interface RecallAnswer {
  hits: Hit[];
  match: MatchQuality;
  arms: { lexical: ArmState; tail: ArmState; dense: ArmState };
  /** True if some of the newest events could not be searched. */
  incomplete: boolean;
  truncated: boolean;
  /** The sessions of a list of sessions, newest first, or those of the hits, best first. */
  sessions?: AgentSession[];
  /** In a list of notes or sessions: how many there are on all pages. */
  total?: number;
  /** How many notes a list leaves out because they no longer hold. */
  closed?: number;
  /** The last work here: the question asked for it, or there was none. */
  recap?: string[];
  /** Reverted changes to the files that the question is about; absent if they were not looked up. */
  failedPaths?: FailedPath[];
  /** Set if the project has joined a team: whether its server took part in the answer. */
  team?: TeamState;
}

export interface TeamState {
  name: string;
  /**
   * `silent`: the server was unreachable or too slow. `refused`: it does not accept this machine. `not-asked`: there was
   * no question, or capture is off here. In all three cases the team's hits come from the local copy.
   */
  state: 'answered' | 'silent' | 'refused' | 'not-asked';
  /** When the local copy was last brought up to date; absent if it never was. */
  syncedAt?: string;
}

/** Maximum length of a line for a text, and of the passage of a hit, in characters. */
export const previewLimit = 200;
export const hitPreviewLimit = 300;
export const defaultLimit = 20;
export const limitCap = 100;
export const maxWordings = 8;
export const maxWordingLength = 200;

/** Wordings without blank ones: models fill in fields that they do not need. */
export const givenWordings = (wordings: string[] = []): string[] =>
  wordings.map((one) => one.trim()).filter((one) => one !== '');
