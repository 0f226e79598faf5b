import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Evaluation, exactly, round, showProgress } from '../../harness/evaluation.ts';
import { createHome, type Home } from '../../harness/home.ts';
import { editInput, promptInput, sessionStartInput, stopInput } from '../../harness/hook-input.ts';
import { installPackage } from '../../harness/package.ts';
import { sleep } from '../../harness/program.ts';
import { type HostileKind, hostileKinds, plantHostile, readNames } from '../../support/hostile-files.ts';
import { git } from '../../support/sandbox.ts';
import { hangMs } from '../../support/until.ts';

/**
 * Compares a checkout whose files are devices, pipes, terminals, endless or 4 GB long with one that has plain files.
 * Every hook event and every command that reads a checkout must end, and take the same CPU time and memory in both. A
 * pipe that git finds only below the top folder costs a second per question to git, so there the commands must only end.
 */
export const hostileFiles: Evaluation = {
  name: 'hostile-files',
  summary:
    'Checkout files that are devices, pipes, 4 GB long or links out of it: hooks and commands work as usual.',
  file: import.meta.filename,
  measures: [
    'src/base/checkout-file.ts',
    'src/base/plain-file.ts',
    'src/base/path-in-checkout.ts',
    'src/base/files.ts',
    'src/git',
    'src/hooks',
    'src/memory/projects',
    'src/memory/redact/env-secrets.ts',
    'src/memory/capture/compare-files.ts',
    'src/memory/capture/follow-repository.ts',
    'src/memo/touched-files.ts',
    'src/code/checkout.ts',
    'src/code/freshness.ts',
    'src/code/search-file.ts',
    'src/code/source-file.ts',
    'src/code/source.ts',
    'src/pack',
    'src/knowledge',
    'src/handoff/working-set.ts',
    'src/why/past-files.ts',
    'src/why/target.ts',
    'src/store/repo',
    'src/store/foreign',
    'src/memory/rules/packages.ts',
  ],
  async run({ isShort }) {
    const installed = installPackage();
    const clean = prepare(createHome(installed));
    const kinds = Object.keys(hostileKinds) as HostileKind[];
    const trials = [...hookTrials, ...commandTrials];
    const plain = new Map<string, Best>();
    const results: Result[] = [];
    let readOutside = 0;
    let hangingDrains = 0;
    for (const [at, kind] of kinds.entries()) {
      const hostile = prepare(createHome(installed), kind);
      // Commands take most of the time, so the short form runs them only for the kinds that differ most.
      const some = isShort && !representativeKinds.includes(kind) ? hookTrials : trials;
      for (const trial of some) {
        results.push(compare(kind, trial, hostile, clean, plain));
        // Gives the event loop a turn between programs, so that signals are handled.
        await sleep(0);
      }
      readOutside += hostile.outputs.filter((text) => text.includes(onlyOutside)).length;
      readOutside += wasMasked(hostile) ? 1 : 0;
      hangingDrains += (await hasEnded(hostile.home)) ? 0 : 1;
      showProgress(at + 1, kinds.length);
    }
    const buried = prepare(createHome(installed));
    plantHostile(buried.home.repo, 'pipe', ['src/.gitignore'], '');
    const buriedRuns = commandTrials.map((trial) => ({ trial: trial.name, ...runOnce(buried, trial) }));
    hangingDrains += (await hasEnded(buried.home)) ? 0 : 1;
    await hasEnded(clean.home);
    const slow = results.filter(({ isSlow }) => isSlow);
    const heavy = results.filter(({ isHeavy }) => isHeavy);
    const hooks = results.filter(({ trial }) => trial.startsWith('hook'));
    const worst = (of: Result[], by: (result: Result) => number): number => round(Math.max(...of.map(by)));
    return {
      n: results.length,
      figures: {
        kinds: kinds.length,
        programs: trials.length,
        files: readNames.length,
        slowest: [...slow, ...heavy].map(({ kind, trial }) => `${kind} ${trial}`).join(', ') || 'none',
        longestSeconds: round(Math.max(...results.map(({ ms }) => ms)) / 1000),
        longestSecondsWithBuriedPipe: round(Math.max(...buriedRuns.map(({ ms }) => ms)) / 1000),
        worstHookCpuRatio: worst(hooks, ({ cpu }) => cpu),
        worstCpuRatio: worst(results, ({ cpu }) => cpu),
        worstHookMemoryRatio: worst(hooks, ({ memory }) => memory),
        worstMemoryRatio: worst(results, ({ memory }) => memory),
      },
      bars: {
        hanging: exactly([...results, ...buriedRuns].filter(({ hangs }) => hangs).length, 0),
        failedHooks: exactly(hooks.filter(({ isFailed }) => isFailed).length, 0),
        moreCpuThanPlain: exactly(slow.length, 0),
        largerThanPlain: exactly(heavy.length, 0),
        hangingDrains: exactly(hangingDrains, 0),
        readOutside: exactly(readOutside, 0),
      },
    };
  },
};

/**
 * Two texts in a file outside of the checkout. `canary` is the value of a secret that is also in a prompt; the other
 * occurs nowhere else.
 */
const canary = 'outside-Canary-77q';
const onlyOutside = 'Heliotrope-41';
const representativeKinds: HostileKind[] = ['endless', 'pipe', 'sparse'];
const maxTries = 8;
const most = { ratio: 1.5, hookExtraMs: 20, commandExtraMs: 150, extraKb: 24 * 1024 };

interface Checkout {
  home: Home;
  outputs: string[];
}

function prepare(home: Home, kind?: HostileKind): Checkout {
  const plain: Record<string, string> = {
    '.env': 'API_KEY=plain-Value-31k\n',
    'package.json': '{ "name": "app", "scripts": { "test": "vitest" } }\n',
    'src/worker.ts': Array.from({ length: 60 }, (_, at) => `export const value${at} = ${at};`).join('\n'),
    'src/other.ts': 'export function other(): number {\n  return 1;\n}\n',
    '.backstory/knowledge.json': '{}\n',
    '.gitignore': 'dist/\n',
    '.gitattributes': '*.png binary\n',
    '.mailmap': 'Ada <ada@example.org>\n',
  };
  for (const name of [...readNames, 'src/other.ts']) {
    const path = join(home.repo, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(
      path,
      plain[name] ?? `# About ${name}\n\nIt is a plain file with a sentence or two in it.\n`,
    );
  }
  git(home.repo, 'add', '-A');
  git(home.repo, 'commit', '-qm', 'feat: begin');
  const outside = join(home.home, 'outside.md');
  writeFileSync(outside, `API_KEY=${canary}\n\nAlways use ${onlyOutside} for everything in here.\n`);
  if (kind !== undefined) plantHostile(home.repo, kind, readNames, outside);
  // The first event in a folder runs git.
  spawnSync(process.execPath, [home.program('hook.cjs')], {
    cwd: home.repo,
    env: home.env,
    input: JSON.stringify(sessionStartInput(where(home))),
    timeout: hangMs,
    killSignal: 'SIGKILL',
  });
  return { home, outputs: [] };
}

const where = ({ repo }: Home) => ({ cwd: repo, session: 'session-1' });

/** How a program is started. */
interface Trial {
  name: string;
  args(home: Home): string[];
  input?(home: Home): object;
}

const hookTrials: Trial[] = Object.entries({
  SessionStart: (home: Home) => sessionStartInput(where(home)),
  UserPromptSubmit: (home: Home) => promptInput(where(home), 'turn-1', `Please use ${canary} in the worker.`),
  'PostToolUse Edit': (home: Home) =>
    editInput(where(home), 'turn-1', 'tool-1', ['export const value9 = 9;', 'export const more = 1;']),
  'PostToolUse Read': (home: Home) => ({
    ...promptInput(where(home), 'turn-1', ''),
    hook_event_name: 'PostToolUse',
    tool_name: 'Read',
    tool_use_id: 'tool-2',
    tool_input: { file_path: `${home.repo}/src/worker.ts` },
    tool_response: { type: 'text', file: { filePath: `${home.repo}/src/worker.ts`, content: 'export' } },
  }),
  'PostToolUse Bash': (home: Home) => ({
    ...promptInput(where(home), 'turn-1', ''),
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_use_id: 'tool-3',
    tool_input: { command: 'cat README.md .env package.json' },
    tool_response: { stdout: '# About README.md\n', stderr: '', interrupted: false },
  }),
  PreCompact: (home: Home) => ({ ...sessionStartInput(where(home)), hook_event_name: 'PreCompact' }),
  Stop: (home: Home) => stopInput(where(home), 'turn-1', 'It is done.'),
  SessionEnd: (home: Home) => ({ ...sessionStartInput(where(home)), hook_event_name: 'SessionEnd' }),
}).map(([event, input]) => ({
  name: `hook ${event}`,
  args: (home) => [home.program('hook.cjs')],
  input,
}));

const commandTrials: Trial[] = [
  ['knowledge', 'build'],
  ['handoff', '--brief'],
  ['doctor'],
  ['search', '--task', 'the worker and its values'],
  ['status'],
  ['prelude'],
  ['search', 'value'],
  ['why', 'src/other.ts'],
  ['import', 'claude-memory'],
  ['recall', 'worker'],
].map((words) => ({ name: words.join(' '), args: (home) => [home.program('main.js'), ...words] }));

interface Run extends Best {
  ms: number;
  hangs: boolean;
  isFailed: boolean;
}

function runOnce({ home, outputs }: Checkout, trial: Trial): Run {
  const usage = join(home.home, 'usage');
  writeFileSync(usage, '{}');
  const started = performance.now();
  const ran = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'with-usage.cjs'), ...trial.args(home)],
    {
      cwd: home.repo,
      env: { ...home.env, BACKSTORY_EVAL_USAGE: usage },
      input: trial.input === undefined ? '' : JSON.stringify(trial.input(home)),
      encoding: 'utf8',
      timeout: hangMs,
      killSignal: 'SIGKILL',
    },
  );
  outputs.push(`${ran.stdout}${ran.stderr}`);
  const measured = JSON.parse(readFileSync(usage, 'utf8')) as Partial<Best>;
  return {
    ms: performance.now() - started,
    cpuMs: measured.cpuMs ?? Number.POSITIVE_INFINITY,
    kb: measured.kb ?? 0,
    hangs: ran.signal !== null,
    isFailed: ran.status !== 0,
  };
}

interface Result {
  kind: HostileKind;
  trial: string;
  hangs: boolean;
  isFailed: boolean;
  isSlow: boolean;
  isHeavy: boolean;
  ms: number;
  cpu: number;
  memory: number;
}

interface Best {
  cpuMs: number;
  kb: number;
}

const better = (a: Best | undefined, b: Best): Best =>
  a === undefined ? b : { cpuMs: Math.min(a.cpuMs, b.cpuMs), kb: Math.min(a.kb, b.kb) };

/**
 * Compares the best CPU time and memory of several attempts. While the hostile checkout looks worse, both are measured
 * again, one beside the other, because a busy core makes every program need more CPU time.
 */
function compare(
  kind: HostileKind,
  trial: Trial,
  hostile: Checkout,
  clean: Checkout,
  plain: Map<string, Best>,
): Result {
  let here: Best | undefined;
  let isSlow = true;
  const extraMs = trial.input === undefined ? most.commandExtraMs : most.hookExtraMs;
  for (let tries = 1; ; tries++) {
    const known = plain.get(trial.name);
    const beside = tries === 1 && known !== undefined ? known : runOnce(clean, trial);
    const there = better(known, beside);
    plain.set(trial.name, there);
    const run = runOnce(hostile, trial);
    here = better(here, run);
    const [cpu, memory] = [here.cpuMs / there.cpuMs, here.kb / there.kb];
    isSlow &&= run.cpuMs > most.ratio * beside.cpuMs && run.cpuMs - beside.cpuMs > extraMs;
    const isHeavy = memory > most.ratio && here.kb - there.kb > most.extraKb;
    const { hangs, isFailed, ms } = run;
    if (hangs || (!isSlow && !isHeavy) || tries === maxTries)
      return { kind, trial: trial.name, hangs, isFailed, isSlow, isHeavy, ms, cpu, memory };
  }
}

/**
 * True if the hook read the file outside the checkout: the prompt contains the secret value from there, and it was
 * masked.
 */
const wasMasked = ({ home }: Checkout): boolean =>
  !home.events().some((event) => event.kind === 'prompt' && event.body.text.includes(canary));

async function hasEnded(home: Home): Promise<boolean> {
  return Promise.race([home.drainsEnded().then(() => true), sleep(hangMs).then(() => false)]);
}
