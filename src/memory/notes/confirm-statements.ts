import { isDeepStrictEqual } from 'node:util';
import { isoTime } from '../../base/clock.ts';
import { randomHex } from '../../base/ids.ts';
import {
  type Confirmation,
  type ConfirmItem,
  confirmInstructions,
  confirmMaxTokens,
  readConfirmations,
  writeConfirmation,
} from '../../distil/confirm.ts';
import type { SessionTurns } from '../../distil/distiller.ts';
import { maxReadingLength, maxToldLength } from '../../distil/prove-statement.ts';
import { isConfirmed, isEverywhere, isForeign, isFromPlan, type Note } from '../../domain/note.ts';
import { isTopicKind, type TopicKind } from '../../domain/topic-kind.ts';
import { inventedLiteral } from '../../text/literals.ts';
import { typedText } from '../../text/prompt-blocks.ts';
import { isExtracted, mayBeReplaced } from './agent-statement.ts';
import { closeStatement } from './closing.ts';
import { distilAuthor } from './distil-mark.ts';
import { isLive } from './note-lifecycle.ts';
import { quotesSentence } from './quotes-sentence.ts';
import { archiveNote, type NoteParts, reviseNote, saveNote } from './remember.ts';

/**
 * Lets the model that the user chose confirm the statements of one session, in one request: whether each says what the
 * user said, and whether it is meant to last. A confirmed statement is told as what it is, a rule or a decision. What is
 * not confirmed waits for review.
 */
interface PendingItem extends ConfirmItem {
  note: Note;
  /** The typed words and the accepted proposal, from which every literal of the wording must come. */
  evidence: string;
  replaced?: Note;
}

export interface ConfirmRequest {
  instructions: string;
  data: string;
  maxTokens: number;
  items: PendingItem[];
}

/** How many messages before the quoted one are shown, because "the same for the API" refers to them. */
const maxBefore = 2;
const maxItems = 40;

export const isUnconfirmed = (note: Note): note is Note & { kind: TopicKind } =>
  isLive(note) &&
  !isConfirmed(note) &&
  note.verdict === undefined &&
  // What an agent learned from past sessions is confirmed by a person, all at once.
  (note.learnedIn === undefined || note.author === distilAuthor) &&
  !isForeign(note) &&
  !isEverywhere(note) &&
  isTopicKind(note.kind);

/** Undefined if no statement waits. `mayShow` has the earlier statements that the consent covers, by note id. */
export function confirmRequest(
  notes: Note[],
  { turns }: SessionTurns,
  mayShow: ReadonlyMap<string, string>,
  redact: (text: string) => string,
): ConfirmRequest | undefined {
  const items = notes.filter(isUnconfirmed).flatMap((note): PendingItem[] => {
    const isPlanned = isFromPlan(note);
    // The first source is the message that says it; others only share words with it.
    const [at = -1] = note.derivedFrom.flatMap((id) => {
      const found = turns.findIndex(
        ({ prompt }) => prompt?.event === id && (prompt.isPlan === true) === isPlanned,
      );
      return found === -1 ? [] : [found];
    });
    const maxLength = isReading(note) && !isPlanned ? maxReadingLength : maxToldLength;
    if (at === -1 || note.text.length > maxLength) return [];
    const plan = isPlanned ? passageOf(turns[at]?.prompt?.text ?? '', note.proposal ?? '') : undefined;
    const typed = turns
      .slice(Math.max(0, at - maxBefore), plan === undefined ? at + 1 : at)
      .flatMap(({ prompt }) => (prompt === undefined || prompt.isPlan === true ? [] : [typedText(prompt)]));
    const proposal = plan === undefined ? (note.proposal ?? '') : '';
    const replaced = notes.find(({ id }) => note.replaces?.includes(id));
    return [
      {
        id: randomHex(4),
        note,
        typed,
        proposal,
        ...(plan === undefined ? {} : { plan }),
        evidence: [...typed, proposal, plan ?? ''].join('\n'),
        wording: note.text,
        kind: note.kind,
        label: note.topic ?? '',
        earlier: replaced === undefined ? '' : (mayShow.get(replaced.id) ?? ''),
        ...(replaced === undefined ? {} : { replaced }),
      },
    ];
  });
  if (items.length === 0) return undefined;
  const sent = items.slice(0, maxItems);
  return {
    instructions: confirmInstructions,
    data: redact(writeConfirmation(sent, randomHex(8))),
    maxTokens: confirmMaxTokens(sent.length),
    items: sent,
  };
}

const maxPassageLength = 1_400;

function passageOf(plan: string, sentence: string): string {
  const words = sentence.match(/[\p{L}\p{N}_]+/gu) ?? [];
  const begins = new RegExp(words.slice(0, 4).join('[^\\p{L}\\p{N}_]+'), 'iu');
  const at = Math.max(0, plan.search(begins));
  const from = Math.max(0, Math.min(at - maxPassageLength / 2, plan.length - maxPassageLength));
  return plan.slice(from, from + maxPassageLength).toWellFormed();
}

/** Whether the text is neither the user's nor the agent's sentence, but a wording about it. */
const isReading = (note: Note): boolean => note.trust < 2;

/** Applies the answer and returns how many notes changed; undefined if it is malformed. */
export async function applyConfirmations(
  parts: NoteParts,
  { items }: Pick<ConfirmRequest, 'items'>,
  answer: string,
  learnedIn?: string,
): Promise<number | undefined> {
  const given = readConfirmations(answer, items);
  if (given === undefined) return undefined;
  let changed = 0;
  for (const item of items) {
    const confirmation = given.get(item.id);
    // The user or an agent may have changed the note during the call.
    if (confirmation === undefined || !isDeepStrictEqual(await parts.notes.get(item.note.id), item.note))
      continue;
    await apply(parts, item, confirmation, learnedIn === undefined ? {} : { learnedIn });
    changed += 1;
  }
  return changed;
}

async function apply(
  parts: NoteParts,
  { note, evidence, replaced }: PendingItem,
  given: Confirmation,
  learned: Pick<Note, 'learnedIn'>,
): Promise<void> {
  const { verdict, isLabelFine, isReplacement } = given;
  // Nobody knows whether the user read every sentence of a plan, so none of them becomes a rule.
  const kind = isFromPlan(note) && given.kind !== 'fact' ? 'decision' : given.kind;
  const at = isoTime(parts.clock.now());
  const isInvented = inventedLiteral(note.text, evidence) !== undefined;
  if (verdict !== 'same' || isInvented) {
    // What is surely the user's sentence stays theirs, but is told to nobody before a person has read it.
    const doubted = {
      state: 'candidate',
      verdict: verdict === 'same' ? 'adds' : verdict,
      ...learned,
    } as const;
    await saveNote(parts, reviseNote(parts, note, doubted), 'confirm');
    return;
  }
  const confirmed: Note = {
    ...reviseNote(parts, note, { state: 'active', trust: 2, kind, confirmedBy: 'model', confirmedAt: at }),
    ...(isLabelFine ? { isTopicConfirmed: true as const } : {}),
    ...learned,
  };
  await saveNote(parts, confirmed, 'confirm');
  for (const copy of (await parts.notes.list()).filter(
    (one) => isExtracted(one) && quotesSentence(confirmed, one),
  ))
    await archiveNote(parts, copy);
  if (replaced === undefined || !isReplacement) return;
  const old = await parts.notes.get(replaced.id);
  if (old?.state === 'active' && mayBeReplaced(old) && old.validFrom <= note.validFrom)
    await closeStatement(parts, old, { by: note.id, at: note.validFrom });
}
