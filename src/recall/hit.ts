import type { z } from 'zod';
import type { Chunk, ChunkFilter } from '../domain/chunk.ts';
import type { Hit as AnsweredHit, recallFields } from '../wire/answers/memory.ts';

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
  Object.fromEntries(Object.entries(query).filter(([name]) => !Object.hasOwn(ofQuestion, name)));

/** The fields of a query that are no filter. A field that is missing here does not compile. */
const ofQuestion: Record<Exclude<keyof RecallQuery, keyof ChunkFilter>, true> = {
  text: true,
  wordings: true,
  limit: true,
  offset: true,
  askingSessions: true,
  now: true,
};

/** A ranked chunk with the parts of its score; in an answer its fields and those of the chunk are one object. */
export interface Hit
  extends Omit<AnsweredHit, Exclude<keyof Chunk, 'id'> | 'earlier' | 'copies' | 'missing'> {
  chunk: Chunk;
  /** Superseded statements on the topic of a note, newest first. */
  earlier?: Chunk[];
  /** Other events and notes with the same text. */
  copies?: Chunk[];
}

export type RecallAnswer = z.infer<z.ZodObject<typeof recallFields>> & { hits: Hit[] };
export const countOf = ({ hits, sessions }: Pick<RecallAnswer, 'hits' | 'sessions'>): number =>
  (sessions ?? hits).length;
export type ArmState = RecallAnswer['arms']['dense'];
export type MatchQuality = RecallAnswer['match'];
/** In all states but `answered` the team's hits come from the local copy. */
export type TeamState = NonNullable<RecallAnswer['team']>;

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
