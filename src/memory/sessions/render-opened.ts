import { localDay } from '../../base/clock.ts';
import { type EventEnvelope, promptText, trustTexts } from '../../domain/event.ts';
import { everywhereLabel, isEverywhere, type Note, shortNoteId } from '../../domain/note.ts';
import { disputeText } from '../../recall/dispute-text.ts';
import { driftText } from '../../recall/drift-text.ts';
import { ageOf, kindLabel, shortHitId, sourceLabel, standingLines } from '../../recall/render.ts';
import { harmless, harmlessLine } from '../../text/fence.ts';
import type { Drift } from '../../wire/answers/memory.ts';
import { matchText } from '../notes/match-text.ts';
import type { Opened } from './open-hit.ts';

const maxEvidence = 5;

export function renderOpened(opened: Opened, now: number, drift?: Drift): string {
  const code = drift === undefined || drift.state === 'unanchored' ? [] : [`code ${driftText(drift)}`];
  if (opened.kind === 'note') {
    const { note } = opened;
    const about = [
      note.kind,
      note.state,
      trustTexts[note.trust],
      note.pinned ? 'pinned' : '',
      isEverywhere(note) ? everywhereLabel : '',
      `updated ${note.updated}`,
      note.validTo === '' ? '' : `valid until ${note.validTo}`,
    ];
    const evidence = note.derivedFrom.slice(0, maxEvidence).map((id) => harmlessLine(id, 32));
    return [
      about.filter((part) => part !== '').join(' · '),
      `id ${note.id}`,
      opened.path,
      ...(note.topic === undefined ? [] : [`topic ${harmlessLine(note.topic, 120)}`]),
      ...(evidence.length === 0 ? [] : [`extracted from ${evidence.join(', ')}`]),
      ...matchText(note),
      ...lineageLines(opened),
      ...disputeLines(opened),
      ...code,
      '',
      harmless(note.text),
    ].join('\n');
  }
  const { event, chunk, repliesTo } = opened;
  const age = ageOf(chunk.at, now);
  const about = [
    kindLabel(chunk),
    event.at.startsWith(age) ? event.at : `${event.at} (${age})`,
    sourceLabel(chunk),
    trustOf(event),
  ];
  const where = [
    event.branch === '' ? '' : `branch ${harmlessLine(event.branch, 120)}`,
    event.head === '' ? '' : `at ${event.head.slice(0, 12)}`,
  ];
  const source =
    event.source === undefined
      ? ''
      : `source ${harmlessLine(event.source.file, 400)} at byte ${event.source.offset}`;
  return [
    about.join(' · '),
    `id ${shortHitId(chunk)}, of event ${event.id}`,
    ...[where.filter((part) => part !== '').join(' '), source].filter((line) => line !== ''),
    ...code,
    ...(repliesTo === undefined
      ? []
      : [`replies to [${shortHitId(repliesTo)}]: ${endOf(harmless(repliesTo.text))}`]),
    '',
    harmless(textOf(opened)),
  ].join('\n');
}

/** Of a prompt that does not count as typed by a person, why not. */
const trustOf = ({ body, trust }: EventEnvelope): string =>
  'untyped' in body && body.untyped !== undefined ? body.untyped : trustTexts[trust];

const maxEndLength = 500;

/** A question to the user is at the end of an answer. */
const endOf = (text: string): string => {
  const whole = text.trim().replaceAll(/\s*\n\s*/g, '\n  ');
  return whole.length <= maxEndLength ? whole : `…${whole.slice(-maxEndLength)}`;
};

const maxEarlier = 10;
const maxStatementLength = 200;

const lineageLines = ({
  note,
  earlier,
  standing,
  wouldReplace,
}: Extract<Opened, { kind: 'note' }>): string[] => [
  ...standingLines(standing, maxStatementLength),
  ...wouldReplace.map((one) => `would replace: ${statementOf(one)} (${shortNoteId(one.id)})`),
  ...earlier
    .slice(0, maxEarlier)
    .map((one) => `was: ${statementOf(one)} (until ${dayOf(one.validTo)}, ${shortNoteId(one.id)})`),
  ...(note.state === 'superseded' ? [`to undo: backstory edit ${shortNoteId(note.id)} --reopen`] : []),
];

/** Who says that the note is wrong. The correction is that person's note, with its own trust. */
const disputeLines = ({
  note: { disputes = [] },
  corrections,
}: Extract<Opened, { kind: 'note' }>): string[] =>
  disputes.map((dispute) => {
    const correction = corrections.find(({ id }) => id === dispute.correction);
    const says =
      correction === undefined
        ? ''
        : `: ${statementOf(correction)} (${trustTexts[correction.trust]}, ${shortNoteId(correction.id)})`;
    const kept = dispute.keptAt === undefined ? '' : `; kept on ${dayOf(dispute.keptAt)}`;
    return `${disputeText(dispute)}${says}${kept}`;
  });

const statementOf = ({ text }: Note): string => harmlessLine(text, maxStatementLength);
const dayOf = localDay;

function textOf({ event, chunk }: Extract<Opened, { kind: 'event' }>): string {
  return 'text' in event.body ? promptText(event.body) : chunk.text;
}
