import { AppError } from '../base/errors.ts';
import { type Note, shortNoteId } from '../domain/note.ts';
import { checkedTimeline } from '../drift/checked-timeline.ts';
import { statementOf } from '../memory/notes/closing.ts';
import { type Opened, openHit } from '../memory/sessions/open-hit.ts';
import { driftText } from '../recall/drift-text.ts';
import { previewLimit } from '../recall/hit.ts';
import { ageOf, kindLabel, shortHitId, sourceLabel } from '../recall/render.ts';
import { thoroughLimits } from '../recall/with-index.ts';
import { showMemory } from '../remote/show-memory.ts';
import { harmlessLine } from '../text/fence.ts';
import { type App, type Command, isSet, type Outcome, type ParsedArgs } from './command.ts';
import { wholeNumber } from './filters.ts';

export const showCommand: Command = {
  name: 'show',
  usage: 'show ID… | ID|TIME|QUESTION --around [--before N] [--after N]',
  summary: 'Show results of recall in full, or what happened around one.',
  group: 'Memory',
  options: {
    around: { about: 'Show what happened before and after it.' },
    before: { about: 'With --around: number of events before it.', value: 'N' },
    after: { about: 'With --around: number of events after it.', value: 'N' },
  },
  async run(app, args) {
    if (isSet(args, 'around')) return showAround(app, args);
    if (args.positionals.length === 0)
      throw new AppError('INVALID_ARGUMENT', 'no id given', { hint: 'backstory recall "…"' });
    const shown = await Promise.all(args.positionals.map((id) => show(app, id)));
    return { value: shown.map(({ value }) => value), text: shown.map(({ text }) => text).join('\n\n') };
  },
};

async function show(app: App, id: string): Promise<{ value: unknown; text: string }> {
  const shown = await showMemory(app.open(), id, thoroughLimits, app.checkedCode());
  const { text } = shown;
  if (shown.team !== undefined) return { value: { ...shown.team.memory, team: shown.team.name }, text };
  const { opened, drift } = shown;
  return { value: { ...(opened.kind === 'note' ? noteValue(opened) : opened.event), drift }, text };
}

const noteValue = ({ note, path, earlier, standing }: Extract<Opened, { kind: 'note' }>) => ({
  ...note,
  path,
  ...(earlier.length === 0 ? {} : { earlier: earlier.map(statementOf) }),
  standing,
});

async function showAround(app: App, args: ParsedArgs): Promise<Outcome> {
  const target = args.positionals.join(' ').trim();
  if (target === '')
    throw new AppError('INVALID_QUERY', 'no id, time or question given', {
      hint: 'backstory show 2026-11-14 --around',
    });
  const [before, after] = [wholeNumber(args, 'before'), wholeNumber(args, 'after')];
  const query = {
    ...(isAnchor(target) ? { anchor: target } : { text: target }),
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  };
  const timeline = await checkedTimeline(app.open(), query, thoroughLimits, app.checkedCode());
  const { found, drifts, anchor, items } = timeline;
  const { style } = app;
  const lines = found.chunks.map((chunk) => {
    const drift = drifts.get(chunk);
    const about = [
      style.mark(kindLabel(chunk)),
      ageOf(chunk.at, app.clock.now()),
      sourceLabel(chunk),
      ...(drift === undefined || drift.state === 'unanchored' ? [] : [driftText(drift)]),
    ];
    const arrow = chunk.sourceId === anchor?.sourceId ? '→' : ' ';
    const head = `${arrow} ${style.bold(shortHitId(chunk))}  ${about.join(style.dim(' · '))}`;
    return `${head}\n    ${harmlessLine(chunk.text, previewLimit)}`;
  });
  return {
    value: { anchor, chunks: items },
    text: lines.join('\n') || `No results for ${style.bold(target)}.`,
  };
}

/** True if the text is an id as recall prints it, or a date. Any other text is treated as a question. */
const isAnchor = (text: string): boolean =>
  /^[0-9a-f-]{8,36}$/.test(text) || /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?$/.test(text);

export function openById(app: App, id: string): Promise<Opened> {
  return openHit(app.open(), id, thoroughLimits);
}

/** The notes that ids name. An event among them is an error. */
export async function notesNamed(app: App, ids: string[]): Promise<Note[]> {
  const opened = await Promise.all(ids.map((id) => openById(app, id)));
  return opened.map((item, at) => {
    if (item.kind === 'note') return item.note;
    throw new AppError('INVALID_ARGUMENT', `${ids[at]} is not a note, and events are never shared`, {
      hint: 'backstory remember "…"',
    });
  });
}

export async function noteArgument(app: App, args: ParsedArgs): Promise<Extract<Opened, { kind: 'note' }>> {
  const id = args.positionals[0];
  const opened = id === undefined ? undefined : await openById(app, id);
  if (opened?.kind === 'note') return opened;
  if (opened === undefined)
    throw new AppError('INVALID_ARGUMENT', 'no note given', { hint: 'backstory recall --in notes "…"' });
  // The user probably means the note that was extracted from this event.
  const extracted = (await app.open().notes.list()).find(({ derivedFrom }) =>
    derivedFrom.includes(opened.event.id),
  );
  throw new AppError(
    'INVALID_ARGUMENT',
    `${id} is an event of a session, not a note, and events cannot be changed`,
    {
      hint:
        extracted === undefined
          ? 'backstory remember "…" to write a note, backstory forget to delete the event'
          : `backstory show ${shortNoteId(extracted.id)}, the note extracted from it`,
    },
  );
}
