import { localTime } from '../../base/clock.ts';
import { hashId } from '../../base/hash.ts';
import type { Act, Turn } from '../../distil/distiller.ts';
import { flat, isQuestion } from '../../distil/find-quote.ts';
import { type Note, shortNoteId } from '../../domain/note.ts';
import { headOf } from '../../git/repository.ts';
import { changedFiles } from '../../git/uncommitted-changes.ts';
import { isReplacement } from '../../recall/observed-commands.ts';
import type { LogIndex } from '../../store/store.ts';
import { harmlessLine } from '../../text/fence.ts';
import { surelyTyped } from '../../text/prompt-blocks.ts';
import { editedNames, isPlainName, safeName } from '../../text/safe-name.ts';
import { sessionEnd } from '../../text/session-end.ts';
import {
  describeSession,
  type SessionEvidence,
  says,
  standsAlone,
  wordsOf,
} from '../../text/session-title.ts';
import { lastTestResults } from '../../text/test-result.ts';
import { estimateTokens } from '../../text/tokens.ts';
import { truncateLine } from '../../text/truncate-line.ts';
import type { AgentSession } from '../../wire/answers/memory.ts';
import { withoutForgotten } from '../notes/distil-sessions.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { checkoutId } from '../projects/projects.ts';
import { hasUnexplainedWord } from '../redact/random-word.ts';
import { maxEvents, readRows, readSessionTurns } from '../sessions/session-turns.ts';
import {
  type PreludeLine,
  recapMaxTokens,
  recapSection,
  recapText,
  type StoredRecap,
} from './prelude-file.ts';
import { openNotes } from './prelude-notes.ts';
import { bareCommand } from './short-command.ts';

/** The last work in a working tree or on a branch, as facts. Only requests are prose, and the user typed them. */
export interface Recap extends Pick<StoredRecap, 'branch' | 'checkout' | 'head' | 'at'> {
  agentSession: string;
  /** What the session is called; empty if that may not be told. */
  title: string;
  /** Of the prompts that say what to do, in order, the blocks that the user surely typed; empty if there are none. */
  asked: string[];
  files: string[];
  commits: string[];
  checks: { command: string; isFailed: boolean; isEditedSince: boolean }[];
  end: string;
  /** Those of the files that are not committed, and when that was looked up. */
  uncommitted?: { files: string[]; at: number };
  open: Note[];
  event: string;
}

/** So many branches, and further working trees. */
const maxBranches = 4;
const maxRecaps = 8;
const maxSessions = 60;
const maxEdits = 200;
const statusTimeoutMs = 2_000;

/**
 * The last work in each working tree and on each branch, newest first, however long ago it was. A session counts if the
 * user asked for something in it, or work was done: a greeting or a command of the agent alone does not.
 */
export async function recentWork(
  { log, notes, device }: Pick<OpenProject, 'log' | 'notes' | 'device'>,
  index: LogIndex,
  { now, root = '' }: { now: number; root: string | undefined },
): Promise<Recap[]> {
  const recaps: Recap[] = [];
  const all = await notes.list();
  const head = (root === '' ? undefined : headOf(root)) ?? '';
  const changed = head === '' ? undefined : await changedFiles(root, statusTimeoutMs);
  for (const known of index.sessions.list({}, maxSessions)) {
    if (recaps.length === maxRecaps) break;
    const { id: agentSession, branch, lastAt: at } = known;
    const checkout = await checkoutOf(log, index, agentSession);
    const isKnownTree = recaps.some((other) => other.checkout === checkout);
    const isKnownBranch = branch === '' || recaps.some((other) => other.branch === branch);
    if (isKnownTree && (isKnownBranch || recaps.length >= maxBranches)) continue;
    const read = await readSessionTurns(log, index, agentSession);
    const { turns } = await withoutForgotten({ index, device }, read);
    // Without the summary, because what a model wrote about a session is told to none.
    const facts = factsOf(turns, describeSession(known));
    if (facts === undefined) continue;
    const edits = await index.list({ kinds: ['edit'], agentSession }, maxEdits);
    const files = [...new Set(edits.flatMap(({ paths }) => paths))].filter(isInside);
    const isSeen = changed !== undefined && files.length > 0 && checkout === checkoutId(root);
    const events = new Set(turns.flatMap(({ prompt }) => prompt?.event ?? []));
    recaps.push({
      ...facts,
      ...{ agentSession, branch, checkout, at, head, files, end: endOf(known, turns) },
      ...(isSeen ? { uncommitted: { files: files.filter((file) => changed.includes(file)), at: now } } : {}),
      open: openNotes(all).filter(({ derivedFrom }) => derivedFrom.some((event) => events.has(event))),
    });
  }
  return recaps;
}

/** Of its last event, which is read alone: most sessions are not told. */
async function checkoutOf(log: OpenProject['log'], index: LogIndex, agentSession: string): Promise<string> {
  const last = (await index.eventsOfSession(agentSession, maxEvents)).slice(-1);
  return [...readRows(log, last).values()][0]?.checkout ?? '';
}

const isInside = (path: string): boolean => !/^(?:[/~]|\w:|\.\.)/.test(path);

const lastAnswerIn = (turns: Turn[]): string =>
  turns.flatMap(({ acts }) => acts.flatMap((act) => (act.kind === 'answer' ? [act.text] : []))).at(-1) ?? '';

const ended = 'it ended with an answer of the agent';

/** Where it stopped; empty if that is not known, because no answer was reported. */
export function endOf(
  { answers, lastPromptAt, lastAnswerAt, lastToolAt }: SessionEvidence,
  turns: Turn[],
): string {
  if (answers === 0) return '';
  if (lastPromptAt > Math.max(lastAnswerAt, lastToolAt)) return 'the last request has no answer';
  if (lastToolAt > lastAnswerAt) return 'it stopped before the last request was answered';
  return isQuestion(lastAnswerIn(turns))
    ? 'it ended with a question of the agent, which is not answered'
    : ended;
}

type Facts = Pick<Recap, 'title' | 'asked' | 'commits' | 'checks' | 'event'>;

/** What the turns of a session show; undefined if the user asked for nothing in it, and nothing was done. */
export function factsOf(
  turns: Turn[],
  { title, titleBy }: Pick<AgentSession, 'title' | 'titleBy'> = { title: '', titleBy: 'record' },
): Facts | undefined {
  const prompts = turns.flatMap(({ prompt }) =>
    prompt === undefined || prompt.asked !== undefined ? [] : [prompt],
  );
  const acts = turns.flatMap((turn) => turn.acts);
  const requests = prompts.filter((prompt) => says(wordsOf(prompt)));
  const first = requests[0] ?? prompts[0];
  const isWork = requests.length > 0 || acts.some(({ kind }) => kind === 'edit' || kind === 'command');
  if (first === undefined || !isWork) return undefined;
  const quotable = (prompt: NonNullable<Turn['prompt']>): string => {
    const text = prompt.isPlan === true ? '' : surelyTyped(prompt).join('\n');
    return hasUnexplainedWord(text) ? '' : text;
  };
  const asked = requests.map(quotable);
  // A name from a prompt of which a part may be pasted has to pass for one, like an agent's.
  const [words = ''] = titleBy === 'record' ? title.split('; ') : [title.replace(/…$/, '')];
  const isOwn = titleBy !== 'agent' && [...asked, ''].some((text) => flat(text).startsWith(flat(words)));
  const isName = isOwn || canBeName(title);
  return {
    title: isName && !hasUnexplainedWord(title) ? title : '',
    asked,
    commits: sessionEnd(acts.filter(isRun), []).commits.map(({ hash }) => hash.slice(0, 9)),
    checks: checksIn(acts),
    event: first.event,
  };
}

const isRun = (act: Act): act is Extract<Act, { kind: 'command' }> => act.kind === 'command';

/** The last result of each check. One that failed is left out if its program, or another one for the same, passed later. */
function checksIn(acts: Act[]): Recap['checks'] {
  return lastTestResults(acts.filter(isRun)).flatMap(({ command: written, result, event }) => {
    const command = bareCommand(`$ ${written}`);
    const isFailed = result === 'failed';
    // The run itself neither edits nor fixes anything.
    const later = acts.slice(acts.findIndex((act) => act.event === event));
    const isFixed = later.some(
      (act) =>
        isRun(act) &&
        act.ok &&
        (startOf(act.command) === startOf(written) || isReplacement(wordsIn(written), wordsIn(act.command))),
    );
    const isEditedSince = later.some((act) => act.kind === 'edit' && isInside(act.path));
    return /^(?:…|$)/.test(command) || (isFailed && isFixed) ? [] : [{ command, isFailed, isEditedSince }];
  });
}

const wordsIn = (command: string): string[] => command.split(/[\s;&|#]+/);

/** Such as `cargo fmt`. */
const startOf = (command: string): string => bareCommand(`$ ${command}`).split(' ', 2).join(' ');

const maxNameWords = 12;
const maxNameLength = 70;
/** The names of files and branches have at most so many words. */
const nameWindow = 6;

/**
 * Whether a title that an agent wrote can pass for a name: it is short, no sentence, and its words neither address a
 * reader nor give an order.
 */
function canBeName(title: string): boolean {
  const words = title.replace(/^Plan: /, '').match(/[\w-]+/g) ?? [];
  // One word could be any that a tool printed.
  const isNamed = /\s|\P{ASCII}/u.test(title.replace(/^Plan: /, ''));
  const isShort = isNamed && title.length <= maxNameLength && words.length <= maxNameWords;
  if (!isShort || /[.!?。！？](?:\s|$)/.test(title)) return false;
  // An order may stand anywhere in it.
  return words.every((_, at) => isPlainName(words.slice(at, at + nameWindow).join('-')));
}

/** A line of a recap in its forms, the longest first. A lower number is more important. */
interface Line {
  forms: string[];
  place: number;
  isOfHead?: true;
}

/** What a line about work elsewhere may take. */
const elsewhereTokens = 45;

/**
 * The recap in at most 150 tokens, or 400; `isBeside` leaves room for a line about work elsewhere. A
 * request that is in one of the lines `told` is named by the id of its note.
 */
export function recapLines(
  recap: Recap,
  form: 'short' | 'long',
  { isBeside = false, told: others = [] }: { isBeside?: boolean; told?: PreludeLine[] } = {},
): PreludeLine[] {
  const max = recapMaxTokens[form] - (isBeside ? elsewhereTokens : 0);
  const lines = linesOf(recap, form === 'long', others);
  const told = new Map<Line, string>();
  const texts = (): [Line, string][] =>
    lines.flatMap((line) => (told.has(line) ? [[line, told.get(line) ?? '']] : []));
  const tell = (line: Line, text: string): boolean => {
    const before = told.get(line);
    told.set(line, text);
    if (estimateTokens(recapText(texts().map(([, own]) => own)).join('\n')) <= max) return true;
    if (before === undefined) told.delete(line);
    else told.set(line, before);
    return false;
  };
  const ordered = lines.toSorted((one, other) => one.place - other.place);
  for (const line of ordered) line.forms.slice(-1).map((text) => tell(line, text));
  for (const line of ordered) line.forms.find((text) => tell(line, text));
  return texts().map(([{ isOfHead }, text]) => ({
    section: recapSection,
    event: recap.event,
    line: hashId('recap', recap.agentSession),
    reason: 'seen by Backstory, and your own words',
    text,
    ...(isOfHead && { isOfHead }),
  }));
}

function linesOf(recap: Recap, isLong: boolean, told: PreludeLine[]): Line[] {
  const { asked, title, checks, commits, end, files, uncommitted, open } = recap;
  const [few, many] = isLong ? [4, 12] : [1, 4];
  const named = (paths: string[]): string[] =>
    [many, few].map((most) => editedNames(paths, most, asked.join('\n')));
  const line = (place: number, lead: string, ...forms: string[]): Line => ({
    place,
    forms: forms.flatMap((text) => (text === '' ? [] : [harmlessLine(`${lead}${text}`, maxLineLength)])),
  });
  const [first = '', ...others] = asked;
  // A title may go on with what was done, or end before the request does.
  const [begin, whole] = [flat(first).replace(/[.。]$/, ''), flat(title).replace(/…$/, '')];
  const called = begin !== '' && (whole.startsWith(begin) || begin.startsWith(whole)) ? '' : title;
  // Of work that is open, the last request says what is.
  const known = others.filter((text) => text !== '');
  const telling = known.filter(standsAlone);
  const later = isLong
    ? known.slice(-3)
    : (end !== ended || telling.length === 0 ? known : telling).slice(-1);
  const failing = checks.slice(0, -1).filter(({ isFailed }) => isFailed);
  const results = [...(isLong ? checks.slice(-6, -1) : failing.slice(-1)), ...checks.slice(-1)].map(
    ({ command, isFailed, isEditedSince }) =>
      `\`${command}\` ${isFailed ? 'failed' : 'passed'}${isEditedSince ? ', not run after later edits' : ''}`,
  );
  const left =
    uncommitted === undefined || uncommitted.files.length === 0
      ? []
      : [line(4, `not committed at ${localTime(uncommitted.at)}: `, ...named(uncommitted.files))];
  return [
    line(0, '', headOfRecap(recap)),
    line(3, 'called ', ...[160, 80, 40].map((most) => quoted(truncateLine(called, most)))),
    // "yes, delete them" says nothing beside the name of the work.
    line(6, 'the user asked ', called === '' || standsAlone(first) ? quoted(first, told) : ''),
    ...later.map((text) => line(8, 'asked later ', quoted(text, told))),
    line(5, 'edited ', ...named(files)),
    line(7, 'committed ', commits.slice(isLong ? -5 : -2).join(', ')),
    line(2, 'last results: ', results.join('; '), ...results.slice(-1)),
    line(end === ended ? 9 : 1, '', end),
    ...(isLong ? open.map(({ id, text }) => line(8, 'put off: ', `"${text}" [${shortNoteId(id)}]`)) : []),
    ...left.map((one) => ({ ...one, isOfHead: true as const })),
  ];
}

const maxLineLength = 1_200;

/** The whole text, because a part of it may say the opposite; or the note that has it. */
function quoted(text: string, told: PreludeLine[] = []): string {
  if (text === '' || text.length > maxLineLength - 100) return '';
  const { note } = told.find((line) => line.note !== undefined && line.text.includes(flat(text))) ?? {};
  return note === undefined ? `"${flat(text)}"` : `[${shortNoteId(note)}]`;
}

/** When and where it was, as the recap itself begins, and as work elsewhere is mentioned. */
const headOfRecap = ({ at, branch, agentSession }: Recap): string =>
  `${localTime(at)}${branch === '' ? '' : ` on ${safeName('branch', branch)}`}, session ${agentSession.slice(0, 8)}`;

const maxBriefTitle = 60;

/** The recap in one line, for a session in another working tree or on another branch. */
export const briefRecap = (recap: Recap): string =>
  `${headOfRecap(recap)}${recap.title === '' ? '' : `, called ${quoted(truncateLine(recap.title, maxBriefTitle))}`}`;
