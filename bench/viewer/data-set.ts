import type { Observation } from '../../src/agents/agent.ts';
import { hashId } from '../../src/base/hash.ts';
import { homePaths } from '../../src/base/paths.ts';
import type { AgentName, EditHunk } from '../../src/domain/event.ts';
import { toEvent } from '../../src/memory/capture/capture.ts';
import { drain, drainLimits } from '../../src/memory/drain.ts';
import { rememberNote } from '../../src/memory/notes/remember.ts';
import { inboxOf } from '../../src/memory/notes/review.ts';
import type { OpenProject } from '../../src/memory/projects/open-project.ts';
import { resolvePlace } from '../../src/memory/projects/projects.ts';
import { rulesOnly } from '../../src/memory/redact/redact.ts';
import { openLedger } from '../../src/spend/ledger.ts';
import { type Home, openDrain } from '../../test/harness/home.ts';
import type { Random } from '../../test/harness/random.ts';
import { createLongFile, type LongFile, longFilePath } from './long-file.ts';
import { anyNote, anyNoteOn, type NoteWriter, noteOn, proposal, type WorkedAt } from './sample-notes.ts';
import { createSampleRepo, type SampleFile, type SampleRepo } from './sample-repo.ts';
import { answerText, decisionText, hostileTexts, promptText, type Topic, topics } from './stories.ts';

/**
 * Weeks of work in a shop's repository, created by the product: events through capture and the log, notes through
 * `remember` and distilling, anchored to lines that were edited, and model costs through the ledger.
 */
export interface DataSet {
  sessions: number;
  notes: number;
  /** Number of proposals in the inbox. */
  waiting: number;
  /** A question, and words of the decision that answers it. */
  question: { text: string; answer: string };
  /** For timing; each is asked once. */
  questions: string[];
  /** Ids of three notes whose code was later changed, moved and deleted, and words of the first. */
  fates: { changed: string; moved: string; gone: string };
  words: string;
  /** An agent session with all kinds of events. */
  session: string;
  /** Notes with hostile text. */
  hostile: string[];
  /** A file of about 2,000 lines that every session changed. */
  longFile: string;
}

const hour = 3_600_000;
const day = 24 * hour;
const spanDays = 40;
/** Proposals that the last session made. */
const proposalsOfSession = 10;
const agents: AgentName[] = [
  'claude-code',
  'claude-code',
  'claude-code',
  'codex',
  'codex',
  'opencode',
  'pi',
  'cursor',
];

export async function createDataSet(
  home: Pick<Home, 'home' | 'repo' | 'backstory' | 'events'>,
  { sessions, notes, random }: { sessions: number; notes: number; random: Random },
): Promise<DataSet> {
  const now = Date.now();
  const clock = { at: now - spanDays * day, now: () => clock.at };
  const long = createLongFile(home.repo, sessions, random);
  const repo = createSampleRepo(home.repo, clock.at);
  const paths = homePaths(home.backstory);
  const { place, remember } = resolvePlace(paths, home.repo, clock);
  remember();
  const parts = openDrain(paths, place.project, { userHome: home.home, clock });
  const write = (observation: Observation, agent: AgentName): void => {
    const context = { ...contextOf(parts, agent), head: repo.head() };
    const event = toEvent(
      observation,
      {
        ...context,
        root: home.repo,
        exclude: [],
        userHome: home.home,
        checkout: place.checkout,
        hashKey: parts.device.key,
        redactor: rulesOnly,
      },
      clock,
    );
    if (event !== undefined) parts.log.append([event]);
  };
  const deskFor = (agent: AgentName, agentSession: string): NoteWriter => ({
    parts: {
      notes: parts.notes,
      log: parts.log,
      context: { ...contextOf(parts, agent), agentSession },
      userHome: home.home,
      clock,
      redactor: rulesOnly,
    },
    root: home.repo,
    key: parts.device.key,
    repo,
    random,
  });
  const own = deskFor('backstory', '');

  // Some notes are distilled from the sessions, and a few are written afterwards.
  const perSession = Math.floor((notes * 0.85) / sessions);
  const fates: Partial<DataSet['fates']> = {};
  let written = 0;
  let hasGoneOn = false;
  for (let number = 0; number < sessions; number++) {
    const progress = number / Math.max(1, sessions - 1);
    // Some sessions are today; the last ended minutes ago.
    const begins = Math.round(
      now - spanDays * day * (1 - progress) ** 1.3 - 8 * 60_000 - random.whole(0, hour),
    );
    if (fates.changed === undefined && begins > now - 10 * day) {
      clock.at = now - 10 * day;
      Object.assign(fates, await notesOfEveryFate(own));
    }
    if (!hasGoneOn && begins > now - 2 * day) {
      hasGoneOn = true;
      repo.goOn(now - 2 * day);
    }
    clock.at = begins;
    const { agent, places, commit } = workSession({ number, repo, long, random, clock, write });
    const writer = deskFor(agent, sessionId(number));
    if (number % 12 === 4) await anyNoteOn(own, long);
    for (let count = 0; count < perSession; count++) {
      clock.at += random.whole(2_000, 20_000);
      const at = random.pick(places);
      await (written++ % 130 === 5 ? proposal(writer, at) : anyNote(own, written, at));
    }
    commit();
  }
  clock.at = now - 10 * 60_000;
  const last = sessionId(sessions - 1);
  const prompt = home
    .events()
    .findLast(({ kind, agentSession }) => kind === 'prompt' && agentSession === last);
  for (const { choice, thing } of topics.slice(0, proposalsOfSession)) {
    clock.at += 1_000;
    await rememberNote(deskFor('claude-code', last).parts, {
      kind: 'decision',
      text: `New code for ${thing} also uses ${choice}.`,
      concepts: [],
      files: [],
      trust: 1,
      author: 'claude-code',
      derivedFrom: [prompt?.id ?? ''],
    });
  }
  await drainAll(parts);
  for (const text of opposites) await rememberNote(own.parts, { ...ownWord, text });
  for (const text of hostileTexts) await rememberNote(own.parts, { ...ownWord, text });
  const left = notes - (await parts.notes.list()).length;
  for (let count = 0; count < left; count++) await anyNote(own, written++, undefined);
  clock.at = now;
  await drainAll(parts);
  writeLedger(paths.ledger, place.project, random, now);
  const all = await parts.notes.list();
  const topic = topics[4] as Topic;
  return {
    sessions,
    notes: all.length,
    waiting: inboxOf(all).candidates.length,
    question: { text: `why ${topic.choice} for ${topic.thing}`, answer: topic.choice },
    questions: topics.map(({ choice, thing }) => `why ${choice} for ${thing}`),
    fates: fates as DataSet['fates'],
    words: 'reconciliation window for gift cards',
    session: sessionId(sessions - 3),
    hostile: all
      .filter(({ text }) => hostileTexts.some((hostile) => text.startsWith(hostile.slice(0, 20))))
      .map(({ id }) => id),
    longFile: longFilePath,
  };
}

const sessionId = (number: number): string => hashId('sample session', String(number)).slice(0, 24);

const ownWord = { kind: 'rule' as const, concepts: [], files: [], trust: 3 as const, author: 'tester' };

const madeFor: Record<keyof DataSet['fates'], string> = {
  changed:
    'Keep the reconciliation window for gift cards at nine days.\n\nThe bank settles late in December, and every booking must have been seen before a month is closed.',
  moved:
    'Ask for the tenant before the row is read, never after.\n\nAn import once wrote into the wrong shop for a night.',
  gone: 'Leave the second read in: the replica lags by up to four seconds in the evening.',
};

/**
 * Writes one note for each later change of its code. They are made before the code changes, in files that no session
 * edits later.
 */
async function notesOfEveryFate(desk: NoteWriter): Promise<DataSet['fates']> {
  const made = Object.entries(madeFor).map(async ([fate, text]) => {
    const file = desk.repo.files.findLast((candidate) => candidate.fate === fate) as SampleFile;
    const wanted = { kind: 'decision' as const, text, trust: 3 as const, author: 'tester' };
    return [fate, (await noteOn(desk, wanted, [{ file, ...file.opening }])).id];
  });
  return Object.fromEntries(await Promise.all(made)) as DataSet['fates'];
}

/** A note and a later one that may have changed it; they wait for a decision. */
const opposites = [
  'Currency amounts have 2 decimal places in reports.',
  'Currency amounts have 3 decimal places in reports.',
];

const contextOf = ({ project, device }: OpenProject, agent: AgentName) => ({
  device: device.id,
  actor: 'tester',
  agent,
  agentVersion: '1.0',
  agentSession: '',
  clientPid: 0,
  project,
  checkout: '',
  branch: 'main',
  head: '',
});

async function drainAll(parts: OpenProject): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    if ((await drain(parts, { ...drainLimits, maxMs: 600_000 })).isComplete) return;
  }
  throw new Error('the drain did not come to its end');
}

interface Work {
  number: number;
  repo: SampleRepo;
  long: LongFile;
  random: Random;
  clock: { at: number };
  write(observation: Observation, agent: AgentName): void;
}

interface Worked {
  agent: AgentName;
  /** Where the session wrote. */
  places: WorkedAt[];
  /**
   * Commits the edits of the session, if it makes a commit. Called after its notes are made, because notes are made
   * while work is uncommitted.
   */
  commit(): void;
}

/** A few turns: a prompt, reads, edits, commands and an answer; sometimes a decision and a commit. */
function workSession({ number, repo, long, random, clock, write }: Work): Worked {
  const agent = random.pick(agents);
  const agentSession = sessionId(number);
  const branch = random.chance(0.3) ? `feature/${random.pick(topics).folder}-${number}` : 'main';
  const topic = topics[number % topics.length] as Topic;
  const places: WorkedAt[] = [];
  let step = 0;
  const writeEvent = (
    content: Pick<Observation, 'kind' | 'body'>,
    origin: Observation['origin'],
    trust: Observation['trust'],
  ) => {
    clock.at += random.whole(4_000, 90_000);
    const id = hashId('sample', agentSession, String(step++));
    const at = new Date(clock.at).toISOString();
    write({ ...content, id, origin, trust, at, agentSession, branch } as Observation, agent);
  };
  const preludeTokens = random.whole(300, 1_200);
  writeEvent({ kind: 'session', body: { phase: 'start', cause: 'startup', preludeTokens } }, 'system', 1);
  for (let turns = random.whole(2, 5), at = 0; at < turns; at++) {
    const turn = `${agentSession}-${at}`;
    const file = repo.file(topic, random.whole(0, 5));
    const { path } = file;
    const isDecision = at === turns - 1 && random.chance(0.6);
    writeEvent(
      { kind: 'prompt', body: { turn, text: isDecision ? decisionText(topic) : promptText(topic, random) } },
      'user',
      2,
    );
    writeEvent(
      {
        kind: 'read',
        body: { turn, path, startLine: 1, lines: 40, hash: '', tokens: random.whole(200, 1_800) },
      },
      'tool',
      0,
    );
    const spared = random.whole(400, 4_000);
    const memo = [
      { path, status: 'fresh' as const, recommendation: 'skip_reread' as const, sparedTokens: spared },
    ];
    if (random.chance(0.7))
      writeEvent(
        { kind: 'served', body: { tool: 'memo_check', tokens: random.whole(60, 200), memo } },
        'system',
        1,
      );
    const { hunk, ...lines } = repo.edit(file, number * 10 + at);
    places.push({ file, ...lines });
    const editEvent = (edited: string, hunks: EditHunk[]) =>
      writeEvent({ kind: 'edit', body: { turn, tool: 'Edit', path: edited, hunks } }, 'assistant', 1);
    editEvent(path, [hunk]);
    if (at === 0) {
      const changed = long.change(number, topic);
      long.latest = { from: changed.from, to: changed.to };
      editEvent(long.path, [changed.hunk]);
    }
    const attempt = at === 1 && number % 25 === 9 ? long.attempt() : undefined;
    if (attempt !== undefined) {
      editEvent(long.path, [attempt.tried]);
      const output = 'FAIL src/orders/ledger.test.ts\nheap out of memory';
      writeEvent(
        { kind: 'command', body: { turn, command: 'npm test -- orders', ok: false, exit: 1, output } },
        'tool',
        0,
      );
      editEvent(long.path, [attempt.reverted]);
      const text = 'I tried a map of recent rows in the ledger, but it ran out of memory, so I reverted it.';
      writeEvent({ kind: 'answer', body: { turn, text } }, 'assistant', 1);
    }
    const ok = random.chance(0.8);
    const output = ok ? undefined : `FAIL src/${topic.folder}/${topic.part}.test.ts\nexpected 200, got 500`;
    writeEvent(
      {
        kind: 'command',
        body: {
          turn,
          command: `npm test -- ${topic.folder}`,
          ok,
          exit: ok ? 0 : 1,
          ...(output === undefined ? {} : { output }),
        },
      },
      'tool',
      0,
    );
    writeEvent({ kind: 'answer', body: { turn, text: answerText(topic, random) } }, 'assistant', 1);
  }
  const subject = `${topic.folder}: ${topic.thing} ${random.pick(['hold under load', 'are tested', 'survive a restart'])}`;
  const isCommitted = random.chance(0.7);
  return { agent, places, commit: () => (isCommitted ? repo.commit(subject, clock.at + 60_000) : undefined) };
}

/** Model calls as the ledger records them: the maximum before a call, and the actual usage after. */
function writeLedger(path: string, project: string, random: Random, now: number): void {
  const clock = { at: 0, now: () => clock.at };
  const ledger = openLedger(path, clock);
  const purpose = { kind: 'distil' as const, project };
  for (let back = 29; back >= 0; back--) {
    for (let call = random.whole(0, 4) + (back === 0 ? 1 : 0); call > 0; call--) {
      clock.at = now - back * day - call * 60_000;
      const [inputTokens, outputTokens] = [random.whole(2_000, 14_000), random.whole(150, 900)];
      const charged = { inputTokens, outputTokens, usd: (inputTokens + outputTokens * 5) / 1_000_000 };
      const id = ledger.begin({ provider: 'anthropic', model: 'small', purpose, reserved: charged });
      const outcome = random.chance(0.92) ? 'written' : 'failed';
      ledger.end(id, { outcome, why: '', charged, retryAfterMs: 0 });
    }
  }
}
