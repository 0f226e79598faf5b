import { isoTime } from '../../base/clock.ts';
import { hashId } from '../../base/hash.ts';
import { uuidOf } from '../../base/ids.ts';
import type { ModelStatement } from '../../distil/with-model.ts';
import { freshNote, isConfirmed, isForeign, type Note } from '../../domain/note.ts';
import { isExtracted } from './agent-statement.ts';
import { distilAuthor } from './distil-mark.ts';
import { type DistilRun, isBuried, wasDeleted } from './distil-sessions.ts';
import { findClosed, isLive, saysSame } from './note-lifecycle.ts';
import { quotesSentence } from './quotes-sentence.ts';
import { archiveNote, saveNote, titleOf } from './remember.ts';
import { withoutRepositoryText } from './repository-text.ts';
import { isUntouched } from './untouched-note.ts';

/**
 * Saves what a model found in a session, and returns how many notes are new. The user's own sentences and exchanges are
 * active at once, and told as what was said on a day. The model's wordings are candidates. Nothing is closed here: that
 * needs a confirmation, see confirm-statements.ts.
 */
export async function saveModelStatements(
  run: DistilRun,
  agentSession: string,
  statements: ModelStatement[],
): Promise<number> {
  let saved = 0;
  for (const statement of statements) if (await save(run, agentSession, statement)) saved += 1;
  await archiveGuesses(run, agentSession);
  return saved;
}

/** The model has read the whole session, so its judgement replaces unconfirmed guesses. Recall still finds them. */
async function archiveGuesses(run: DistilRun, agentSession: string): Promise<void> {
  const { parts, notes, index } = run;
  const guesses = [...notes.values()].filter(isGuess);
  const sources = await index.events(guesses.flatMap(({ derivedFrom }) => derivedFrom));
  for (const note of guesses)
    if (
      note.derivedFrom.every((id) => sources.get(id)?.agentSession === agentSession) &&
      (await isUntouched(parts.log, index, note))
    )
      await archive(run, note);
}

const isGuess = (note: Note): boolean => isExtracted(note) && !isConfirmed(note);

async function save(run: DistilRun, agentSession: string, statement: ModelStatement): Promise<boolean> {
  const { parts, notes, index } = run;
  const proof = await withoutRepositoryText(run.repositoryFileWith, statement.proof, statement.at);
  const note = toNote(run, agentSession, { ...statement, proof });
  if (notes.has(note.id) || (await isBuried(run, note, statement.turn, agentSession))) return false;
  if (await wasDeleted(run, note.id)) return false;
  const own = [...notes.values()].filter((other) => !isForeign(other));
  if (findClosed(note, own) !== undefined) return false;
  const copies = own.filter((other) => isCopy(note, other));
  const isStated = own.some((other) => isLive(other) && !copies.includes(other) && isSame(note, other));
  if (isStated) return false;
  await saveNote(parts, note, 'create');
  notes.set(note.id, note);
  for (const copy of copies) if (await isUntouched(parts.log, index, copy)) await archive(run, copy);
  return true;
}

const isSame = (note: Note, other: Note): boolean => saysSame(note, other) && note.quote === other.quote;

/** The same sentence, extracted without a model and so without a topic. The model's note takes its place. */
const isCopy = (note: Note, other: Note): boolean =>
  isGuess(other) && (saysSame(note, other) || quotesSentence(note, other));

async function archive({ parts, notes, learnedIn }: DistilRun, note: Note): Promise<void> {
  const learned = learnedIn === undefined ? {} : { learnedIn };
  notes.set(note.id, await archiveNote(parts, note, learned));
}

function toNote(
  { parts, notes, learnedIn }: DistilRun,
  agentSession: string,
  statement: ModelStatement,
): Note {
  const { redact } = parts.redactor;
  const { kind, turn, evidence, files, importance, trust, proof, replaces } = statement;
  const later = notes.get(statement.endedBy ?? '');
  // A later session changed it, so it is history: recall finds it, and no session is told it.
  const ended =
    later === undefined || Date.parse(later.validFrom) < statement.at
      ? {}
      : { state: 'superseded' as const, validTo: later.validFrom, closedBy: [later.id] };
  const [text, topic, quote] = [redact(proof.text), redact(statement.topic), redact(proof.quote)];
  // If a failed call is repeated, the model may answer in other words, but on the same topics.
  const place = `${turn} ${statement.topic.toLowerCase() || text}`;
  return freshNote(isoTime(statement.at), {
    // A run that was taken back may be made again.
    id: uuidOf(
      hashId('distil', 'model', agentSession, place, ...(learnedIn === undefined ? [] : [learnedIn])),
    ),
    kind,
    title: titleOf(text),
    state: proof.form === 'reading' ? 'candidate' : 'active',
    trust,
    files,
    author: distilAuthor,
    derivedFrom: evidence,
    ...(topic === '' ? {} : { topic }),
    ...(proof.isTopicTyped ? { isTopicConfirmed: true as const } : {}),
    ...(proof.form === 'quote' || quote === '' ? {} : { quote }),
    ...(proof.proposal === '' ? {} : { proposal: redact(proof.proposal) }),
    ...(replaces !== undefined && notes.has(replaces) ? { replaces: [replaces] } : {}),
    ...(importance === undefined ? {} : { importance }),
    ...(learnedIn === undefined ? {} : { learnedIn }),
    ...ended,
    text,
  });
}
