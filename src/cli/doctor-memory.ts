import { localDay, localTime } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { awaitsConfirmation, promptText, type Typist, typistOf } from '../domain/event.ts';
import { closedByUser, type Note, shortNoteId } from '../domain/note.ts';
import { mayShowNote } from '../memory/prelude/may-show-note.ts';
import { readPrelude } from '../memory/prelude/prelude-file.ts';
import { readTopics } from '../memory/prompt-context/topic-table.ts';
import { projectRedactor } from '../memory/redact/project-redactor.ts';
import { redactedKinds } from '../memory/redact/redacted-kinds.ts';
import { harmlessLine } from '../text/fence.ts';
import { blocksOf } from '../text/prompt-blocks.ts';
import { hasTerms, queryTerms } from '../text/words.ts';
import type { App, Outcome } from './command.ts';

const maxShown = 5;
const lineLength = 160;
const maxCommandLength = 1_000;

/** Where a phrase got to. `command` mends what kept it from new sessions; nothing if they are told it. */
interface Step {
  step: 'Redacted' | 'Captured' | 'Note' | 'Told';
  text: string;
  command?: string;
}

/** Follows a phrase from the prompt in which it was said to what new sessions are told. Changes nothing. */
export async function followPhrase(app: App, phrase: string): Promise<Outcome> {
  if (queryTerms(phrase).isCommon)
    throw new AppError('INVALID_ARGUMENT', 'a phrase with at least one word is missing', {
      hint: 'backstory doctor memory "we use tabs"',
    });
  const { project } = app.place();
  const parts = app.open(project);
  const stored = projectRedactor(parts).redact(phrase);
  const kinds = Object.keys(redactedKinds(phrase, stored));
  const redacted: Step[] =
    kinds.length === 0
      ? []
      : [{ step: 'Redacted', text: `a part was taken for a secret and not stored: ${kinds.join(', ')}` }];
  const has = phraseIn(stored);
  const said = promptsWith(parts.log.read({}), has);
  const prompts = new Set(said.map(({ id }) => id));
  const notes = (await parts.notes.list())
    .filter(({ kind }) => kind !== 'summary')
    .filter(
      (note) =>
        has([note.topic, note.text, note.quote].join('\n')) || note.derivedFrom.some((id) => prompts.has(id)),
    )
    .sort((a, b) => stateOrder.indexOf(a.state) - stateOrder.indexOf(b.state));
  const steps = [
    ...redacted,
    ...(await captureSteps(app, said, stored)),
    ...(await noteSteps(app, notes, said, stored)),
  ];
  const isTold = steps.some(({ step, command }) => step === 'Told' && command === undefined);
  // The first step that failed, unless there is a note: then what keeps it from being told.
  const failed = steps.filter(({ step }) => notes.length === 0 || step === 'Told');
  const command = isTold ? undefined : failed.find((one) => one.command !== undefined)?.command;
  return {
    value: { phrase, isTold, steps, ...(command === undefined ? {} : { command }) },
    text: [
      ...steps.map(({ step, text }) => `${step.padEnd(9)} ${text}`),
      ...(command === undefined ? [] : ['', `To mend it: ${app.style.bold(command)}`]),
    ].join('\n'),
    exitCode: isTold ? 0 : 1,
  };
}

const plain = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ').trim();

/** Whether a text has the phrase, or all of its words in any order. */
function phraseIn(phrase: string): (text: string) => boolean {
  const { terms } = queryTerms(phrase);
  const wanted = plain(phrase);
  return (text) => plain(text).includes(wanted) || (terms.length > 1 && hasTerms(text, terms));
}

interface Said {
  id: string;
  at: string;
  text: string;
  typist: Typist;
  isWaiting: boolean;
}

type LogRecords = ReturnType<ReturnType<App['open']>['log']['read']>;

/** The prompts with the phrase, newest first. A prompt may be in the log twice, from the hook and the transcript. */
function promptsWith(records: LogRecords, has: (text: string) => boolean): Said[] {
  const found = new Map<string, Said>();
  for (const { entry } of records) {
    if (entry.kind !== 'event' || entry.event.kind !== 'prompt') continue;
    const { id, at, body } = entry.event;
    const text = promptText(body);
    if (has(text))
      found.set(text, {
        id,
        at,
        text,
        typist: typistOf(entry.event),
        isWaiting: awaitsConfirmation(entry.event),
      });
  }
  return [...found.values()].reverse();
}

async function captureSteps(app: App, said: Said[], phrase: string): Promise<Step[]> {
  if (said.length === 0) {
    const activation = app.activation();
    if (activation.on)
      return [
        { step: 'Captured', text: 'no: in no prompt of this project', command: rememberCommand(phrase) },
      ];
    const text = `no: capture is off here, ${activation.reason}`;
    return [{ step: 'Captured', text, command: 'backstory capture on' }];
  }
  const shown = said.slice(0, maxShown);
  const reading = app.open(app.place().project).access.forReading();
  const rows = await reading?.index.events(shown.map(({ id }) => id));
  await reading?.close();
  return shown.map(({ id, at, text, typist, isWaiting }) => {
    const isIndexed = rows?.has(id) === true;
    const doubt = [...doubts[typist], ...(isIndexed ? [] : ['not indexed'])];
    const command = isIndexed ? (isWaiting ? 'backstory import' : undefined) : 'backstory doctor --reindex';
    return {
      step: 'Captured',
      text: `${[`${localTime(at)} [${id.slice(0, 8)}]`, ...doubt].join(', ')}: "${harmlessLine(text, lineLength)}"`,
      ...(command === undefined ? {} : { command }),
    };
  });
}

const doubts: Record<Typist, string[]> = {
  person: [],
  unconfirmed: ['not confirmed as yours'],
  agent: ['not typed by a person'],
};

const rememberCommand = (phrase: string): string =>
  `backstory remember "${harmlessLine(phrase, maxCommandLength).replace(/["\\$`]/g, "'")}"`;

const stateOrder: Note['state'][] = ['active', 'candidate', 'superseded', 'archived'];

async function noteSteps(app: App, notes: Note[], said: Said[], phrase: string): Promise<Step[]> {
  if (notes.length === 0) {
    const why = said.some(({ typist }) => typist === 'person')
      ? ': it was not recognised as something that lasts'
      : '';
    // The whole paragraph: a fragment is no statement.
    const whole = said.flatMap(({ text }) => blocksOf({ text })).find(({ text }) => phraseIn(phrase)(text));
    const command = said.length === 0 ? {} : { command: rememberCommand(whole?.text ?? phrase) };
    return [{ step: 'Note', text: `none was proposed${why}`, ...command }];
  }
  const { project } = app.place();
  const lines = readPrelude(app.paths, project)?.lines ?? [];
  const topics = [...readTopics(app.paths.project(project).topics).keys()];
  const all = await app.open(project).notes.list();
  return notes.slice(0, maxShown).flatMap((note) => {
    const short = shortNoteId(note.id);
    const told = lines.find((line) => line.note === note.id);
    const rank = topics.indexOf(note.id) + 1;
    return [
      {
        step: 'Note' as const,
        text: `[${short}] ${note.kind}, ${note.state}: "${harmlessLine(note.text, lineLength)}"`,
      },
      told === undefined
        ? { step: 'Told' as const, ...whyNotTold(note, { short, all, rank, topics: topics.length }) }
        : { step: 'Told' as const, text: `to every new session, under "${told.section}"` },
    ];
  });
}

function whyNotTold(
  note: Note,
  { short, all, rank, topics }: { short: string; all: Note[]; rank: number; topics: number },
): { text: string; command: string } {
  const { state, trust, closedBy = [], validTo, verdict } = note;
  const accept = `backstory review --accept ${short}`;
  if (state === 'superseded') {
    const text = `no: closed ${localDay(validTo)} by ${closedBy.map((id) => closerText(id, all)).join(', ') || 'an earlier version'}`;
    return { text, command: `backstory edit ${short} --reopen` };
  }
  if (state === 'archived')
    return { text: 'no: it was not used for long', command: `backstory edit ${short} --pin` };
  if (state === 'candidate') {
    const why = verdict === undefined ? '' : `; the model that compared it with your words said: ${verdict}`;
    return { text: `no: it waits for your review${why}`, command: accept };
  }
  if (trust < 2) return { text: 'no: the words are an agent’s, and nobody approved them', command: accept };
  if (!mayShowNote(note))
    return { text: 'no: a word in it may be a secret', command: `backstory edit ${short} --pin` };
  if (rank > 0) {
    const text = `no room: ${rank} of ${topics} by importance; told with a first prompt that names it`;
    return { text, command: `backstory edit ${short} --pin` };
  }
  return { text: 'only when asked for', command: `backstory edit ${short} --pin` };
}

function closerText(id: string, all: Note[]): string {
  if (id === closedByUser) return 'you';
  const note = all.find((one) => one.id === id);
  return note === undefined
    ? `[${id.slice(0, 8)}]`
    : `"${harmlessLine(note.text, lineLength)}" [${shortNoteId(id)}]`;
}
