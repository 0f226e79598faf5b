import { spawn } from 'node:child_process';
import { ensureDirectory } from '../base/files.ts';
import { maxAnswerBytes, WriteFailure } from './write.ts';

/** How a maker's own program is run: never directly, because it must not outlive us. */
export interface ProgramRunner {
  /** Node, and our program that sees to the end of another. */
  node: string;
  guard: string;
  /** An empty folder of ours: whatever a program looks for in a project is not there. */
  folder: string;
  env: NodeJS.ProcessEnv;
}

export interface ProgramCall {
  /** How messages name it. */
  name: string;
  program: string;
  args: string[];
  input: string;
  env?: Record<string, string>;
  maxTokens: number;
  /** Whether what it printed before it failed says, in its maker's form, that it was refused and nothing used. */
  isRefusal?(printed: string): boolean;
}

/**
 * Set for every program we run: our hooks and our server do nothing below one, or what is asked of a model would
 * be captured as a session and asked about again.
 */
const inside = { BACKSTORY_INTERNAL: '1' };

/** What an agent tells the programs it starts; one of ours may have been started so, and is no part of that session. */
const ofAnAgent = [
  'CLAUDECODE',
  'CLAUDE_PID',
  'CLAUDE_PROJECT_DIR',
  'CLAUDE_ENV_FILE',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_CODE_CHILD_SESSION',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_CODE_SESSION_ATTENDED',
  'AI_AGENT',
];

/** The guard ends the program by then, even if nobody tells it to. */
const maxMs = 100_000;
const cannotStart = 127;

/** What it printed on standard output. Throws a WriteFailure when it failed, was too slow or printed without end. */
export function runProgram(runner: ProgramRunner, call: ProgramCall, signal: AbortSignal): Promise<string> {
  const { name, program, args, input, maxTokens } = call;
  ensureDirectory(runner.folder);
  const env: NodeJS.ProcessEnv = { ...runner.env, ...call.env, ...inside };
  for (const variable of ofAnAgent) delete env[variable];
  return new Promise((resolve, reject) => {
    const child = spawn(runner.node, [runner.guard], { cwd: runner.folder, env, windowsHide: true });
    const pieces: Buffer[] = [];
    let bytes = 0;
    let warning = '';
    let failure: WriteFailure | undefined;
    // Closing its input ends the program, and the guard says so by ending itself.
    const end = (why: WriteFailure) => {
      failure ??= why;
      child.stdin.end();
    };
    const abort = () => end(abortedBy(signal, name));
    signal.addEventListener('abort', abort, { once: true });
    child.stdout.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > maxAnswerBytes(maxTokens)) end(new WriteFailure('too-long', `${name} printed without end`));
      else pieces.push(piece);
    });
    child.stderr.on('data', (piece: Buffer) => {
      if (warning.length < maxWarning) warning += piece.toString('utf8');
    });
    child.on('error', () => end(new WriteFailure('failed', `${name} cannot be started`, { isFree: true })));
    // Should something it started have escaped and still hold the other end, nobody waits for that.
    child.on('exit', () => {
      const leave = () => [child.stdout, child.stderr].map((stream) => stream.destroy());
      setTimeout(leave, lingerMs).unref();
    });
    child.on('close', (code) => {
      signal.removeEventListener('abort', abort);
      const printed = Buffer.concat(pieces).toString('utf8');
      const why = failure ?? failureOf(code, call, { printed, warning });
      if (why === undefined) resolve(printed);
      else reject(why);
    });
    child.stdin.on('error', () => {});
    child.stdin.write(`${JSON.stringify({ program, args, input, timeoutMs: maxMs })}\n`);
    if (signal.aborted) abort();
  });
}

const lingerMs = 2_000;
const maxWarning = 64 * 1024;
const limited = /\b429\b|rate.?limit|usage limit|quota|too many requests|overloaded|limit reached/i;

export const isLimit = (said: string): boolean => limited.test(said);

const abortedBy = (signal: AbortSignal, name: string): WriteFailure =>
  (signal.reason as Error | undefined)?.name === 'TimeoutError'
    ? new WriteFailure('timed-out', `${name} did not answer in time`)
    : new WriteFailure('failed', `${name} was interrupted`);

/**
 * What it printed is looked at and never repeated: it may hold what it was sent. An answer may speak of quotas, so
 * only a warning says that the program was limited, or what its maker has for that; and where it printed anything
 * else, it may have answered before it failed, and is paid for.
 */
function failureOf(
  code: number | null,
  { name, program, isRefusal }: ProgramCall,
  { printed, warning }: { printed: string; warning: string },
): WriteFailure | undefined {
  if (code === 0) return undefined;
  if (code === cannotStart)
    return new WriteFailure('failed', `${name} cannot be started: ${program}`, {
      isFree: true,
      hint: 'backstory models',
    });
  const isRefused = isRefusal?.(printed) ?? false;
  if (isRefused || isLimit(warning))
    return new WriteFailure('rate-limited', `${name} has no capacity for us now`, {
      isFree: isRefused || printed.trim() === '',
    });
  return new WriteFailure('failed', `${name} ended with code ${code}`);
}
