import { list, objectIn, record, text } from '../base/json.ts';
import { askedText, type Trust } from '../domain/event.ts';
import { type Importance, importances } from '../domain/note.ts';
import { observationTypes } from '../domain/observation.ts';
import { isTopicKind, type TopicKind } from '../domain/topic-kind.ts';
import { harmless, harmlessLine } from '../text/fence.ts';
import type { SessionAccount } from '../text/session-account.ts';
import { queryTerms } from '../text/words.ts';
import { answerBefore, type SessionTurns, type Turn } from './distiller.ts';
import { type Exchange, labelOf, maxReadingLength, type Proof, proveStatement } from './prove-statement.ts';
import type { RecordEntry, SessionRecord } from './session-record.ts';

/**
 * Reads the answer of a model about one agent session: what the user said that holds beyond it. The model understands;
 * `proveStatement` says what of its answer are the user's words. Its own wordings wait for confirmation.
 */
export interface ModelStatement {
  kind: TopicKind;
  topic: string;
  proof: Proof;
  replaces?: string;
  /** The id of the note of a later session that changed or ended it, according to the model. */
  endedBy?: string;
  turn: string;
  at: number;
  evidence: string[];
  files: string[];
  importance?: Importance;
  trust: Trust;
}

const maxStatements = 16;
const minTextLength = 8;
const maxEvidence = 12;
const maxFiles = 8;

export interface ModelAnswer {
  statements: ModelStatement[];
  /** Absent if the model gave none, or one that cannot be used. */
  account?: SessionAccount & { /** Ids of the events that have its words. */ evidence: string[] };
}

/** Undefined if it cannot be parsed. `session` has all turns that may be quoted, also those of earlier calls. */
export function readAnswer(
  answer: string,
  sent: SessionRecord,
  session: SessionTurns,
): ModelAnswer | undefined {
  // The account comes last. If it is cut off, the statements before it count nevertheless.
  const { statements, account } =
    objectIn(answer) ?? objectIn(`${answer.replace(/,?\s*"account"[\s\S]*$/, '')}}`) ?? {};
  if (!Array.isArray(statements)) return undefined;
  const read = accountOf(record(account), sent);
  return {
    statements: statements
      .slice(0, maxStatements)
      .flatMap((one) => statementOf(record(one), sent, session) ?? []),
    ...(read === undefined ? {} : { account: read }),
  };
}

const maxTitleLength = 80;
const maxSummaryLength = 700;
const maxTurns = 20;

function accountOf(given: Record<string, unknown>, sent: SessionRecord): ModelAnswer['account'] {
  const title = harmlessLine(text(given.title), maxTitleLength);
  if (title === '') return undefined;
  const summary = harmlessLine(text(given.summary), maxSummaryLength);
  const turns = list(given.turns).flatMap((one) => {
    const { entry, type, title: name } = record(one);
    const turn = sent.entries.get(text(entry))?.turn.prompt?.event;
    const known = observationTypes.find((each) => each === text(type).trim().toLowerCase());
    const line = harmlessLine(text(name), maxTitleLength);
    return turn === undefined || known === undefined || line === ''
      ? []
      : [{ turn, type: known, title: line }];
  });
  const words = [title, summary, ...turns.map((one) => one.title)].join('\n');
  const evidence = sourcesOf(words, [], sent).map(({ event }) => event);
  return { title, summary, turns: turns.slice(0, maxTurns), evidence };
}

function statementOf(
  given: Record<string, unknown>,
  sent: SessionRecord,
  session: SessionTurns,
): ModelStatement | undefined {
  const kind = text(given.kind).trim().toLowerCase();
  const named = sent.statements.get(text(given.replaces).trim());
  const later = sent.statements.get(text(given.endedBy).trim()) ?? named;
  const topic = labelOf(harmlessLine(text(given.topic), 200)) ?? named?.topic ?? '';
  const reading = flat(text(given.reading));
  if (!isTopicKind(kind) || reading.length > maxReadingLength) return undefined;
  const claim = { topic, quote: text(given.quote), reading, proposal: flat(text(given.proposal)) };
  const cited = list(given.evidence).flatMap((id) => sent.entries.get(text(id)) ?? []);
  const proof = proveStatement(
    claim,
    exchangesOf(session),
    cited.map(({ turn: one }) => session.turns.indexOf(one)),
  );
  const turn = session.turns[proof.exchange] ?? cited[0]?.turn;
  if (turn === undefined || proof.text.length < minTextLength) return undefined;
  if (proof.quote + proof.proposal === '' && proof.text.length > maxReadingLength) return undefined;
  const answer = proof.proposal === '' ? undefined : answerBefore(session.turns, session.turns.indexOf(turn));
  const said = [turn.prompt?.event ?? '', answer?.event ?? ''];
  const entries = [...cited, ...sourcesOf(proof.text, cited, sent)];
  const importance = importances.find((known) => known === text(given.importance).trim().toLowerCase());
  return {
    kind,
    topic,
    proof,
    ...(named === undefined || named.isLater === true ? {} : { replaces: named.note }),
    ...(later?.isLater === true ? { endedBy: later.note } : {}),
    turn: turn.id,
    at: turn.at,
    evidence: [...new Set([...said, ...entries.map(({ event }) => event)])]
      .filter((id) => id !== '')
      .slice(0, maxEvidence),
    files: filesOf(proof.text, cited, sent),
    ...(importance === undefined ? {} : { importance }),
    trust: proof.form === 'reading' ? trustOf(sent) : 2,
  };
}

const flat = (value: string): string => harmless(value).replace(/\s+/g, ' ').trim();

const exchangesOf = ({ turns }: SessionTurns): Exchange[] =>
  turns.map(({ prompt: { text: prompt, blocks, asked, isPlan } = { text: '' } as TurnPrompt }, at) => {
    if (isPlan === true) return { prompt: '', before: '', plan: prompt };
    const said = { prompt, ...(blocks && { blocks }) };
    return asked === undefined
      ? { ...said, before: answerBefore(turns, at)?.text ?? '' }
      : { ...said, before: askedText(asked), asked };
  });

type TurnPrompt = NonNullable<Turn['prompt']>;

/** The edited files that the model cites or that the statement names. */
function filesOf(told: string, cited: RecordEntry[], { entries }: SessionRecord): string[] {
  const isNamed = ({ text: path }: RecordEntry): boolean => told.includes(path.split('/').at(-1) ?? path);
  const files = [...entries.values()].filter(
    (entry) => entry.kind === 'edit' && (cited.includes(entry) || isNamed(entry)),
  );
  return [...new Set(files.map((entry) => entry.text))].slice(0, maxFiles);
}

/** The trust of an agent's words; lower if tools were used, because their output may have shaped any of the words. */
const trustOf = ({ entries }: SessionRecord): Trust =>
  [...entries.values()].some(({ turn }) => turn.acts.some(({ kind }) => kind !== 'answer')) ? 0 : 1;

/**
 * Finds entries with words of the statement that its evidence does not have. A model may cite one entry and use
 * another. If the user forgets an entry, every statement with words of it must be deleted too.
 */
function sourcesOf(told: string, cited: RecordEntry[], { entries }: SessionRecord): RecordEntry[] {
  const evident = new Set(cited.flatMap((entry) => queryTerms(entry.text).terms));
  const others = [...entries.values()].filter((entry) => !cited.includes(entry));
  const terms = new Map(others.map((entry) => [entry, new Set(queryTerms(entry.text).terms)]));
  const missing = new Set(queryTerms(told).terms.filter((term) => !evident.has(term)));
  const found: RecordEntry[] = [];
  while (missing.size > 0 && found.length < maxEvidence) {
    const covers = (entry: RecordEntry) => [...missing].filter((term) => terms.get(entry)?.has(term));
    const best = others.toSorted((a, b) => covers(b).length - covers(a).length)[0];
    const covered = best === undefined ? [] : covers(best);
    if (best === undefined || covered.length === 0) break;
    found.push(best);
    for (const term of covered) missing.delete(term);
  }
  return found;
}
