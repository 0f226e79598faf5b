import { type Chunk, type ChunkFilter, isSetAside, planConcept } from '../domain/chunk.ts';
import type { Edit } from '../domain/edit.ts';
import { chosenIn } from '../domain/event.ts';
import type { Evidence } from '../recall/evidence.ts';
import { isRequest, promptsOf, quoteOf } from '../recall/failed-paths.ts';
import { typedBlocks, typedText } from '../text/prompt-blocks.ts';
import { typedSentences } from '../text/sentences.ts';
import { requestTitle, standsAlone, wordsOf } from '../text/session-title.ts';
import type { Quote, Reason } from '../wire/answers/memory.ts';

const maxDecisions = 3;
const maxRejected = 3;
const maxFailures = 2;
const maxCommands = 30;

/** Why an edit was made, from its turn. `title` is that of its session. */
export async function reasonOf(edit: Edit, evidence: Evidence, title: string): Promise<Reason> {
  const { agentSession, turn, at } = edit;
  const inTurn = async (filter: ChunkFilter, limit: number, order?: 'oldest'): Promise<Chunk[]> =>
    turn === '' ? [] : evidence.chunks({ agentSession, turn, ...filter }, limit, order);
  const prompts = await promptsOf(edit, evidence);
  const prompt = prompts.find(isRequest);
  const answers = await answeredBy(prompt, evidence);
  const [last] = await inTurn({ kinds: ['answer'] }, 1);
  const account = last && accountIn((await evidence.chunksOf(last.sourceId))[0] ?? last);
  const commands = await inTurn({ kinds: ['command'], since: at }, maxCommands, 'oldest');
  const statements = await statementsOf(edit, evidence);
  const kept = (isFailed: boolean) => statements.filter(({ kind }) => (kind === 'failed') === isFailed);
  return {
    ...nameOf(prompt, title),
    ...(prompt === undefined ? {} : { prompt: { ...quoteOf(prompt), text: saidIn(prompt) } }),
    ...(answers === undefined ? {} : { answers }),
    decisions: [...prompts.flatMap(settledBy), ...kept(false).map(quoteOf)].slice(0, maxDecisions),
    rejected: kept(true).slice(0, maxRejected).map(quoteOf),
    ...(account === undefined ? {} : { account }),
    // A command without an exit code was refused or interrupted: nothing failed.
    failures: commands
      .filter(({ isFailed, text }) => isFailed === true && !text.startsWith('failed\n'))
      .slice(0, maxFailures)
      .map(quoteOf),
  };
}

const isPlan = ({ concepts }: Chunk): boolean => concepts.includes(planConcept);

const saidIn = (prompt: Chunk): string => (isPlan(prompt) ? prompt.text : typedText(prompt));

/** What the turn was for, in one line: its prompt, after the title of its session. A plan has a title of its own. */
function nameOf(prompt: Chunk | undefined, title: string): Pick<Reason, 'name' | 'title'> {
  if (prompt === undefined) return title === '' ? {} : { name: title, title };
  const own = requestTitle({ text: prompt.text, isPlan: isPlan(prompt) }).title;
  if (title === '' || isPlan(prompt)) return { name: own };
  return title.includes(own) ? { name: title } : { name: `${title}: ${own}`, title };
}

/** What the agent had said last when the user wrote a prompt that says too little alone. */
async function answeredBy(prompt: Chunk | undefined, evidence: Evidence): Promise<Quote | undefined> {
  if (prompt === undefined || isPlan(prompt) || standsAlone(wordsOf(prompt))) return undefined;
  const { agentSession, at } = prompt;
  const [last] = await evidence.chunks({ agentSession, kinds: ['answer'], until: at - 1 }, 1);
  if (last === undefined) return undefined;
  const blocks = typedBlocks((await evidence.chunksOf(last.sourceId)).at(-1) ?? last);
  const text = blocks.slice(standsAlone(blocks.at(-1) ?? '') ? -1 : -2).join('\n\n');
  return text === '' ? undefined : { ...quoteOf(last), text };
}

/** An option of a dialog that the user chose, and a plan that they accepted. */
function settledBy(prompt: Chunk): Quote[] {
  const text = isPlan(prompt)
    ? requestTitle({ text: prompt.text, isPlan: true }).title
    : chosenIn(prompt.text);
  return text === undefined ? [] : [{ ...quoteOf(prompt), text }];
}

/** Notes that were kept of what was said in the turn of an edit. What nobody has reviewed is left out. */
async function statementsOf({ agentSession, turn }: Edit, evidence: Evidence): Promise<Chunk[]> {
  if (turn === '') return [];
  const said = [...(await evidence.statements()).values()]
    .flat()
    .filter(({ row }) => row?.agentSession === agentSession && row.turn === turn);
  return [...new Set(said.map(({ note }) => note))].filter((note) => note.kind !== 'open' && isHeld(note));
}

/** Whether a note is still valid, and was said or approved by the user. What nobody has reviewed is not. */
export const isHeld = (note: Chunk): boolean =>
  note.trust >= 2 && !isSetAside(note) && !note.concepts.includes('candidate');

const maxAccountLength = 400;

/** The start of an answer, where agents say what they did. */
function accountIn(answer: Chunk): Quote | undefined {
  const text = typedSentences(answer.text).join(' ').slice(0, maxAccountLength);
  return text === '' ? undefined : { ...quoteOf(answer), text };
}
