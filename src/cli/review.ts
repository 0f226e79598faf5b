import { isDeepStrictEqual } from 'node:util';
import { localDay } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { trustTexts } from '../domain/event.ts';
import {
  findNote,
  isFromRepository,
  type Note,
  openDisputes,
  ownDispute,
  shortNoteId,
} from '../domain/note.ts';
import type { Place } from '../domain/project.ts';
import { approvalText, doubtfulApprovals, shownForMs } from '../memory/doubtful-approvals.ts';
import { waitingElsewhere } from '../memory/next-step.ts';
import { wouldReplace } from '../memory/notes/closing.ts';
import { matchText } from '../memory/notes/match-text.ts';
import { notePartsOf } from '../memory/notes/note-parts.ts';
import { sourcesOf } from '../memory/notes/note-sources.ts';
import { editNote, type NoteParts } from '../memory/notes/remember.ts';
import { acceptNote, type Inbox, inboxOf, rejectNote, reviewable } from '../memory/notes/review.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import { refreshPrelude } from '../memory/refresh-prelude.ts';
import { disputeText } from '../recall/dispute-text.ts';
import { quickLimits, withIndex } from '../recall/with-index.ts';
import { harmlessLine } from '../text/fence.ts';
import { plural } from '../text/plural.ts';
import type { DoubtfulApproval } from '../wire/answers/project.ts';
import { type App, type Command, mayDecide, type Outcome, type ParsedArgs } from './command.ts';
import { waitingPromptsText } from './confirm-prompts.ts';
import { editInEditor } from './edit.ts';
import { learnedByRun, learnedTitle, reviewLearned } from './review-learned.ts';

const lineLength = 160;
const maxShownSources = 3;

export const reviewCommand: Command = {
  name: 'review',
  usage: 'review [--accept ID…] [--reject ID…]',
  summary: 'Review proposed notes: accept, edit or reject each with one key.',
  group: 'Memory',
  options: {
    accept: { multiple: true, about: 'Accept this note.', value: 'ID' },
    reject: {
      multiple: true,
      about: 'Delete this note, proposed or active. It will not be proposed again.',
      value: 'ID',
    },
  },
  needsPerson: ({ values: { accept, reject } }) =>
    accept === undefined && reject === undefined ? undefined : 'Reviewing notes',
  async run(app, args) {
    const place = app.place();
    const parts = app.open(place.project);
    const { accept, reject } = namedIn(args);
    const doubts = await readDoubts(parts);
    if (accept.length + reject.length === 0) {
      const notes = await parts.notes.list();
      const inbox = inboxOf(notes);
      const count = reviewable(notes).length + inbox.changes.length;
      if (count + doubts.doubtful.length + doubts.unconfirmed === 0) return nothingHere(app, place);
      if (!mayDecide(app)) return listInbox(app, inbox, notes, doubts);
    }
    const lines = [...doubts.doubtful.map(doubtLine), ...waitingPromptsText(doubts.unconfirmed)];
    if (lines.length > 0) app.printError(lines.join('\n'));
    return accept.length + reject.length > 0
      ? reviewWith(app, place, (run, inbox, notes) => decide(run, { inbox, notes }, accept, reject))
      : reviewByKey(app, place);
  },
};

/** What a person should look at besides notes. */
const readDoubts = (parts: OpenProject) =>
  withIndex(parts, quickLimits, async (index) => ({
    doubtful: doubtfulApprovals(parts, (await index?.agentTurns(parts.clock.now() - shownForMs)) ?? []),
    unconfirmed: (await index?.prompts())?.waiting ?? 0,
  }));

async function nothingHere(app: App, { project }: Place): Promise<Outcome> {
  const waiting = await waitingElsewhere(app, project);
  const lines = waiting.map((one) => `${plural(one.waiting, 'statement')} of ${one.name}: ${one.command}`);
  return {
    value: { candidates: [], changes: [], doubtful: [], unconfirmed: 0 },
    text: ['No notes to review.', ...lines].join('\n'),
  };
}

const reviewByKey = (app: App, place: Place, max = Number.POSITIVE_INFINITY): Promise<Outcome> =>
  reviewWith(app, place, (run, inbox, notes) => reviewInteractively(run, inbox, notes, max));

/** Shows what a command found and asks whether to review it. Returns what was decided; undefined without a person. */
export async function offerReview(
  app: App,
  place: Place,
  { found, which, max }: { found: string; which: string; max?: number },
): Promise<string | undefined> {
  if (!mayDecide(app)) return undefined;
  app.printError(found);
  if ((await app.key(`\nReview ${which} now, one key each? [y]es [n]o `, 'ynq')) !== 'y') return '';
  return (await reviewByKey(app, place, max)).text;
}

async function reviewWith(
  app: App,
  place: Place,
  review: (run: ReviewRun, inbox: Inbox, notes: Note[]) => Promise<Outcome>,
): Promise<Outcome> {
  const parts = app.open(place.project);
  const notes = await parts.notes.list();
  const run: ReviewRun = {
    app,
    open: parts,
    parts: notePartsOf(parts, app.context(place)),
    reject: (note) => rejectNote(run.parts, note, { device: parts.device, context: app.context(place) }),
  };
  const decided = await review(run, inboxOf(notes), notes);
  // The next session is told what was accepted, also if it starts before the next drain.
  await refreshPrelude(parts);
  return decided;
}

interface ReviewRun {
  app: App;
  open: OpenProject;
  parts: NoteParts;
  reject(note: Note): Promise<void>;
}

const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** The ids after those of an option belong to it, so that no option must be repeated for each id. */
function namedIn({ values, positionals }: ParsedArgs): { accept: string[]; reject: string[] } {
  const [accept, reject] = [listOf(values.accept), listOf(values.reject)];
  if (positionals.length === 0) return { accept, reject };
  if (accept.length > 0 && reject.length === 0) return { accept: [...accept, ...positionals], reject };
  if (reject.length > 0 && accept.length === 0) return { accept, reject: [...reject, ...positionals] };
  throw new AppError('INVALID_ARGUMENT', `it is not clear whether to accept or to reject ${positionals[0]}`, {
    hint: 'backstory review --accept ID --reject ID, each before its id',
  });
}

/** `share --trust` accepts notes of the repository, and `edit --reopen` closed ones. */
const mayBeAccepted = (note: Note): boolean =>
  !isFromRepository(note) && (note.state !== 'superseded' || ownDispute(note) !== undefined);

function findReviewable(notes: Note[], wanted: string): Note {
  const note = findNote(notes, wanted);
  if (note !== undefined) return note;
  throw new AppError('NOT_FOUND', `no note to review has the id ${wanted}`, { hint: 'backstory review' });
}

async function decide(
  run: ReviewRun,
  { inbox, notes }: { inbox: Inbox; notes: Note[] },
  accept: string[],
  reject: string[],
): Promise<Outcome> {
  // Look up all ids first, so that a mistyped one changes nothing.
  const accepted = accept.map((id) => findReviewable(notes.filter(mayBeAccepted), id));
  const rejected = reject.map((id) => findReviewable(notes, id));
  const named = [...accepted, ...rejected];
  const done = { accepted: 0, rejected: 0 };
  for (const note of rejected) {
    if (!(await isUnchanged(run, note))) continue;
    await run.reject(note);
    done.rejected += 1;
  }
  for (const note of accepted) {
    if (!(await isUnchanged(run, note))) continue;
    const replaced = replacedBy(note, inbox).filter((other) => !named.includes(other));
    await acceptNote(run.parts, note, replaced);
    done.accepted += 1;
  }
  const changed = named.length - done.accepted - done.rejected;
  return outcome(done.accepted, 0, done.rejected, changed);
}

/** The statements that an accepted later one replaces. Accepting the earlier one says that both hold. */
const replacedBy = (note: Note, { changes }: Inbox): Note[] =>
  changes.filter(([, later]) => later === note).map(([earlier]) => earlier);

/** False if an agent or a drain has changed the note since the user saw it. Such notes are skipped. */
const isUnchanged = async (run: ReviewRun, note: Note): Promise<boolean> =>
  isDeepStrictEqual(await run.parts.notes.get(note.id), note);

const outcome = (accepted: number, edited: number, rejected: number, changed = 0): Outcome => ({
  value: { accepted, edited, rejected, ...(changed === 0 ? {} : { changed }) },
  text: `Accepted ${accepted}, edited ${edited}, rejected ${rejected}.${changed === 0 ? '' : ` ${changed} changed since they were listed. Run backstory review again.`}`,
  ...(changed === 0 ? {} : { exitCode: 1 }),
});

const doubtLine = (approval: DoubtfulApproval): string =>
  `Approved while an agent was working: ${approvalText(approval)}`;

function listInbox(
  app: App,
  { candidates, changes }: Inbox,
  notes: Note[],
  { doubtful, unconfirmed }: Awaited<ReturnType<typeof readDoubts>>,
): Outcome {
  const { style } = app;
  const line = (note: Note): string =>
    `${style.bold(shortNoteId(note.id))} ${style.dim(`${localDay(note.updated)} ${note.kind.padEnd(11)}`)} ${harmlessLine(note.text, lineLength)}${matcherLines(app, note)}${replacingLine(app, note, notes)}${disputeLines(app, note)}`;
  const pairs = changes.map(([one, other]) => `${line(one)}\n${line(other)}`);
  const learned = learnedByRun(candidates);
  const grouped = new Set([...learned.values()].flat());
  const others = candidates.filter((note) => !grouped.has(note));
  const parts = [
    ...[...learned].map(([run, own]) => `${learnedTitle(run, own)}\n${own.map(line).join('\n')}`),
    ...(others.length === 0 ? [] : [others.map(line).join('\n')]),
    ...(pairs.length === 0
      ? []
      : [
          `The second note of each pair may have changed the first. Accept the second if it did, the first if both hold:\n${pairs.join('\n\n')}`,
        ]),
    ...(candidates.length + pairs.length === 0 ? ['No notes to review.'] : []),
    ...waitingPromptsText(unconfirmed),
    ...(doubtful.length === 0 ? [] : [doubtful.map(doubtLine).map(style.bad).join('\n')]),
    ...(candidates.length + pairs.length === 0
      ? []
      : [style.dim('backstory review --accept ID, --reject ID')]),
  ];
  return { value: { candidates, changes, doubtful, unconfirmed }, text: parts.join('\n\n') };
}

function disputeLines({ style }: App, note: Note): string {
  const lines = openDisputes(note).map((dispute) => {
    const correction = dispute.correction === undefined ? '' : `, see ${shortNoteId(dispute.correction)}`;
    return `\n  ${style.dim(`${disputeText(dispute)}${correction}`)}`;
  });
  const id = shortNoteId(note.id);
  return lines.length === 0
    ? ''
    : `${lines.join('')}\n  ${style.dim(`accept to keep the note, or withdraw it: backstory edit ${id} --wrong`)}`;
}

const matcherLines = ({ style }: App, note: Note): string =>
  matchText(note)
    .map((line) => `\n  ${style.dim(line)}`)
    .join('');

const replacingLine = ({ style }: App, note: Note, notes: Note[]): string =>
  wouldReplace(note, notes)
    .map((one) => `\n${style.dim(`replaces ${shortNoteId(one.id)}: ${harmlessLine(one.text, lineLength)}`)}`)
    .join('');

/** Asks about one note at a time. Each decision is saved at once, so quitting loses nothing. */
async function reviewInteractively(
  run: ReviewRun,
  inbox: Inbox,
  notes: Note[],
  max: number,
): Promise<Outcome> {
  const { app } = run;
  const done = { accepted: 0, edited: 0, rejected: 0 };
  const accept = async (note: Note): Promise<void> => {
    if (!(await isUnchanged(run, note))) return;
    await acceptNote(run.parts, note);
    done.accepted += 1;
  };
  const details = async (note: Note): Promise<string> =>
    `${await sourceLines(run, note)}${matcherLines(app, note)}${replacingLine(app, note, notes)}`;
  const candidates = await reviewLearned(app, reviewable(notes), accept, details);
  const changed = inbox.changes.map(([earlier]) => earlier);
  const waiting = candidates === undefined ? [] : [...new Set([...changed, ...candidates])].slice(0, max);
  for (const [at, note] of waiting.entries()) {
    if (!(await isUnchanged(run, note))) continue;
    const about = app.style.dim(
      `${at + 1}/${waiting.length} ${note.kind}, ${localDay(note.updated)}, ${trustTexts[note.trust]}`,
    );
    const later = inbox.changes.find(([earlier]) => earlier === note)?.[1];
    const mayHaveChanged =
      later === undefined
        ? ''
        : `\n${app.style.dim(`may have changed, ${localDay(later.validFrom)} ${shortNoteId(later.id)}: ${harmlessLine(later.text, lineLength)}`)}${matcherLines(app, later)}`;
    const files = note.files.length === 0 ? '' : `\n${app.style.dim(note.files.join(', '))}`;
    const sources = await sourceLines(run, note);
    const key = await app.key(
      `\n${about}\n${harmlessBlock(note.text)}${sources}${files}${matcherLines(app, note)}${mayHaveChanged}${replacingLine(app, note, notes)}${disputeLines(app, note)}\n${later === undefined ? '[y]es, keep it' : '[y] it still holds, [o] the later one replaces it,'} [n]o, delete it [e]dit [s]kip [q]uit `,
      later === undefined ? 'ynesq' : 'yonesq',
    );
    if (key === 'q') break;
    const text = key === 'e' ? await editInEditor(app.edit, note.text) : note.text;
    // Closing the editor without a change decides nothing.
    if (key === 'e' && text.trim() === note.text.trim()) continue;
    if (!(await isUnchanged(run, note))) continue;
    if (key === 'y') await accept(note);
    else if (key === 'o' && later !== undefined && (await isUnchanged(run, later))) {
      await acceptNote(run.parts, later, [note]);
      done.accepted += 1;
    } else if (key === 'e') {
      await editNote(run.parts, note, text);
      done.edited += 1;
    } else if (key === 'n') {
      await run.reject(note);
      done.rejected += 1;
    }
  }
  return outcome(done.accepted, done.edited, done.rejected);
}

/** The paragraphs of the record that a note was made from, because a sentence alone may say the opposite of its paragraph. */
async function sourceLines({ app, open }: ReviewRun, note: Note): Promise<string> {
  const sources = await sourcesOf(open, note);
  return sources
    .slice(0, maxShownSources)
    .map(({ kind, agent, at, id, text }) => {
      const head = `from the ${kind === 'answer' ? `answer of ${agent}` : `${kind}, ${agent}`}, ${localDay(at)} [${id.slice(0, 8)}]`;
      const isWhole = text.trim() === note.text.trim();
      const lines = isWhole
        ? ' (this is all of it)'
        : `:\n${harmlessBlock(text.trim()).replaceAll(/^/gm, '    | ')}`;
      return `\n  ${app.style.dim(`${head}${lines}`)}`;
    })
    .join('');
}

/** Removes control characters, which a note made from a tool's output may contain. */
const harmlessBlock = (text: string): string =>
  text
    .split('\n')
    .map((line) => harmlessLine(line, 1_000))
    .join('\n');
