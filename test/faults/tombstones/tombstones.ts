import { join } from 'node:path';
import { createPlayedProject, type PlayedProject } from '../../../bench/sessions/play.ts';
import type { ScriptedSession } from '../../../bench/sessions/script.ts';
import { sessionIdOf } from '../../../bench/sessions/transcript.ts';
import { agentFolders } from '../../../src/agents/settings.ts';
import { findTranscripts } from '../../../src/agents/transcripts.ts';
import type { Distiller } from '../../../src/distil/distiller.ts';
import type { Note } from '../../../src/domain/note.ts';
import { exportProject, restoreProject } from '../../../src/memory/archive.ts';
import { importTranscripts } from '../../../src/memory/capture/import-transcripts.ts';
import { drain } from '../../../src/memory/drain.ts';
import { distilSessions } from '../../../src/memory/notes/distil-sessions.ts';
import { forget } from '../../../src/memory/notes/forget.ts';
import type { ForgetRequest } from '../../../src/memory/notes/forget-request.ts';
import { importNotes } from '../../../src/memory/notes/import-notes.ts';
import { notePartsOf } from '../../../src/memory/notes/note-parts.ts';
import { temporaryFolder } from '../../harness/cleanup.ts';
import { atLeast, type Bar, type Evaluation, exactly, showProgress } from '../../harness/evaluation.ts';
import { createRandom } from '../../harness/random.ts';
import { filesUnder } from '../../support/sandbox.ts';
import { type Fact, inventFacts } from './facts.ts';

/**
 * Facts that became notes are forgotten in every way there is. Then the evaluation tries everything that could bring
 * one back: a rebuilt index, reading the transcripts again, extraction in the same and in other words, an older
 * archive, and another tool's store. No note may return, and no file of the data directory may contain a unique word of
 * a fact.
 */
export const tombstones: Evaluation = {
  name: 'tombstones',
  summary: 'forgotten notes do not return after reindex, import, extraction in other words, or restore',
  file: import.meta.filename,
  measures: [
    'src/memory/notes',
    'src/memory/archive.ts',
    'src/memory/drain.ts',
    'src/memory/capture/event-writer.ts',
    'src/memory/capture/import-transcripts.ts',
    'src/memory/capture/read-transcripts.ts',
    'src/memory/prelude/prelude-file.ts',
    'src/memory/prompt-context/topic-table.ts',
    'src/distil/distil-session.ts',
    'src/store/events',
    'src/store/notes',
    'src/store/sqlite/log-index.ts',
    'src/store/sqlite/open-index.ts',
    'src/recall/catch-up.ts',
    'src/recall/extracted-note-id.ts',
    'src/recall/replay-log.ts',
  ],
  async run({ isShort, seed }) {
    const doomedCount = isShort ? 60 : 500;
    const perDay = isShort ? 10 : 20;
    const random = createRandom(seed);
    const doomed = inventFacts(doomedCount, random);
    const kept = inventFacts(perDay, random);
    const project = createPlayedProject(temporaryFolder('tombstones'), 'tombs');
    const sessions = [...sessionsOf('doomed', doomed, 0, perDay), ...sessionsOf('kept', kept, 90, perDay)];
    for (const [at, session] of sessions.entries()) {
      await project.play(session, { drainsEachTurn: false });
      showProgress(at + 1, sessions.length);
    }
    const before = await project.notes();
    const archive = join(temporaryFolder('tombstones-archive'), 'before.jsonl.gz');
    await exportProject(project.parts, archive);
    const foreign = foreignNotes(doomed.slice(0, 20));
    await importNotes(project.parts, 'other-tool', foreign, 1);
    const bars: Record<string, Bar> = {
      'facts that became notes': atLeast(
        doomed.filter((fact) => isAmong(ownNotes(before), fact)).length,
        doomedCount,
      ),
    };
    await forgetInEveryWay(project, doomed, sessions, perDay);
    const ways: Record<string, () => Promise<unknown>> = {
      'being forgotten': async () => {},
      reindex: () => reindex(project),
      'reading the transcripts again': () => importAgain(project),
      'extraction in the same words': () => reindex(project),
      'extraction in other words': () => extractAgain(project, paraphrasing(sessions, doomed)),
      restore: () => restoreProject(project.parts, archive),
      "import of another tool's store": () => importNotes(project.parts, 'other-tool', foreign, 1),
    };
    for (const [way, tryIt] of Object.entries(ways)) {
      await tryIt();
      await drain(project.parts);
      const notes = await project.notes();
      bars[`notes back after ${way}`] = exactly(doomed.filter((fact) => isAmong(notes, fact)).length, 0);
      bars[`facts left in a file after ${way}`] = exactly(factsLeft(project, doomed), 0);
    }
    const after = await project.notes();
    bars['facts that nobody forgot and are still there'] = exactly(
      kept.filter((fact) => isAmong(after, fact)).length,
      kept.length,
    );
    const figures = { notes: before.length, sessions: sessions.length };
    return { n: doomedCount, figures, bars };
  },
};

/** One session for each fact. */
const sessionsOf = (name: string, facts: Fact[], firstDay: number, perDay: number): ScriptedSession[] =>
  facts.map(({ prompt, echo }, at) => ({
    name: `${name}-${at}`,
    day: firstDay + at / perDay,
    acts: [
      { kind: 'prompt', text: prompt },
      { kind: 'answer', text: echo },
    ],
  }));

const ownNotes = (notes: Note[]): Note[] => notes.filter(({ kind }) => kind !== 'summary');

const isAmong = (notes: Note[], { marks }: Fact): boolean =>
  notes.some(({ text, title }) => marks.some((mark) => `${title} ${text}`.includes(mark)));

function factsLeft({ parts }: PlayedProject, facts: Fact[]): number {
  const all = [...filesUnder(parts.paths.home)].map(
    ({ path, bytes }) => `${path}\n${bytes.toString('latin1')}`,
  );
  return facts.filter(({ marks }) => all.some((text) => marks.some((mark) => text.includes(mark)))).length;
}

/** Forgets facts by words, by text, by source and by time, and the rest by id. */
async function forgetInEveryWay(
  project: PlayedProject,
  facts: Fact[],
  sessions: ScriptedSession[],
  perDay: number,
): Promise<void> {
  const { parts } = project;
  const { context } = notePartsOf(parts);
  const go = (request: Partial<ForgetRequest>) => forget(parts, { ids: [], ...request }, context);
  const half = perDay / 2;
  const fifth = Math.floor(facts.length / 5);
  for (const { marks } of facts.slice(0, half)) await go({ words: `${marks[1]} ${marks[0]}` });
  for (const { marks } of facts.slice(half, perDay)) await go({ containing: marks[0] ?? '' });
  for (const { name } of sessions.slice(fifth, 2 * fifth)) await go({ source: project.sessionId(name) });
  const dayOf = (at: number): number => sessions[at]?.day ?? 0;
  await go({ since: project.dayStart(dayOf(2 * fifth)), until: project.dayStart(dayOf(3 * fifth)) });
  // Run a drain (background indexing), which recreates notes that lost only a part. Then forget everything that
  // remains, by id.
  await drain(parts);
  const notes = (await project.notes()).filter((note) => facts.some((fact) => isAmong([note], fact)));
  await go({ ids: notes.map(({ id }) => id) });
}

async function reindex({ parts }: PlayedProject): Promise<void> {
  parts.access.discard();
  await drain(parts);
}

async function importAgain({ parts }: PlayedProject): Promise<void> {
  parts.access.discard();
  const folders = agentFolders({}, parts.userHome);
  const steps = { onRead: () => {}, onIndex: () => {} };
  await importTranscripts(parts, findTranscripts(folders, ['claude-code']), steps);
}

async function extractAgain({ parts }: PlayedProject, distiller: Distiller): Promise<void> {
  const writing = parts.access.forWriting();
  if (writing === undefined) throw new Error('somebody else writes the index');
  try {
    await distilSessions(parts, writing.index, { isOver: () => false }, distiller);
  } finally {
    await writing.close();
  }
}

/** Proposes every forgotten fact again in other words, from its original turn. */
function paraphrasing(sessions: ScriptedSession[], facts: Fact[]): Distiller {
  return {
    id: 'paraphrase',
    async distil({ agentSession, turns }) {
      const at = sessions.findIndex(({ name }) => agentSession === sessionIdOf(name));
      return facts.slice(at, at + 1).map(({ paraphrase }) => ({
        kind: 'decision' as const,
        text: paraphrase,
        turn: `${sessions[at]?.name}-turn-0`,
        at: Date.UTC(2026, 5, 1),
        evidence: turns.flatMap(({ acts }) => acts.map(({ event }) => event)).slice(0, 1),
        files: [],
        trust: 2 as const,
      }));
    },
  };
}

const foreignNotes = (facts: Fact[]) =>
  facts.map(({ prompt }, at) => ({
    key: `note-${at}`,
    kind: 'knowledge' as const,
    title: prompt,
    text: prompt,
    concepts: [],
    files: [],
    created: '',
  }));
