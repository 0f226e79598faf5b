import { join } from 'node:path';
import { preludeMaxChars } from '../../src/memory/prelude/prelude-file.ts';
import { type Rule, readRules, writeRules } from '../../src/memory/rules/rule-table.ts';
import { type TimedRun, timeProgram } from '../../test/harness/cpu-time.ts';
import {
  atLeast,
  atMost,
  type Bar,
  type Evaluation,
  median,
  ratioBar,
  round,
  showProgress,
} from '../../test/harness/evaluation.ts';
import { createHome, type Home } from '../../test/harness/home.ts';
import {
  beforeToolInput,
  commandInput,
  editInput,
  promptInput,
  sessionEndInput,
  sessionStartInput,
  stopInput,
} from '../../test/harness/hook-input.ts';
import { hookToLog } from '../../test/harness/measured-code.ts';
import { installPackage } from '../../test/harness/package.ts';
import { createProse, type Prose } from '../../test/harness/prose.ts';
import { createRandom, type Random } from '../../test/harness/random.ts';
import { writeLongMemory } from './long-memory.ts';
import { writeLongPrelude } from './long-prelude.ts';
import { measureRedaction } from './redaction-speed.ts';
import { writeTeamCopy } from './team-copy.ts';

/**
 * Measures the CPU time of a hook compared with an empty Node.js program. Each call is made right after a run of
 * `node -e 0`, and the ratio of the two is taken, because the speed of a machine changes within a run. The figure is
 * the median of these ratios. The short form leaves out hooks that the agent does not wait for; they have no bar.
 */
export const hookLatency: Evaluation = {
  name: 'hook-latency',
  summary: 'CPU time of a hook as a multiple of `node -e 0`, and speed of redaction.',
  file: import.meta.filename,
  measures: [
    ...hookToLog,
    'src/cmd/hook-recall.ts',
    'src/cmd/warm-hooks.ts',
    'src/hooks',
    'src/memory/redact',
    'src/memory/rules',
    'src/memory/prelude/prelude-file.ts',
    'src/memory/prompt-context',
    'src/recall/evidence.ts',
    'src/recall/unindexed-events.ts',
    'src/store/sqlite',
    'src/text/words.ts',
    'src/text/tokens.ts',
    'scripts/build.ts',
  ],
  async run({ isShort, seed }) {
    const n = isShort ? 12 : 200;
    const random = createRandom(seed);
    const prose = createProse(random);
    const installed = installPackage();
    const hook = join(installed.folder, 'dist', 'hook.cjs');
    const calls = createCalls(() => createHome(installed), prose, random).filter(
      ({ waits }) => waits || !isShort,
    );
    const { preludeChars, ruleCount } = prepare(calls);
    const pairs = new Map(calls.map(({ name }) => [name, [] as Pair[]]));
    for (let at = 0; at < warmUps + n; at++) {
      for (const call of random.shuffled(calls)) {
        const { name, home } = call;
        const pair = timePair(call, hook, at);
        if (at >= warmUps) pairs.get(name)?.push(pair);
        // Wait for what the hook started, so that it does not slow down the next measurement.
        await home.drainsEnded();
      }
      showProgress(at + 1, warmUps + n);
    }
    const redaction = measureRedaction(prose.take(1024 * 1024, random), isShort ? 3 : 7);
    const figures: Record<string, number | string> = {
      method: 'median of the ratios of CPU time of adjacent runs: the hook, and node -e 0',
      bareCpuMs: round(median([...pairs.values()].flat().map(({ bare }) => bare))),
      preludeChars,
      rules: ruleCount,
    };
    const bars: Record<string, Bar> = {};
    const teamCopyRatio = round(
      median(
        (pairs.get(promptWithTeam) ?? []).map(
          ({ hook: cpu }, at) => cpu / (pairs.get(firstPrompt)?.[at]?.hook ?? Number.NaN),
        ),
      ),
    );
    for (const { name, waits } of calls) {
      const own = pairs.get(name) ?? [];
      const ratio = round(median(own.map((pair) => pair.hook / pair.bare)));
      figures[`${name} CPU ms`] = round(median(own.map((pair) => pair.hook)));
      figures[`${name} ms`] = round(median(own.map(({ ms }) => ms)));
      const regressionLimit = regressionLimits[name];
      if (waits && regressionLimit !== undefined)
        bars[name] = ratioBar(ratio, {
          goal: isFirstPrompt(name) ? maxFirstPromptRatio : maxRatio,
          regressionLimit,
          isShort,
        });
      else figures[name] = `not waited for (${ratio})`;
    }
    return {
      n,
      figures: { ...figures, teamCopyRatio, ...redaction },
      bars: {
        ...bars,
        teamCopyRatio: ratioBar(teamCopyRatio, {
          goal: maxTeamCopyRatio,
          regressionLimit: teamCopyRegressionLimit,
          isShort,
        }),
        preludeChars: atLeast(preludeChars, preludeMaxChars - 100),
        rules: atLeast(ruleCount, 500),
        // Milliseconds depend on the machine, so the short form judges ratios.
        ...(isShort
          ? {
              redactOrdinaryRatio: atMost(redaction.redactOrdinaryRatio, redactOrdinaryRegressionLimit),
              redactWorstRatio: atMost(redaction.redactWorstRatio, redactWorstRegressionLimit),
            }
          : {
              redactOrdinaryMsPerMb: atMost(redaction.redactOrdinaryMsPerMb, 30),
              redactWorstMsPerMb: atMost(redaction.redactWorstMsPerMb, 250),
            }),
        redactAdversaries: atLeast(redaction.redactAdversaries, 30),
      },
    };
  },
};

const warmUps = 2;
const maxTries = 100;
/** The calls of a further try are those of other sessions. */
const firstOfTries = 1_000;
const maxRatio = 1.5;
/** The first prompt of a session recalls from the index. */
const firstPrompt = 'first prompt';
/** The same, with a copy of 300 texts of the team that all share words with the prompt. */
const promptWithTeam = 'first prompt with a team';
const isFirstPrompt = (name: string): boolean => name === firstPrompt || name === promptWithTeam;
const maxFirstPromptRatio = 5;
const maxTeamCopyRatio = 1.5;
/** What the short form judges: about a quarter above the ratios of CPU time of November 2026, which are in brackets. */
const regressionLimits: Record<string, number> = {
  'session start': 2, // (1.62)
  'before a tool': 1.9, // (1.5)
  prompt: 2.75, // (2.2)
  [firstPrompt]: 6.6, // (5.3)
  [promptWithTeam]: 6.4, // (5.1)
  'session end': 2, // (1.61)
};
const teamCopyRegressionLimit = 1.35; // (1.05)
const redactOrdinaryRegressionLimit = 10.8; // (8.6)
const redactWorstRegressionLimit = 95; // (75)
const stopLength = 100 * 1024;
const ruleTableSize = 500;

/** CPU time of a hook and of the empty program before it, and the elapsed time of the hook. */
interface Pair {
  bare: number;
  hook: number;
  ms: number;
}

interface Call {
  name: string;
  home: Home;
  /** Whether Claude Code and Codex wait for it; see the `setup.ts` of these agents. */
  waits: boolean;
  input(at: number): object;
}

/** Each hook has its own home, so that events of one do not slow down another. */
function createCalls(newHome: () => Home, prose: Prose, random: Random): Call[] {
  const words = (at: number, length: number) => `${at} ${prose.take(length, random)}`.slice(0, length);
  const call = (name: string, waits: boolean, input: (where: Where, at: number) => object): Call => {
    const home = newHome();
    const where = { cwd: home.repo, session: 'latency' };
    return { name, home, waits, input: (at) => input(where, at) };
  };
  const firstPromptIn = (name: string): Call => {
    const home = newHome();
    // Of a team's issues, a first prompt is told only the one that it names.
    const asked = `${writeLongMemory(home, prose, random)} See #5.`;
    const input = (at: number) =>
      promptInput({ cwd: home.repo, session: `session-${at}` }, `turn-${at}`, asked);
    return { name, home, waits: true, input };
  };
  const withTeam = firstPromptIn(promptWithTeam);
  writeTeamCopy(withTeam.home, prose, random);
  return [
    call('session start', true, (where) => sessionStartInput(where)),
    call('before a tool', true, (where, at) =>
      beforeToolInput(where, `tool-${at}`, 'git status && npm test'),
    ),
    call('prompt', true, (where, at) => promptInput(where, `turn-${at}`, words(at, 200))),
    firstPromptIn(firstPrompt),
    withTeam,
    call('session end', true, (where) => sessionEndInput(where)),
    call('edit', false, (where, at) =>
      editInput(where, `turn-${at}`, `tool-${at}`, words(at, 2_000).split('\n')),
    ),
    call('command', false, (where, at) => commandInput(where, `turn-${at}`, `tool-${at}`, 'npm test')),
    call('end of a turn', false, (where, at) => stopInput(where, `turn-${at}`, words(at, stopLength))),
  ];
}

interface Where {
  cwd: string;
  session: string;
}

/**
 * Makes the first call in each folder, which runs git and is not measured, and gives every home the longest prelude (the
 * context that a new session receives) and a table of 500 rules.
 */
function prepare(calls: Call[]): { preludeChars: number; ruleCount: number } {
  for (const { name, home, input } of calls) {
    const where = { cwd: home.repo, session: 'latency' };
    // Also fills the compile cache of the hook.
    const { status, stderr } = home.cli('install', 'claude-code');
    if (status !== 0) throw new Error(`install: ${stderr}`);
    home.hook(sessionStartInput(where));
    if (isFirstPrompt(name)) {
      // On a busy machine the hook gives up after a second. Every try is the first prompt of another session.
      let told = '';
      for (let tries = 1; tries <= maxTries && !told.includes('Postgres'); tries++)
        told = home.hook(input(-tries)).stdout;
      if (!told.includes('Postgres')) throw new Error('the first prompt is told nothing');
      if (told.includes('team queue: issue') !== (name === promptWithTeam))
        throw new Error(`${name}: ${told.includes('team queue') ? 'is' : 'is not'} told about the team`);
      continue;
    }
    writeLongPrelude(home.projectFolder());
    writeRules(join(home.projectFolder(), 'rules.json'), manyRules());
  }
  const [{ home }] = calls as [Call];
  const { stdout } = home.hook(sessionStartInput({ cwd: home.repo, session: 'latency' }));
  const answer = JSON.parse(stdout) as { hookSpecificOutput: { additionalContext: string } };
  return {
    preludeChars: answer.hookSpecificOutput.additionalContext.length,
    ruleCount: readRules(join(home.projectFolder(), 'rules.json')).length,
  };
}

/** Rules of every kind, none of which the measured call breaks: then the hook compares all of them. */
const manyRules = (): Rule[] =>
  Array.from({ length: ruleTableSize }, (_, at): Rule => {
    const match: Rule['match'] =
      [
        { command: [`tool${at} install`] },
        { path: [`legacy${at}/**`] },
        { text: [`oldCall${at}(`] },
        { package: [`package${at}`] },
      ][at % 4] ?? {};
    return { note: `note-${at}`, line: `the rule "never use number ${at}" of 2026-11-01 [${at}]`, match };
  });

function timePair({ name, home, input }: Call, hook: string, at: number): Pair {
  for (let tries = 0; tries < maxTries; tries++) {
    const bare = timeNode(home, ['-e', '0'], undefined);
    const { cpuMs, ms, stdout } = timeNode(home, [hook], input(at + tries * firstOfTries));
    // On a busy machine the hook gives up after a second, and has then not done what is measured.
    if (isFirstPrompt(name) && !stdout.includes('Postgres')) continue;
    return { bare: bare.cpuMs, hook: cpuMs, ms };
  }
  throw new Error(`${name}: the hook gives up`);
}

function timeNode({ repo, env }: Home, args: string[], input: object | undefined): TimedRun {
  const text = input === undefined ? '' : JSON.stringify(input);
  const run = timeProgram(args, { cwd: repo, env, input: text });
  if (run.status !== 0) throw new Error(`node ${args.join(' ')} ended with ${run.status}`);
  return run;
}
