import { type Chunk, type ChunkFilter, isSetAside } from '../domain/chunk.ts';
import type { Edit } from '../domain/edit.ts';
import type { Quote } from '../domain/failed-path.ts';
import type { Evidence } from '../recall/evidence.ts';
import { promptOf, quoteOf } from '../recall/failed-paths.ts';
import { typedSentences } from '../text/sentences.ts';
import type { Reason } from '../wire/answers/memory.ts';

const maxDecisions = 3;
const maxRejected = 3;
const maxFailures = 2;
const maxAnswers = 30;

export async function reasonOf(edit: Edit, evidence: Evidence): Promise<Reason> {
  const { agentSession, turn, at } = edit;
  const inSession: ChunkFilter = { agentSession };
  const inTurn: ChunkFilter = turn === '' ? { ...inSession, until: at } : { ...inSession, turn };
  const prompt = await promptOf(edit, evidence);
  const answers =
    turn === '' ? [] : await evidence.chunks({ ...inTurn, kinds: ['answer'] }, maxAnswers, 'oldest');
  const commands =
    turn === ''
      ? []
      : await evidence.chunks({ ...inTurn, kinds: ['command'], since: at }, maxAnswers, 'oldest');
  const account = lastAnswer(answers);
  const statements = await statementsOf(edit, evidence);
  return {
    ...(prompt === undefined ? {} : { prompt: quoteOf(prompt) }),
    decisions: statements
      .filter(({ kind }) => kind !== 'failed')
      .slice(0, maxDecisions)
      .map(quoteOf),
    rejected: statements
      .filter(({ kind }) => kind === 'failed')
      .slice(0, maxRejected)
      .map(quoteOf),
    ...(account === undefined ? {} : { account }),
    failures: commands
      .filter(({ isFailed }) => isFailed === true)
      .slice(0, maxFailures)
      .map(quoteOf),
  };
}

/** Notes that were kept of what was said in the turn of an edit. */
async function statementsOf({ agentSession, turn }: Edit, evidence: Evidence): Promise<Chunk[]> {
  if (turn === '') return [];
  const said = [...(await evidence.statements()).values()]
    .flat()
    .filter(({ row }) => row?.agentSession === agentSession && row.turn === turn);
  return [...new Set(said.map(({ note }) => note))].filter(
    (note) => note.kind !== 'open' && note.trust >= 2 && !isSetAside(note),
  );
}

const maxAccountLength = 400;

/** The start of the last answer, where agents say what they did. */
function lastAnswer(answers: Chunk[]): Quote | undefined {
  const last = answers.at(-1);
  const first = last && answers.find(({ sourceId }) => sourceId === last.sourceId);
  if (first === undefined) return undefined;
  const text = typedSentences(first.text).join(' ').slice(0, maxAccountLength);
  return text === '' ? undefined : { ...quoteOf(first), text };
}
