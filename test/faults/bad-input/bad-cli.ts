import { spawn } from 'node:child_process';
import { loadCommands } from '../../../src/cli/commands.ts';
import { showProgress } from '../../harness/evaluation.ts';
import type { Home } from '../../harness/home.ts';
import type { Random } from '../../harness/random.ts';
import { badText } from './bad-values.ts';
import type { Tally } from './tally.ts';

/** Commands that are not tried, because they start a browser or a server that outlives the command. */
const leftOut = ['ui', 'serve'];
/** The system passes no NUL, no lone surrogate and no longer argument to a program. */
const canBeTyped = (text: string): boolean =>
  text.trim() !== '' && !text.includes('\0') && text.isWellFormed() && text.length < 100_000;
const hangsAfterMs = 60_000;
const atOnce = 2;

/** Calls every command with invalid arguments. None may crash, hang or print a partial result. */
export async function tryCli(home: Home, n: number, random: Random): Promise<Tally> {
  const commands = (await loadCommands()).filter(({ name }) => !leftOut.includes(name));
  const tally: Tally = { tried: 0, wrong: [] };
  const tryOne = async (number: number): Promise<void> => {
    const command = random.pick(commands);
    const options = Object.keys(command.options ?? {}).map((name) => `--${name}`);
    const argument = (): string =>
      random.pick<() => string>([
        () => badText(number, random),
        () => badText(number, random),
        () => (options.length === 0 ? '--' : random.pick(options)),
        () => `${options.length === 0 ? '--no' : random.pick(options)}=${badText(number, random)}`,
        () => `--${badText(number, random)}`,
        () => random.pick(['-h', '--help', '-x', '--', '-', '--json=1', '--no-json']),
      ])();
    const name = random.chance(0.05) ? badText(number, random) : command.name;
    const rest = Array.from({ length: random.whole(0, 4) }, argument);
    const args = [name, ...rest, '--json'].filter((text) => text === '' || canBeTyped(text));
    const ended = await run(home, args);
    tally.tried += 1;
    const problem = problemOf(ended);
    if (problem !== undefined)
      tally.wrong.push(`${problem}: ${JSON.stringify(args).slice(0, 200)} ${ended.stderr.slice(0, 200)}`);
    showProgress(tally.tried, n);
  };
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let number = next++; number < n; number = next++) await tryOne(number);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return tally;
}

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

function problemOf({ code, stdout, stderr }: Ended): string | undefined {
  if (code === null) return 'hung or killed';
  if (![0, 1, 2].includes(code)) return `exit ${code}`;
  if (/^\s+at .*\.(?:js|cjs|ts):\d+/m.test(stderr) || stderr.includes('Node.js v')) return 'a stack trace';
  // A generated `--` may turn --json into a plain argument; then the output is text.
  if (!stdout.startsWith('{') && !stdout.startsWith('[')) return undefined;
  try {
    JSON.parse(stdout);
    return undefined;
  } catch {
    return 'half an answer';
  }
}

function run(home: Home, args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    // In this environment editors do nothing, and no agent is on PATH, so none is started.
    const env = { ...home.env, EDITOR: 'true', VISUAL: 'true', PATH: gitOnly(home) };
    const child = spawn(process.execPath, [home.program('main.js'), ...args], {
      cwd: home.repo,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: hangsAfterMs,
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (data) => {
      stdout += data;
    });
    child.stderr.on('data', (data) => {
      stderr += data;
    });
    child.on('error', (error) => resolve({ code: null, stdout, stderr: error.message }));
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** `/usr/bin` contains git but no agent. Node.js is started by its absolute path. */
const gitOnly = ({ env }: Home): string =>
  (env.PATH ?? '')
    .split(':')
    .filter((folder) => /^\/(?:usr\/)?bin$/.test(folder))
    .join(':');
