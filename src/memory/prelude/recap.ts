import { isoDay, isoTime } from '../../base/clock.ts';
import { hashId } from '../../base/hash.ts';
import type { Act, Turn } from '../../distil/distiller.ts';
import { flat, isQuestion } from '../../distil/find-quote.ts';
import { type Note, shortNoteId } from '../../domain/note.ts';
import { headOf } from '../../git/repository.ts';
import { changedFiles } from '../../git/uncommitted-changes.ts';
import { isReplacement } from '../../recall/observed-commands.ts';
import type { LogIndex } from '../../store/store.ts';
import { harmlessLine } from '../../text/fence.ts';
import { typedText } from '../../text/prompt-blocks.ts';
import { editedNames, isPlainName, safeName } from '../../text/safe-name.ts';
import { typedSentences } from '../../text/sentences.ts';
import { sessionEnd } from '../../text/session-end.ts';
import { type SessionEvidence, says, sessionTitle } from '../../text/session-title.ts';
import { lastTestResults } from '../../text/test-result.ts';
import { estimateTokens } from '../../text/tokens.ts';
import { queryTerms } from '../../text/words.ts';
import { withoutForgotten } from '../notes/distil-sessions.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { checkoutId } from '../projects/projects.ts';
import { hasUnexplainedWord } from '../redact/random-word.ts';
import { readSessionTurns } from '../sessions/session-turns.ts';
import {
  type PreludeLine,
  recapForMs,
  recapMaxTokens,
  recapSection,
  recapText,
  type StoredRecap,
} from './prelude-file.ts';
import { openNotes } from './prelude-notes.ts';
import { bareCommand } from './short-command.ts';

/** The last work on a branch or in a working tree, as facts. Only requests are prose, and the user typed them. */
export interface Recap extends Pick<StoredRecap, 'branch' | 'checkout' | 'head' | 'at'> {
  agentSession: string;
  /** The prompts of the user that say what to do, in order. */
  asked: string[];
  /** The beginning of the first, if all of its sentences are too long; empty if it may not be told. */
  title: string;
  /** The heading of the agent's plan that the user accepted. */
  plan: string;
  files: string[];
  /** If it edited nothing, the files of the session before. */
  before?: { at: number; files: string[] };
  commits: string[];
  checks: { command: string; isFailed: boolean; isEditedSince: boolean }[];
  end: string;
  /** Those of the files that are not committed, and when that was looked up. */
  uncommitted?: { files: string[]; at: number };
  open: Note[];
  event: string;
}

const maxRecaps = 4;
const maxSessions = 20;
const maxEdits = 200;
const statusTimeoutMs = 2_000;

/**
 * The last work on each of the branches that were used last, newest first. A session counts if the user asked for
 * something in it, or work was done: a greeting or a command of the agent alone does not.
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
  for (const known of index.sessions.list({ since: now - recapForMs }, maxSessions)) {
    const { id: agentSession, branch, lastAt: at } = known;
    const later = recaps.find((other) => other.branch === branch && branch !== '');
    if (later?.files.length === 0 && known.files.some(isInside))
      later.before ??= { at, files: known.files.filter(isInside) };
    if (later !== undefined || recaps.length === maxRecaps) continue;
    const read = await readSessionTurns(log, index, agentSession);
    const { turns, checkout = '' } = await withoutForgotten({ index, device }, read);
    const facts = factsOf(turns);
    if (facts === undefined || (branch === '' && recaps.some((other) => other.checkout === checkout)))
      continue;
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

type Facts = Pick<Recap, 'asked' | 'title' | 'plan' | 'commits' | 'checks' | 'event'>;

/** What the turns of a session show; undefined if the user asked for nothing in it, and nothing was done. */
export function factsOf(turns: Turn[]): Facts | undefined {
  const steps = turns.flatMap(({ prompt, acts }) => [
    ...(prompt === undefined || prompt.asked !== undefined ? [] : [{ ...prompt, isTyped: true }]),
    ...acts,
  ]);
  const prompts = steps.filter((step) => 'isTyped' in step);
  const acts = steps.filter((step) => 'kind' in step);
  const { title, titleBy, event } = sessionTitle({ prompts });
  const first = prompts.findIndex((prompt) => prompt.event === event);
  const isWork = titleBy !== 'record' || acts.some(({ kind }) => kind === 'edit' || kind === 'command');
  if (first === -1 || !isWork) return undefined;
  const asked = prompts.slice(first).filter(({ isPlan }) => isPlan !== true);
  return {
    asked: asked.map(({ text }) => text).filter((text) => sentencesIn(text).some(says)),
    title: titleBy === 'user' && !hasUnexplainedWord(title) ? title : '',
    plan: prompts[first]?.isPlan === true ? planName(title) : '',
    commits: sessionEnd(acts.filter(isRun), []).commits.map(({ hash }) => hash.slice(0, 9)),
    checks: checksIn(acts),
    event,
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

/** The user's own sentences, without those that may contain a secret or begin a pasted document. */
const sentencesIn = (text: string): string[] =>
  typedSentences(typedText({ text })).filter(
    (sentence) => !sentence.startsWith('#') && !hasUnexplainedWord(sentence),
  );

const maxPlanWords = 10;
const maxLineLength = 1_000;

/** The heading of a plan, if it can pass for a name. An agent wrote it, and the user accepted the plan under it. */
function planName(title: string): string {
  const words = title.replace(/^Plan: /, '').match(/[\w.-]+/g) ?? [];
  const isName = words.length > 1 && words.length <= maxPlanWords && isPlainName(words.join('/'));
  return isName ? words.join(' ') : '';
}

/** Tokens of the first request and of a later one, how many files and later requests. */
const sizes = { short: [70, 40, 4, 1], long: [120, 60, 12, 3] } as const;
/** The shares of these sizes that are tried, the largest first. A long request is told rather than a later one. */
const shares = [
  [1, 1, 1],
  [0.85, 0.85, 0.85],
  [0.65, 0.65, 0.65],
  [1.3, 0, 0.7],
  [0.5, 0.5, 0.5],
  [0.3, 0.3, 0.3],
  [0.15, 0.15, 0.15],
] as const;

/** The recap in at most 150 tokens, or 400. What `told`, lines of the same text, says is not repeated. */
export function recapLines(recap: Recap, form: 'short' | 'long', told: PreludeLine[] = []): PreludeLine[] {
  const [goal, later, files, requests] = sizes[form];
  const isLong = form === 'long';
  const fitting = shares
    .map(([ofGoal, ofLater, ofFiles]) => ({
      first: goal * ofGoal,
      last: later * ofLater,
      names: Math.ceil(files * ofFiles),
    }))
    .map((size) => render(recap, { ...size, requests, isLong, told }))
    .filter((lines) => estimateTokens(recapText(lines).join('\n')) <= recapMaxTokens[form]);
  const isCut = ({ text }: PreludeLine): boolean => text.endsWith('…"');
  return fitting.find((lines) => !lines.some(isCut)) ?? fitting[0] ?? [];
}

interface Size {
  first: number;
  last: number;
  names: number;
  requests: number;
  isLong: boolean;
  told: PreludeLine[];
}

function render(recap: Recap, { first, last, names, requests, isLong, told }: Size): PreludeLine[] {
  const { asked, plan, branch, at, before, checks, commits, end, files, uncommitted } = recap;
  const named = (paths: string[]): string => editedNames(paths, names, asked.join('\n'));
  const goal = plan === '' ? asked.slice(0, 1) : [];
  const others = asked.slice(goal.length);
  const telling = others.filter((text) => queryTerms(text).terms.length > 3);
  // Of work that is open, the last request says what is.
  const isOpen = end !== ended;
  const recent = isLong || isOpen || telling.length === 0 ? others.slice(-requests) : telling.slice(-1);
  const failing = checks.slice(0, -1).filter(({ isFailed }) => isFailed);
  const results = [...(isLong ? checks.slice(-6, -1) : failing.slice(-1)), ...checks.slice(-1)].map(
    ({ command, isFailed, isEditedSince }) =>
      `\`${command}\` ${isFailed ? 'failed' : 'passed'}${isEditedSince ? ', not run after later edits' : ''}`,
  );
  const line = (lead: string, text: string): string[] => (text === '' ? [] : [`${lead}${text}`]);
  const day = isoDay(at) + (branch === '' ? '' : ` on ${safeName('branch', branch)}`);
  const texts = [
    `${day}, session ${recap.agentSession.slice(0, 8)}`,
    ...line("carried out the agent's plan, which the user accepted: ", plan),
    ...goal.flatMap((text) =>
      line('the user asked ', quoted(text, first, told) || (recap.title && `"${recap.title}"`)),
    ),
    ...recent.flatMap((text) => line('asked later ', quoted(text, last, told))),
    ...line('edited ', named(files)),
    ...(before === undefined
      ? []
      : [`the session before, ${isoDay(before.at)}, edited ${named(before.files)}`]),
    ...line('committed ', commits.slice(isLong ? -5 : -2).join(', ')),
    ...line('last results: ', results.join('; ')),
    ...line('', end),
    ...(isLong ? recap.open.map(({ id, text }) => `put off: "${text}" [${shortNoteId(id)}]`) : []),
  ];
  const common = {
    section: recapSection,
    event: recap.event,
    line: hashId('recap', recap.agentSession),
    reason: 'seen by Backstory, and your own words',
  } as const;
  const lines: PreludeLine[] = texts.map((text) => ({ ...common, text: harmlessLine(text, maxLineLength) }));
  if (uncommitted === undefined) return lines;
  const left = `not committed at ${isoTime(uncommitted.at).slice(0, 16).replace('T', ' ')}: ${named(uncommitted.files)}`;
  const text = uncommitted.files.length === 0 ? 'none of these files has uncommitted changes' : left;
  return [...lines, { ...common, text, reason: 'seen by Backstory', isOfHead: true }];
}

/** Adjacent whole sentences of the user from the first on, or the note that has them; empty if the first is too long. */
function quoted(text: string, maxTokens: number, told: PreludeLine[]): string {
  let said = '';
  for (const sentence of sentencesIn(text)) {
    const longer = `${said} ${harmlessLine(sentence, 2_000)}`.trim();
    // What was left out between two sentences, such as pasted text, may change their meaning.
    if (estimateTokens(longer) > maxTokens || !flat(text).includes(flat(longer))) break;
    said = longer;
  }
  const known = told.find((line) => said !== '' && line.note !== undefined && line.text.includes(said));
  if (known?.note !== undefined) return `[${shortNoteId(known.note)}]`;
  return said === '' ? '' : `"${said}"`;
}
