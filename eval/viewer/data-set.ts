import type { Observation } from '../../src/agents/agent.ts';
import { hashId } from '../../src/base/hash.ts';
import { homePaths } from '../../src/base/paths.ts';
import type { AgentName } from '../../src/domain/event.ts';
import type { NoteKind } from '../../src/domain/note.ts';
import { toEvent } from '../../src/memory/capture.ts';
import { type DrainParts, drain, drainLimits } from '../../src/memory/drain.ts';
import { resolvePlace } from '../../src/memory/projects.ts';
import { type NewNote, type NoteParts, pinNote, rememberNote } from '../../src/memory/remember.ts';
import { openLedger } from '../../src/spend/ledger.ts';
import { type Home, openDrain } from '../home.ts';
import type { Random } from '../random.ts';
import { createSampleRepo, type SampleRepo } from './sample-repo.ts';
import {
  answerText,
  decisionText,
  hostileTexts,
  noteText,
  promptText,
  type Topic,
  topics,
} from './stories.ts';

/**
 * Weeks of work in a shop's repository, as the product would have it: events through capture and the log, notes
 * through `remember` and the drain's own distilling, what a model cost through its ledger.
 */
export interface DataSet {
  sessions: number;
  notes: number;
  /** A question, and words that stand in the decision that answers it. */
  question: { text: string; answer: string };
  /** For timing; each is asked once. */
  questions: string[];
  /** A note whose code can be looked at, and words of its own. */
  note: { id: string; words: string };
  /** An agent session with everything in it. */
  session: string;
  /** Notes that were written to do harm. */
  hostile: string[];
}

const hour = 3_600_000;
const day = 24 * hour;
const spanDays = 40;
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
const kinds: NoteKind[] = [
  'decision',
  'decision',
  'convention',
  'fix',
  'gotcha',
  'failed-path',
  'knowledge',
  'discovery',
];

export async function createDataSet(
  home: Home,
  { sessions, notes, random }: { sessions: number; notes: number; random: Random },
): Promise<DataSet> {
  const now = Date.now();
  const clock = { at: now - spanDays * day, now: () => clock.at };
  const repo = createSampleRepo(home.repo, clock.at);
  const paths = homePaths(home.backstory);
  const { place, remember } = resolvePlace(paths, home.repo, clock);
  remember();
  const parts = openDrain(paths, place.project, { userHome: home.home, clock });
  const write = (observation: Observation, agent: AgentName): void => {
    const context = { ...contextOf(parts, agent), root: home.repo, exclude: [], userHome: home.home };
    const event = toEvent(
      observation,
      { ...context, checkout: place.checkout, hashKey: parts.device.key },
      clock,
    );
    if (event !== undefined) parts.log.append([event]);
  };
  for (let number = 0; number < sessions; number++) {
    const progress = number / Math.max(1, sessions - 1);
    // Today has some, too: the last of them ended minutes ago.
    clock.at = Math.round(now - spanDays * day * (1 - progress) ** 1.3 - 8 * 60_000 - random.whole(0, hour));
    workSession({ number, repo, random, clock, write });
  }
  clock.at = now - 5 * day;
  await drainAll(parts);
  const drawn = (await parts.notes.list()).length;
  const desk: NoteParts = {
    notes: parts.notes,
    log: parts.log,
    context: contextOf(parts, 'backstory'),
    userHome: home.home,
    clock,
  };
  await writeNotes(desk, { count: Math.max(0, notes - drawn - opposites.length - 1), repo, random, now });
  // Made before the code went on, so that there is something to see.
  clock.at = now - 10 * day;
  const checked = await rememberNote(desk, { ...ownWord, ...giftCards, files: repo.changed.slice(0, 1) });
  for (const text of opposites) await rememberNote(desk, { ...ownWord, text });
  repo.goOn(now - 2 * day);
  clock.at = now;
  await drainAll(parts);
  writeLedger(paths.ledger, place.project, random, now);
  const all = await parts.notes.list();
  const topic = topics[4] as Topic;
  return {
    sessions,
    notes: all.length,
    question: { text: `why ${topic.choice} for ${topic.thing}`, answer: topic.choice },
    questions: topics.map(({ choice, thing }) => `why ${choice} for ${thing}`),
    note: { id: checked.id, words: 'reconciliation window for gift cards' },
    session: sessionId(sessions - 3),
    hostile: all
      .filter(({ text }) => hostileTexts.some((hostile) => text.startsWith(hostile.slice(0, 20))))
      .map(({ id }) => id),
  };
}

const sessionId = (number: number): string => hashId('sample session', String(number)).slice(0, 24);

const ownWord = { kind: 'convention' as const, concepts: [], files: [], trust: 3 as const, author: 'tester' };
const giftCards = {
  kind: 'decision' as const,
  text: 'Keep the reconciliation window for gift cards at nine days.\n\nThe bank settles late in December, and `toMinorUnits` must have seen every booking before a month is closed.',
};
/** Somebody changed their mind and said so nowhere. */
const opposites = [
  'Always round currency amounts half up in reports.',
  'Never round currency amounts half up in reports.',
];

const contextOf = ({ project, device }: DrainParts, agent: AgentName) => ({
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

async function drainAll(parts: DrainParts): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    if ((await drain(parts, { ...drainLimits, maxMs: 600_000 })).isComplete) return;
  }
  throw new Error('the drain did not come to its end');
}

interface Work {
  number: number;
  repo: SampleRepo;
  random: Random;
  clock: { at: number };
  write(observation: Observation, agent: AgentName): void;
}

/** A few turns: something is asked, looked at, changed, tried and told; now and then decided and committed. */
function workSession({ number, repo, random, clock, write }: Work): void {
  const agent = random.pick(agents);
  const agentSession = sessionId(number);
  const branch = random.chance(0.3) ? `feature/${random.pick(topics).folder}-${number}` : 'main';
  const topic = topics[number % topics.length] as Topic;
  const path = repo.pathOf(topic);
  let step = 0;
  const tell = (
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
  tell({ kind: 'session', body: { phase: 'start', cause: 'startup', preludeTokens } }, 'system', 1);
  for (let turns = random.whole(2, 5), at = 0; at < turns; at++) {
    const turn = `${agentSession}-${at}`;
    const isDecision = at === turns - 1 && random.chance(0.6);
    tell(
      { kind: 'prompt', body: { turn, text: isDecision ? decisionText(topic) : promptText(topic, random) } },
      'user',
      2,
    );
    tell(
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
      tell(
        { kind: 'served', body: { tool: 'memo_check', tokens: random.whole(60, 200), memo } },
        'system',
        1,
      );
    const hunk = repo.edit(topic, number * 10 + at);
    tell({ kind: 'edit', body: { turn, tool: 'Edit', path, hunks: [hunk] } }, 'assistant', 1);
    const ok = random.chance(0.8);
    const output = ok ? undefined : `FAIL src/${topic.folder}/${topic.part}.test.ts\nexpected 200, got 500`;
    tell(
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
    tell({ kind: 'answer', body: { turn, text: answerText(topic, random) } }, 'assistant', 1);
  }
  if (random.chance(0.4))
    repo.commit(
      `${topic.folder}: ${topic.thing} ${random.pick(['hold under load', 'are tested', 'survive a restart'])}`,
      clock.at,
    );
}

async function writeNotes(
  desk: NoteParts & { clock: { at?: number } },
  { count, repo, random, now }: { count: number; repo: SampleRepo; random: Random; now: number },
): Promise<void> {
  const clock = desk.clock as { at: number; now(): number };
  for (let number = 0; number < count; number++) {
    clock.at = Math.round(now - spanDays * day * (1 - number / count) - hour);
    const topic = random.pick(topics);
    const kind = random.pick(kinds);
    const isProposal = number % 130 === 5;
    const hostile = hostileTexts[count - 1 - number];
    const wanted: NewNote = {
      kind,
      text: hostile ?? noteText(kind, topic, random),
      concepts: random.chance(0.3) ? [random.pick(['trade-off', 'how-it-works', 'pattern'])] : [],
      files: random.chance(0.75) ? filesFor(topic, repo, random) : [],
      trust: isProposal ? 1 : 3,
      author: isProposal ? 'claude-code' : 'tester',
    };
    const note = await rememberNote(desk, wanted);
    if (number % 400 === 7) await pinNote(desk, note, true);
  }
}

/** Mostly one; now and then a second of the same topic, seldom one of another. */
function filesFor(topic: Topic, repo: SampleRepo, random: Random): string[] {
  const own = repo.pathOf(topic, random.whole(0, 5));
  if (random.chance(0.2)) return [own, repo.pathOf(topic, random.whole(0, 5))];
  return random.chance(0.05) ? [own, repo.pathOf(random.pick(topics))] : [own];
}

/** Calls of a model, as its governor writes them down: what one may take before it, what it took after. */
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
