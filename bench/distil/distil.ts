import { join } from 'node:path';
import { type WriterProvider, writerProviders } from '../../src/domain/writer-choice.ts';
import { temporaryFolder } from '../../test/harness/cleanup.ts';
import {
  atLeast,
  atMost,
  type Bar,
  type Evaluation,
  round,
  showProgress,
} from '../../test/harness/evaluation.ts';
import { createRandom } from '../../test/harness/random.ts';
import { type Judged, judgeNotes, judgePrelude, judgeRecall } from './judge.ts';
import { createPlayedProject } from './play.ts';
import { readSessions, type ScriptedSession } from './script.ts';
import { type ScriptedProvider, startScriptedProvider } from './scripted-provider.ts';
import { waitingPerSession } from './waiting.ts';

/**
 * Limit for the notes per session that wait for a person's review. At this rate a week of work is reviewed in a minute.
 */
const maxWaiting = 0.3;

/**
 * Runs scripted agent sessions through the real hooks, transcripts and drains (background indexing). Measures which
 * facts became notes, how many notes are junk, whether recall finds the decisions, whether the prelude (the context
 * that the next session receives) answers likely first questions, and how many notes need review. Half of the sessions
 * are held out by a hash of their names; failures are printed only for the other half.
 */
export const distil: Evaluation = {
  name: 'distil',
  summary:
    'notes from scripted sessions: facts kept, junk, decisions recalled, preludes that answer, notes to review',
  async run({ isShort, seed }) {
    const sessions = readSessions();
    const judged = await judgeAll(sessions, isShort);
    for (const { session, complaints } of judged) {
      if (session.isHeldOut || complaints.length === 0) continue;
      console.log(`${session.name}\n${complaints.map((one) => `  ${one}`).join('\n')}`);
    }
    const heldOut = figuresOf(judged.filter(({ session }) => session.isHeldOut));
    const tuned = figuresOf(judged.filter(({ session }) => !session.isHeldOut));
    const figures: Record<string, number> = {};
    for (const [key, value] of Object.entries(heldOut)) figures[`held-out ${key}`] = value;
    for (const [key, value] of Object.entries(tuned)) figures[`tuned-on ${key}`] = value;
    const asked = await withModels(sessions, isShort);
    const waitingOnSample = await waitingPerSession(createRandom(seed));
    return {
      n: judged.length,
      figures: { ...figures, ...asked.figures },
      bars: {
        'held-out facts kept %': atLeast(heldOut['facts kept %'], 80),
        'held-out junk notes %': atMost(heldOut['junk notes %'], 10),
        'held-out decisions in the first three hits %': atLeast(
          heldOut['decisions in the first three hits %'],
          90,
        ),
        'held-out questions answered by the prelude %': atLeast(
          heldOut['questions answered by the prelude %'],
          80,
        ),
        'held-out waiting for review per session': atMost(
          heldOut['waiting for review per session'],
          maxWaiting,
        ),
        'sample set waiting for review per session': atMost(waitingOnSample, maxWaiting),
        ...asked.bars,
      },
    };
  },
};

async function judgeAll(
  sessions: ScriptedSession[],
  isShort: boolean,
  model?: ScriptedProvider,
): Promise<Judged[]> {
  const judged: Judged[] = [];
  for (const [name, own] of Map.groupBy(sessions, ({ project }) => project)) {
    judged.push(...(await judgeProject(name, own, model)));
    showProgress(judged.length, sessions.length);
    if (isShort && judged.length >= sessions.length / 3) break;
  }
  return judged;
}

/**
 * Extracts notes with a scripted model behind each provider, called through the provider's real protocol or program.
 */
async function withModels(sessions: ScriptedSession[], isShort: boolean) {
  const providers: WriterProvider[] = isShort ? ['openai', 'claude'] : [...writerProviders];
  const figures: Record<string, number> = {};
  const bars: Record<string, Bar> = {};
  for (const provider of providers) {
    const model = await startScriptedProvider(provider, sessions);
    const judged = await judgeAll(sessions, isShort, model);
    await model.close();
    const heldOut = figuresOf(judged.filter(({ session }) => session.isHeldOut));
    const of = (name: string): string => `held-out ${name}, ${provider}`;
    figures[of('notes per session')] = heldOut['notes per session'];
    figures[of('waiting for review per session')] = heldOut['waiting for review per session'];
    figures[of('questions answered by the prelude %')] = heldOut['questions answered by the prelude %'];
    bars[of('facts kept %')] = atLeast(heldOut['facts kept %'], 80);
    bars[of('junk notes %')] = atMost(heldOut['junk notes %'], 10);
  }
  return { figures, bars };
}

/**
 * Plays all sessions of a project and scores the result. Preludes are checked when each session ends, recall after all
 * sessions.
 */
async function judgeProject(
  name: string,
  sessions: ScriptedSession[],
  model: ScriptedProvider | undefined,
): Promise<Judged[]> {
  const project = createPlayedProject(join(temporaryFolder('distil'), name), name);
  const ended: (Omit<Judged, 'answered' | 'toldLater'> & { session: ScriptedSession })[] = [];
  const before = new Map<string, number>();
  for (const session of sessions) {
    await project.play(session, { drainsEachTurn: model === undefined });
    await model?.askAbout(project.parts);
    const all = await project.notes();
    const fresh = all.filter(({ id, rev }) => before.get(id) !== rev);
    for (const { id, rev } of all) before.set(id, rev);
    const notes = judgeNotes(session, fresh);
    const prelude = judgePrelude(session, project.prelude());
    ended.push({ session, ...notes, ...prelude, complaints: [...notes.complaints, ...prelude.complaints] });
  }
  const judged: Judged[] = [];
  for (const one of ended) {
    const { answered, complaints } = await judgeRecall(one.session, project);
    const { told: toldLater } = judgePrelude(one.session, project.prelude());
    judged.push({ ...one, answered, toldLater, complaints: [...one.complaints, ...complaints] });
  }
  return judged;
}

function figuresOf(judged: Judged[]) {
  const sum = (count: (one: Judged) => number): number =>
    judged.reduce((total, one) => total + count(one), 0);
  const share = (part: number, whole: number): number => (whole === 0 ? 0 : round((part / whole) * 100));
  const facts = sum(({ session }) => session.keep.length);
  const notes = sum((one) => one.notes);
  const kept = sum((one) => one.kept);
  return {
    sessions: judged.length,
    facts,
    notes,
    'notes per session': round(notes / Math.max(1, judged.length)),
    'waiting for review per session': round(sum((one) => one.waiting) / Math.max(1, judged.length)),
    'facts kept %': share(kept, facts),
    'of the right kind %': share(
      sum((one) => one.rightKind),
      kept,
    ),
    'junk notes %': share(
      sum((one) => one.junk),
      notes,
    ),
    'junk among notes other than summaries %': share(
      sum((one) => one.junk - one.junkSummaries),
      sum((one) => one.notes - one.summaries),
    ),
    questions: sum(({ session }) => session.ask.length + session.next.length),
    'decisions in the first three hits %': share(
      sum((one) => one.answered),
      sum(({ session }) => session.ask.length),
    ),
    'questions answered by the prelude %': share(
      sum((one) => one.told),
      sum(({ session }) => session.next.length),
    ),
    'still answered after all sessions of the project %': share(
      sum((one) => one.toldLater),
      sum(({ session }) => session.next.length),
    ),
  };
}
