import { type Chunk, isSetAside } from '../domain/chunk.ts';

/**
 * The weight of each signal in recall's ranking, relative to the best word match, which counts 1. Fitted to questions
 * about real sessions of public projects, of which `recall-wordings` asks the development half.
 */
export const rankingWeights = {
  meaning: 0.9,
  /** Share of the best similarity that is subtracted from each, because unrelated texts have some similarity too. */
  contrast: 0.3,
  /** Similarity of the best passage of a chunk to the words of the question, word by word; and its own contrast. */
  passage: 1.1,
  passageContrast: 0.6,
  /** Terms that are adjacent in the question and also close to each other in the text. */
  pairs: 0.3,
  /** Who wrote a text, and what kind of text it is. See `kindScore`. */
  kind: 1,
  reason: 0.3,
  /** A text that contains the whole of a question that is a single name: more than all other signals together. */
  name: 5,
  /** Subtracted for the length of a text: a page contains every word of a question somewhere. */
  length: 0.5,
  /** Share of an answer's score that is added to its prompt, and of a prompt's to its answer. */
  answerToPrompt: 0.25,
  promptToAnswer: 0.1,
  /** Share of an answer's score that is added to the next prompt, in which the user reacts to it. */
  answerToNextPrompt: 0.15,
};

const maxNarration = 250;
const narration =
  /^(?:(?:ok(?:ay)?|perfect|great|good|excellent|now|next|first|then)\b[\s,.!]*)*(?:let me|let's|i'll|i will|i'm going to|i need to|now|next)\b|:\s*$/i;

/** Whether an agent announces its next step in a short message: "Let me look at…", "Now I'll update the tests:". */
export const isNarration = ({ kind, text }: Pick<Chunk, 'kind' | 'text'>): boolean =>
  kind === 'answer' && text.length < maxNarration && narration.test(text.trim());

/** Users settle things, agents explain them. Commands and edits are found by the messages around them. */
const kindScores = {
  statement: 0.8,
  /** What was observed of a command in all its runs. */
  observedCommand: 0.8,
  reviewedNote: 0.8,
  answer: 0.45,
  unreviewedNote: 0.4,
  question: 0.25,
  commit: 0.2,
  summary: -0.3,
  setAside: -0.5,
  work: -0.6,
};

export function kindScore(chunk: Chunk): number {
  const { kind, source, origin, text } = chunk;
  if (isSetAside(chunk)) return kindScores.setAside;
  if (kind === 'summary') return kindScores.summary;
  if (source === 'note') return chunk.trust >= 2 ? kindScores.reviewedNote : kindScores.unreviewedNote;
  if (kind === 'command' || kind === 'edit') return kindScores.work;
  if (kind === 'fact') return kindScores.observedCommand;
  if (kind === 'commit') return kindScores.commit;
  if (origin === 'user' || kind === 'prompt')
    return /\?\s*$/.test(text) ? kindScores.question : kindScores.statement;
  return kindScores.answer;
}

const reasons =
  /\b(?:because|since|so that|due to|otherwise|the reasons?|in order to|to avoid|avoids|that way|weil|damit|sonst|denn|parce que|porque|потому|чтобы|тому що)\b|因为|ため/iu;

export const givesReason = (text: string): boolean => reasons.test(text);
