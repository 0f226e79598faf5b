import type { Chunk, ChunkFilter } from '../domain/chunk.ts';
import type { Edit } from '../domain/edit.ts';
import type { Quote } from '../domain/failed-path.ts';
import type { Evidence } from '../recall/evidence.ts';
import { quoteOf } from '../recall/quote.ts';
import { sentencesOf } from '../text/decisions.ts';
import { rejectionsIn } from '../text/rejections.ts';

/** The reason for an edit, as quotes from its turn. */
export interface Reason {
  prompt?: Quote;
  decisions: Quote[];
  rejected: Quote[];
  /** The agent's own summary of its work. */
  account?: Quote;
  /** Commands that failed in the turn, after the edit. */
  failures: Quote[];
}

const maxDecisions = 3;
const maxRejected = 3;
const maxFailures = 2;
const maxAnswers = 30;

export async function reasonOf(edit: Edit, evidence: Evidence): Promise<Reason> {
  const { agentSession, turn, at } = edit;
  const inSession: ChunkFilter = { agentSession };
  const inTurn: ChunkFilter = turn === '' ? { ...inSession, until: at } : { ...inSession, turn };
  const [prompt] = await evidence.chunks(
    { ...inTurn, kinds: ['prompt'] },
    1,
    turn === '' ? 'newest' : 'oldest',
  );
  const answers =
    turn === '' ? [] : await evidence.chunks({ ...inTurn, kinds: ['answer'] }, maxAnswers, 'oldest');
  const decided =
    turn === '' ? [] : await evidence.chunks({ ...inTurn, kinds: ['decision'] }, maxDecisions, 'oldest');
  // If this turn has no decision, use those of earlier turns: a prompt like "do that" carries out an earlier one.
  const decisions =
    decided.length > 0
      ? decided
      : await evidence.chunks({ ...inSession, kinds: ['decision'], until: at }, maxDecisions);
  const commands =
    turn === ''
      ? []
      : await evidence.chunks({ ...inTurn, kinds: ['command'], since: at }, maxAnswers, 'oldest');
  const account = lastAnswer(answers);
  const known = new Set(decisions.map(({ text }) => text));
  const rejected = [...(prompt === undefined ? [] : [prompt]), ...answers].flatMap((chunk) =>
    rejectionsIn(chunk.text)
      .filter((sentence) => !known.has(sentence))
      .map((sentence) => ({ ...quoteOf(chunk), text: sentence })),
  );
  return {
    ...(prompt === undefined ? {} : { prompt: quoteOf(prompt) }),
    decisions: decisions.map(quoteOf),
    rejected: rejected.slice(0, maxRejected),
    ...(account === undefined ? {} : { account }),
    failures: commands
      .filter(({ isFailed }) => isFailed === true)
      .slice(0, maxFailures)
      .map(quoteOf),
  };
}

const maxAccountLength = 400;

/** The start of the last answer, where agents say what they did. */
function lastAnswer(answers: Chunk[]): Quote | undefined {
  const last = answers.at(-1);
  const first = last && answers.find(({ sourceId }) => sourceId === last.sourceId);
  if (first === undefined) return undefined;
  const text = sentencesOf(first.text).join(' ').slice(0, maxAccountLength);
  return text === '' ? undefined : { ...quoteOf(first), text };
}
