import { sha256 } from '../../src/base/ids.ts';
import type { AgentName } from '../../src/domain/event.ts';
import { createRandom, type Random } from '../../test/harness/random.ts';
import type { Act, Intent, Manner, Story } from '../retrieval/story.ts';
import type { Placed } from '../retrieval/write-project.ts';
import type { HistoricCommit, History } from './histories.ts';
import { type HistoryQuestion, isInformative, questionsOn, storyOf } from './history-stories.ts';
import { scenarios } from './scenarios/all.ts';
import type { Setting } from './scenarios/scenario.ts';

export interface Question {
  intent: Intent;
  manner: Manner;
  /**
   * Whether its story also occurs in the projects used for tuning (`shared`), only in held-out ones (`kept back`), or
   * comes from a git history.
   */
  story: 'shared' | 'kept back' | 'history';
  text: string;
  /** Indices of the actions that contain the answer. */
  gold: number[];
}

export interface ProjectSet {
  name: string;
  isHeldOut: boolean;
  placed: Placed[];
  questions: Question[];
}

/** Splits the projects by the hash of their names: the half with the higher hashes is held out. */
export function makeSets(histories: readonly History[]): ProjectSet[] {
  const order = histories.map(({ name }) => sha256(name)).sort();
  const first = order[Math.floor(order.length / 2)] as string;
  return histories.map((history) => makeSet(history, sha256(history.name) >= first));
}

/** A hash that is equal for two runs exactly if they asked the same questions of the same memory. */
export const fingerprint = (sets: readonly ProjectSet[]): string => sha256(JSON.stringify(sets)).slice(0, 16);

const day = 24 * 3_600_000;
const span = 240 * day;
const sharePerScenario = 0.45;
const sessionsFromHistory = 60;
const questionsFromHistory = 20;
const agents: readonly AgentName[] = ['claude-code', 'codex', 'opencode', 'cursor', 'pi'];

interface Told {
  story: Story;
  start: number;
  isKeptBack: boolean;
}

/**
 * True for every third story. Such stories occur only in held-out projects, to show how much the tuning depends on
 * known stories.
 */
const isKeptBack = (variant: number): boolean => variant % 3 === 2;

function makeSet(history: History, isHeldOut: boolean): ProjectSet {
  const random = createRandom(Number.parseInt(sha256(history.name).slice(0, 8), 16));
  const ours = random.shuffled(agents).slice(0, 3);
  const { settings, testCommand } = settingsOf(history, random);
  const end = Math.max(...history.commits.map(({ at }) => at)) + day;
  const invented: Told[] = scenarios.flatMap(({ variants, tell }) =>
    random
      .shuffled(Array.from({ length: variants }, (_, at) => at))
      .filter((variant) => isHeldOut || !isKeptBack(variant))
      .slice(0, Math.max(2, Math.ceil(variants * sharePerScenario)))
      .map((variant) => {
        const story = tell(variant, settings());
        const length = Math.max(...story.turns.map((turn) => turn.day)) * day;
        return {
          story,
          isKeptBack: isKeptBack(variant),
          start: end - span + random.next() * (span - length),
        };
      }),
  );
  const informative = random.shuffled(
    [...history.commits.keys()].filter((at) => isInformative(history.commits[at] as HistoricCommit)),
  );
  const worked = new Set(informative.slice(0, sessionsFromHistory));
  const real: Told[] = history.commits.map((commit, at) => ({
    story: storyOf(commit, worked.has(at), testCommand, random),
    start: commit.at,
    isKeptBack: false,
  }));
  const toldStories = [...invented, ...real];
  const placed = place(toldStories, ours, random);
  const goldOf = (story: number, mark: string): number[] =>
    placed.flatMap((one, at) => (one.story === story && one.act.marks?.includes(mark) === true ? [at] : []));
  const aboutStories = invented.flatMap(({ story, isKeptBack: isNew }, at) =>
    story.asked.map(({ intent, mark, wordings }) => ({
      intent,
      gold: goldOf(at, mark),
      story: isNew ? ('kept back' as const) : ('shared' as const),
      ...wordingFor(wordings, isHeldOut, random),
    })),
  );
  const aboutHistory = informative
    .flatMap((at): HistoryQuestion[] => questionsOn(history, at, isHeldOut, random))
    .slice(0, questionsFromHistory)
    .map(({ intent, commit, mark, text }) => ({
      intent,
      manner: 'remembered' as const,
      story: 'history' as const,
      text,
      gold: goldOf(invented.length + commit, mark),
    }));
  return {
    name: history.name,
    isHeldOut,
    placed: placed.map(({ story: _, ...rest }) => rest),
    questions: [...aboutStories, ...aboutHistory],
  };
}

/** Share of questions with only a word or two, because people usually remember no more. */
const obliqueShare = 1 / 3;

/**
 * Chooses the wording of a question. Those of held-out projects occur nowhere else, so that tuning cannot learn them.
 */
function wordingFor(
  wordings: readonly string[],
  isHeldOut: boolean,
  random: Random,
): { text: string; manner: Manner } {
  const isOblique = random.chance(obliqueShare);
  const text = wordings[(isOblique ? 2 : 0) + (isHeldOut ? 1 : 0)] as string;
  return { text, manner: isOblique ? 'oblique' : 'plain' };
}

/** Orders actions by time. All actions of one day with one agent form a session. */
function place(
  all: readonly Told[],
  ours: readonly AgentName[],
  random: Random,
): (Placed & { story: number })[] {
  return all
    .flatMap(({ story, start }, number) =>
      story.turns.flatMap((turn, at) => {
        const began = start + turn.day * day + at * 20 * 60_000 + random.next() * 15 * 60_000;
        const agent = turn.agent ?? random.pick(ours);
        const agentSession = `${new Date(began).toISOString().slice(0, 10)}-${agent}`;
        return turn.acts.map((act, step) => ({
          act: wrapped(act, random),
          at: Math.round(began) + step * 20_000,
          agent,
          agentSession,
          turn: `${number}-${at}`,
          story: number,
        }));
      }),
    )
    .sort((a, b) => a.at - b.at);
}

const openings = [
  '',
  '',
  '',
  'I had a look. ',
  'Good question. ',
  'I read the code first. ',
  'That took a moment. ',
];
const closings = [
  '',
  '',
  '',
  ' Let me know if you want it split into smaller steps.',
  ' I ran the checks and they pass.',
  ' Nothing else in the project depends on it, as far as I can see.',
  ' Should I also look at the callers? There are a few, in tests mostly.',
  '\n\nNext I would update the docs and the changelog, then open a pull request with a short description.',
];

/** Adds filler text to an action, because agents are wordy. */
function wrapped(act: Act, random: Random): Act {
  if (act.kind !== 'answer') return act;
  return { ...act, text: `${random.pick(openings)}${act.text}${random.pick(closings)}` };
}

const testCommands: Record<string, string> = {
  py: 'pytest -q',
  rs: 'cargo test',
  go: 'go test ./...',
  rb: 'bundle exec rake test',
  java: 'mvn -q test',
  c: 'make check',
  js: 'npm test --',
  ts: 'npm test --',
};

/** Chooses real paths of the project, so that stories are mixed with work on the same files. */
function settingsOf({ commits }: History, random: Random): { settings(): Setting; testCommand: string } {
  const counts = new Map<string, number>();
  for (const path of commits.flatMap(({ files }) => files)) {
    if (extensionOf(path) in testCommands) counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  const often = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([path]) => path);
  const tests = often.filter((path) => /test|spec/i.test(path));
  const sources = often.filter((path) => !tests.includes(path)).slice(0, 40);
  const testCommand = testCommands[extensionOf(often[0] ?? '')] ?? 'make check';
  return {
    testCommand,
    settings() {
      const [source = 'src/main', other = 'src/other'] = random.shuffled(sources);
      const test = tests.length === 0 ? 'tests/all' : random.pick(tests);
      const area =
        source
          .split('/')
          .at(-1)
          ?.replace(/\.\w+$/, '') ?? source;
      return { source, other, test, area: `the ${area} part`, testCommand };
    },
  };
}

const extensionOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);
