import { list, record, text } from '../base/json.ts';
import type { Trust } from '../domain/event.ts';
import { type Importance, importances } from '../domain/note.ts';
import { parseTopicKind, type TopicKind } from '../domain/topic-kind.ts';
import { harmless, harmlessLine } from '../text/fence.ts';
import { queryTerms } from '../text/words.ts';
import { contentTerms, hasNegation } from './polarity.ts';
import { type Said, type Source, saidByUser } from './said-by-user.ts';
import type { KnownStatement, RecordEntry, SessionRecord } from './session-record.ts';
import { isExplicit } from './user-statements.ts';

/**
 * Reads the answer of a model about one agent session: operations on the statements of the project. A statement counts
 * as the user's only if `saidByUser` finds that the user said it; every other one waits for approval.
 */
export interface Operation {
  op: 'assert' | 'amend' | 'withdraw' | 'resolve';
  kind: TopicKind;
  topic: string;
  /** The statement. Empty if it withdraws or resolves one without a word. */
  text: string;
  /** The user's words on which it rests, as typed. Empty if there are none, or if `text` is the quotation. */
  quote: string;
  /** The id of the note that it changes. */
  replaces?: string;
  /** True if that note was extracted from this session without a model. */
  isUnchecked?: true;
  /** The turn it was taken from, and its time in milliseconds since 1970. */
  turn: string;
  at: number;
  /** Ids of the events that show it. */
  evidence: string[];
  files: string[];
  importance?: Importance;
  /** Whether the user said it. */
  isVerified: boolean;
  trust: Trust;
}

/**
 * Returns undefined if the answer cannot be parsed. The source has all turns that may be used, also those that an
 * earlier call was about.
 */
export function readAnswer(answer: string, sent: SessionRecord, source: Source): Operation[] | undefined {
  const operations = operationsIn(answer);
  if (operations === undefined) return undefined;
  const sources = { ...source, sent };
  const read = operations.slice(0, maxOperations).flatMap((one) => operationOf(record(one), sources) ?? []);
  return [...read, ...withoutUnconfirmed(read, sources)];
}

/**
 * Withdraws what was extracted from the session without a model and what the model, which has read it, does not repeat:
 * most of it is an order of the moment. Explicit words ("from now on") need no second reader.
 */
function withoutUnconfirmed(read: Operation[], sources: Sources): Operation[] {
  const named = new Set(read.map(({ replaces }) => replaces));
  return [...sources.sent.statements.values()]
    .filter((one) => one.isUnchecked && !named.has(one.note) && !isExplicit(one.text))
    .flatMap((one) => closingOf('withdraw', one, { statement: '', quote: '', cited: [] }, sources) ?? []);
}

const maxOperations = 16;
const maxTextLength = 400;
const minTextLength = 8;
const maxTopicLength = 60;
const maxEvidence = 12;
const maxFiles = 8;

/** Models may put words or a code fence around the object. */
function operationsIn(answer: string): unknown[] | undefined {
  const from = answer.indexOf('{');
  const to = answer.lastIndexOf('}');
  try {
    const value: unknown = JSON.parse(answer.slice(from, to + 1));
    const { operations } = record(value);
    return Array.isArray(operations) ? operations : undefined;
  } catch {
    return undefined;
  }
}

interface Sources extends Source {
  sent: SessionRecord;
}

function operationOf(given: Record<string, unknown>, sources: Sources): Operation | undefined {
  const { sent } = sources;
  const named = sent.statements.get(text(given.replaces).trim());
  const cited = list(given.evidence).flatMap((id) => sent.entries.get(text(id)) ?? []);
  const statement = harmless(text(given.statement)).replace(/\s+/g, ' ').trim();
  const topic = harmlessLine(text(given.topic), maxTopicLength) || (named?.topic ?? '');
  const quote = text(given.quote);
  const op = text(given.op);
  const isClosing = op === 'withdraw' || op === 'resolve';
  if (isClosing) {
    const old = op === 'resolve' && named?.kind !== 'open' ? undefined : named;
    return old && closingOf(op, old, { statement, quote, cited }, sources);
  }
  const kind = parseTopicKind(text(given.kind));
  if ((op !== 'assert' && op !== 'amend') || kind === undefined || topic === '') return undefined;
  if (statement.length < minTextLength || statement.length > maxTextLength) return undefined;
  const said = saidByUser(
    { topic: plainTopic(topic), statement, quote },
    sources,
    settledOn(topic, named, sent),
  );
  // A model may name the wrong statement. If the two have no word in common, they are about different matters.
  const old = named && isRelated(named, `${topic} ${statement} ${said?.quote ?? ''}`) ? named : undefined;
  return drawn(
    {
      op: old === undefined ? 'assert' : 'amend',
      kind,
      topic,
      statement,
      importance: importances.find((known) => known === text(given.importance).trim().toLowerCase()),
      old,
      cited,
      said,
    },
    sources,
  );
}

/** The known statement that is changed, and those on the same topic. Unchecked ones are not known to be the user's. */
function settledOn(
  topic: string,
  named: KnownStatement | undefined,
  { statements }: SessionRecord,
): string[] {
  const key = topicKey(topic);
  const same = [...statements.values()].filter((one) => one === named || topicKey(one.topic) === key);
  return same.filter(({ isUnchecked }) => !isUnchecked).map((one) => one.text);
}

const topicKey = (topic: string): string => [...new Set(queryTerms(topic).terms)].sort().join(' ');

/** A dot within a name, as in `src/load.ts`, does not end a sentence. */
const plainTopic = (topic: string): string => topic.replace(/\.(?=\S)/g, '');

const isRelated = ({ topic, text: stated }: KnownStatement, words: string): boolean => {
  const known = new Set(contentTerms(`${topic} ${stated}`));
  return contentTerms(words).some((term) => known.has(term));
};

const endingWords =
  /(?<!\p{L})(?:revert|undo|undone|back|cancel|scrap|discard|delete|obsolete|forget|kill|zurück|weg|entfern|lösch|annul|supprim|elimin|quita|borra|убери|удали)/iu;

/**
 * Withdrawing needs words of the user that end something and that have a word of the statement. An open item may be
 * resolved by what was done.
 */
function closingOf(
  op: 'withdraw' | 'resolve',
  old: KnownStatement,
  { statement, quote, cited }: { statement: string; quote: string; cited: RecordEntry[] },
  sources: Sources,
): Operation | undefined {
  const said = saidByUser({ topic: '', statement: statement === '' ? quote : statement, quote }, sources, [
    `${old.topic}: ${old.text}`,
  ]);
  const words = `${said?.quote ?? ''} ${said?.text ?? ''}`;
  const isEnded =
    said?.isVerified === true && isRelated(old, words) && (hasNegation(words) || endingWords.test(words));
  const isVerified = isEnded || (op === 'resolve' && (said !== undefined || cited.length > 0));
  const told = statement.length > maxTextLength ? '' : statement;
  return drawn(
    {
      op,
      kind: old.kind,
      topic: old.topic,
      statement: told,
      old,
      cited,
      said: said && { ...said, isVerified },
    },
    sources,
    isVerified,
  );
}

interface Draft {
  op: Operation['op'];
  kind: TopicKind;
  topic: string;
  statement: string;
  importance?: Importance | undefined;
  old: KnownStatement | undefined;
  cited: RecordEntry[];
  said: Said | undefined;
}

/** Undefined if nothing that was sent shows it. */
function drawn(
  { op, kind, topic, statement, importance, old, cited, said }: Draft,
  { sent, session }: Sources,
  isVerified = said?.isVerified ?? false,
): Operation | undefined {
  const turn = said?.turn ?? cited[0]?.turn ?? (old?.isUnchecked === true ? session.turns.at(-1) : undefined);
  if (turn === undefined) return undefined;
  const told = said?.text ?? statement;
  const entries = [...cited, ...sourcesOf(told, cited, sent)];
  const events = [...(said?.events ?? []), ...entries.map(({ event }) => event)];
  return {
    op,
    kind,
    topic,
    text: told,
    quote: said?.quote ?? '',
    ...(old === undefined ? {} : { replaces: old.note }),
    ...(old?.isUnchecked === true ? { isUnchecked: true as const } : {}),
    turn: turn.id,
    at: turn.at,
    evidence: [...new Set(events)].filter((id) => id !== '').slice(0, maxEvidence),
    files: filesOf(told, cited, sent),
    ...(importance === undefined ? {} : { importance }),
    isVerified,
    trust: isVerified ? 2 : trustOf(sent),
  };
}

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
