import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { preludeMaxChars } from '../../src/memory/prelude/prelude-file.ts';
import {
  atLeast,
  atMost,
  type Evaluation,
  exactly,
  median,
  round,
  showProgress,
} from '../../test/harness/evaluation.ts';
import { createHome, type Home } from '../../test/harness/home.ts';
import { editInput, promptInput, sessionStartInput, stopInput } from '../../test/harness/hook-input.ts';
import { installPackage } from '../../test/harness/package.ts';
import { createProse, type Prose } from '../../test/harness/prose.ts';
import { createRandom, type Random } from '../../test/harness/random.ts';
import { writeLongPrelude } from './long-prelude.ts';
import { measureRedaction } from './redaction-speed.ts';

/** Measures the time of a hook compared with an empty Node.js program in the same rounds. */
export const hookLatency: Evaluation = {
  name: 'hook-latency',
  summary: 'Time of a hook as a multiple of `node -e 0`, and speed of redaction.',
  async run({ isShort, seed }) {
    const n = isShort ? 40 : 200;
    const random = createRandom(seed);
    const prose = createProse(random);
    const installed = installPackage();
    const hook = join(installed.folder, 'dist', 'hook.cjs');
    // Each hook has its own home, so that events of one do not slow down another.
    const homes = { start: createHome(installed), stop: createHome(installed), other: createHome(installed) };
    const calls = createCalls(homes, prose, random);
    const context = prepare(homes, calls);
    const times: Record<string, number[]> = {
      bare: [],
      ...Object.fromEntries(calls.map(({ name }) => [name, []])),
    };
    let drains = 0;
    for (let at = 0; at < warmUps + n; at++) {
      for (const call of random.shuffled([undefined, ...calls])) {
        const { home, input } = { home: homes.other, input: () => undefined, ...call };
        const ms = timeNode(home, call === undefined ? ['-e', '0'] : [hook], input(at));
        if (at >= warmUps) times[call?.name ?? 'bare']?.push(ms);
        // Wait for the drain (background indexing) that the hook started, so that it does not slow down the next
        // measurement.
        const started = call?.name === 'stop' ? await home.drainsEnded() : 0;
        if (at >= warmUps) drains += Math.min(1, started);
      }
      showProgress(at + 1, warmUps + n);
    }
    const redaction = measureRedaction(prose.take(1024 * 1024, random), isShort ? 3 : 7);
    const bare = median(times.bare as number[]);
    const medians = calls.map(({ name }) => [name, median(times[name] as number[])] as const);
    const ratios = Object.fromEntries(medians.map(([name, ms]) => [`${name}Ratio`, round(ms / bare)]));
    return {
      n,
      figures: {
        bareMs: round(bare),
        ...Object.fromEntries(medians.map(([name, ms]) => [`${name}Ms`, round(ms)])),
        ...ratios,
        preludeChars: context,
        drainsStarted: drains,
        ...redaction,
      },
      bars: {
        sessionStartRatio: atMost(ratios.sessionStartRatio as number, 1.5),
        stopRatio: atMost(ratios.stopRatio as number, 1.5),
        preludeChars: atLeast(context, preludeMaxChars - 100),
        drainsStarted: exactly(drains, n),
        redactOrdinaryMsPerMb: atMost(redaction.redactOrdinaryMsPerMb, 30),
        redactWorstMsPerMb: atMost(redaction.redactWorstMsPerMb, 250),
        redactAdversaries: atLeast(redaction.redactAdversaries, 30),
      },
    };
  },
};

const warmUps = 3;
const stopLength = 100 * 1024;

interface Call {
  name: 'sessionStart' | 'stop' | 'prompt' | 'edit';
  home: Home;
  input(at: number): object;
}

function createCalls(homes: { start: Home; stop: Home; other: Home }, prose: Prose, random: Random): Call[] {
  const where = (home: Home) => ({ cwd: home.repo, session: 'latency' });
  const words = (at: number, length: number) => `${at} ${prose.take(length, random)}`.slice(0, length);
  return [
    { name: 'sessionStart', home: homes.start, input: () => sessionStartInput(where(homes.start)) },
    {
      name: 'stop',
      home: homes.stop,
      input: (at) => stopInput(where(homes.stop), `turn-${at}`, words(at, stopLength)),
    },
    {
      name: 'prompt',
      home: homes.other,
      input: (at) => promptInput(where(homes.other), `turn-${at}`, words(at, 200)),
    },
    {
      name: 'edit',
      home: homes.other,
      input: (at) => editInput(where(homes.other), `turn-${at}`, `tool-${at}`, words(at, 2_000).split('\n')),
    },
  ];
}

/**
 * Makes the first call in each folder, which runs git and is not measured. Returns the length of the prelude (the
 * context that a new session receives).
 */
function prepare(homes: { start: Home }, calls: Call[]): number {
  for (const { home, input } of calls) home.hook(input(-1));
  writeLongPrelude(homes.start.projectFolder());
  const { stdout } = homes.start.hook(sessionStartInput({ cwd: homes.start.repo, session: 'latency' }));
  const answer = JSON.parse(stdout) as { hookSpecificOutput: { additionalContext: string } };
  return answer.hookSpecificOutput.additionalContext.length;
}

function timeNode({ repo, env }: Home, args: string[], input: object | undefined): number {
  const text = input === undefined ? '' : JSON.stringify(input);
  const started = performance.now();
  const { status } = spawnSync(process.execPath, args, { cwd: repo, env, input: text });
  const ms = performance.now() - started;
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}`);
  return ms;
}
