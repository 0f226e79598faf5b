import { possibleChanges } from '../../src/recall/possible-changes.ts';
import { atLeast, atMost, type Evaluation, round, showProgress } from '../../test/harness/evaluation.ts';
import { statementRules } from '../../test/harness/measured-code.ts';
import { isToldIn, type Played, playedProject, readCases, writers } from './play.ts';

interface Said {
  prompt: string;
  quote: string;
  topic: string;
}

interface Figures {
  statements: number;
  lost: string[];
  closed: string[];
  marked: number;
  trials: number;
}

const none = (): Figures => ({ statements: 0, lost: [], closed: [], marked: 0, trials: 0 });

/**
 * Statements on different matters that share words, unrelated prompts with "instead" or "actually", and true changes:
 * each typed by a user, with and without an agent that saves it.
 */
export const siblings: Evaluation = {
  name: 'siblings',
  summary: 'a statement ends only if the user ends it: siblings stay, changes are told',
  options: { writers: { type: 'string' } },
  file: import.meta.filename,
  measures: statementRules,
  async run({ isShort, own }) {
    const chosen = typeof own.writers === 'string' ? own.writers.split(',') : writers;
    const [groups, unrelated] = [none(), none()];
    const changed = { pairs: 0, newOrMarked: 0, oldAlone: 0, marked: 0 };
    for (const [at, writer] of chosen.entries()) {
      for (const isSaved of [true, false]) {
        await trySiblings(writer, isShort, isSaved, groups);
        await tryUnrelated(writer, isShort, isSaved, unrelated);
      }
      await tryChanges(writer, isShort, changed);
      showProgress(at + 1, chosen.length);
    }
    for (const line of [...groups.lost, ...groups.closed, ...unrelated.lost, ...unrelated.closed])
      console.log(line);
    const percent = (part: number, whole: number): number => round((100 * part) / Math.max(1, whole));
    return {
      n: groups.trials + unrelated.trials + changed.pairs,
      figures: {
        'sibling groups': groups.trials,
        'sibling statements': groups.statements,
        'unrelated next prompts': unrelated.trials,
        'true changes': changed.pairs,
        'changes with the mark %': percent(changed.marked, changed.pairs),
      },
      bars: {
        'siblings lost': atMost(groups.lost.length + groups.closed.length, 0),
        'closed by an unrelated prompt': atMost(unrelated.lost.length + unrelated.closed.length, 0),
        'siblings and unrelated prompts with the mark %': atMost(
          percent(groups.marked + unrelated.marked, groups.statements + unrelated.statements),
          5,
        ),
        'changes: the new one told, or both with the mark %': atLeast(
          percent(changed.newOrMarked, changed.pairs),
          95,
        ),
        'changes: the old one told alone %': atMost(percent(changed.oldAlone, changed.pairs), 1),
      },
    };
  },
};

/** The true changes alone. */
export const changes: Evaluation = {
  name: 'changes',
  summary: 'something is settled and changed later: the change is told, and the old state never alone',
  options: { writers: { type: 'string' } },
  file: import.meta.filename,
  measures: statementRules,
  async run({ isShort, own }) {
    const changed = { pairs: 0, newOrMarked: 0, oldAlone: 0, marked: 0 };
    for (const writer of typeof own.writers === 'string' ? own.writers.split(',') : writers)
      await tryChanges(writer, isShort, changed);
    const percent = (part: number): number => round((100 * part) / Math.max(1, changed.pairs));
    return {
      n: changed.pairs,
      figures: { 'changes with the mark %': percent(changed.marked) },
      bars: {
        'the new one told, or both with the mark %': atLeast(percent(changed.newOrMarked), 95),
        'the old one told alone %': atMost(percent(changed.oldAlone), 1),
      },
    };
  },
};

async function trySiblings(
  writer: string,
  isShort: boolean,
  isSaved: boolean,
  figures: Figures,
): Promise<void> {
  const groups = readCases<{ id: string; statements: Said[] }>(writer, 'siblings', isShort);
  const project = await playedProject();
  for (const { id, statements } of groups)
    for (const [at, { prompt, quote, topic }] of statements.entries())
      await project.play(`${id}-${at}`, [{ user: prompt }], isSaved ? { topic, quote } : undefined);
  await project.settle();
  for (const { id, statements } of groups) {
    figures.trials += 1;
    await check(project, figures, {
      id,
      isSaved,
      said: statements,
      sessions: statements.map((_, at) => `${id}-${at}`),
    });
  }
}

async function tryUnrelated(
  writer: string,
  isShort: boolean,
  isSaved: boolean,
  figures: Figures,
): Promise<void> {
  const cases = readCases<{ id: string; statement: Said; next: string }>(writer, 'unrelated', isShort);
  const project = await playedProject();
  const told = new Set<string>();
  for (const { id, statement, next } of cases) {
    const { prompt, quote, topic } = statement;
    const answer = await project.play(id, [{ user: prompt }], isSaved ? { topic, quote } : undefined);
    if (answer.startsWith('Remembered')) told.add(id);
    await project.play(id, [{ agent: 'Done.' }, { user: next }]);
  }
  await project.settle();
  for (const { id, statement } of cases) {
    figures.trials += 1;
    // What ends with a question mark was never told, so it cannot be lost.
    await check(project, figures, { id, isSaved: told.has(id), said: [statement], sessions: [id] });
  }
}

interface Checked {
  id: string;
  /** Whether the agent saved the statements. Otherwise those count that were extracted without it. */
  isSaved: boolean;
  said: Said[];
  sessions: string[];
}

async function check(
  project: Played,
  figures: Figures,
  { id, isSaved, said, sessions }: Checked,
): Promise<void> {
  const notes = await project.notes();
  const sessionOf = await project.sessions();
  const lines = await project.told();
  const changes = possibleChanges(notes);
  for (const [at, { quote }] of said.entries()) {
    const session = sessions[at] ?? '';
    const own = notes.filter(
      (note) => sessionOf.get(note.id) === session && note.kind !== 'summary' && note.kind !== 'fix',
    );
    const told = lines.filter(({ note }) => own.some((one) => one.id === note));
    // Without an agent only explicit sentences are told, so what was never told cannot be lost.
    if (isSaved && !isToldIn(told, quote)) figures.lost.push(`${id} lost: ${quote}`);
    for (const note of own) {
      if (note.state === 'superseded') figures.closed.push(`${id} closed: ${note.text}`);
      const later = changes.get(note.id);
      if (later !== undefined && sessions.includes(sessionOf.get(later.id) ?? '')) figures.marked += 1;
    }
    figures.statements += isSaved || own.length > 0 ? 1 : 0;
  }
}

async function tryChanges(
  writer: string,
  isShort: boolean,
  figures: { pairs: number; newOrMarked: number; oldAlone: number; marked: number },
): Promise<void> {
  const pairs = readCases<{ id: string; first: Said; second: Said }>(writer, 'changes', isShort);
  const project = await playedProject();
  for (const { id, first, second } of pairs) {
    const answer = await project.play(`${id}-0`, [{ user: first.prompt }], {
      topic: first.topic,
      quote: first.quote,
    });
    const replaces = /id ([0-9a-f]{8})/.exec(answer)?.[1];
    await project.play(`${id}-1`, [{ user: second.prompt }], {
      topic: second.topic,
      quote: second.quote,
      ...(replaces === undefined ? {} : { replaces }),
    });
  }
  await project.settle();
  const notes = await project.notes();
  const sessionOf = await project.sessions();
  const lines = await project.told();
  const changes = possibleChanges(notes);
  for (const { id, first, second } of pairs) {
    const linesOf = (session: string) => lines.filter(({ note }) => sessionOf.get(note ?? '') === session);
    const isOld = isToldIn(linesOf(`${id}-0`), first.quote);
    const isNew = isToldIn(linesOf(`${id}-1`), second.quote);
    const isMarked = notes.some(
      (note) =>
        sessionOf.get(note.id) === `${id}-0` && sessionOf.get(changes.get(note.id)?.id ?? '') === `${id}-1`,
    );
    figures.pairs += 1;
    if (isNew || isMarked) figures.newOrMarked += 1;
    else console.log(`${id} change not told: ${second.quote}`);
    if (isOld && !isNew && !isMarked) figures.oldAlone += 1;
    if (isMarked) figures.marked += 1;
  }
}
