import { spawn } from 'node:child_process';
import { ensureDirectory } from '../base/files.ts';
import { type Json, parseObject } from '../base/json.ts';
import { maxAnswerBytes, WriteFailure } from './write.ts';

/** Runs a provider's program under a guard process, so that it cannot outlive this process. */
export interface ProgramRunner {
  node: string;
  /** The guard program, `guard-call.js`. */
  guard: string;
  /** Working folder: an empty folder of Backstory, so that the program finds no project files. */
  folder: string;
  env: NodeJS.ProcessEnv;
}

export interface ProgramCall {
  name: string;
  program: string;
  args: string[];
  input: string;
  env?: Record<string, string>;
  maxTokens: number;
  /** Whether the output of a failed run means, in this provider's format, that the call was rejected without usage. */
  isRefusal?(printed: string): boolean;
}

/** If it is set, Backstory's hooks and MCP server do nothing. Otherwise they would capture the call as a session. */
const internalMarker = { BACKSTORY_INTERNAL: '1' };

/** Set by an agent for its child processes. The model call is no part of that agent's session. */
const agentVariables = [
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

/** The guard kills the program after this time in any case. */
const maxRunMs = 100_000;
const cannotStartExitCode = 127;

/** Returns the program's standard output. Throws a WriteFailure if it failed, timed out or printed too much. */
export function runProgram(runner: ProgramRunner, call: ProgramCall, signal: AbortSignal): Promise<string> {
  const { name, program, args, input, maxTokens } = call;
  ensureDirectory(runner.folder);
  const env: NodeJS.ProcessEnv = { ...runner.env, ...call.env, ...internalMarker };
  for (const variable of agentVariables) delete env[variable];
  return new Promise((resolve, reject) => {
    const child = spawn(runner.node, [runner.guard], { cwd: runner.folder, env, windowsHide: true });
    const pieces: Buffer[] = [];
    let bytes = 0;
    let warning = '';
    let failure: WriteFailure | undefined;
    // Closing the guard's stdin makes it kill the program and then exit.
    const end = (why: WriteFailure) => {
      failure ??= why;
      child.stdin.end();
    };
    const abort = () => end(abortedBy(signal, name));
    signal.addEventListener('abort', abort, { once: true });
    child.stdout.on('data', (piece: Buffer) => {
      bytes += piece.length;
      if (bytes > maxAnswerBytes(maxTokens))
        end(new WriteFailure('too-long', `${name} exceeded the size limit of an answer`));
      else pieces.push(piece);
    });
    child.stderr.on('data', (piece: Buffer) => {
      if (warning.length < maxWarningLength) warning += piece.toString('utf8');
    });
    child.on('error', () => end(new WriteFailure('failed', `${name} cannot be started`, { isFree: true })));
    // A grandchild may have escaped and keep the pipes open. Do not wait for it.
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
    child.stdin.write(`${JSON.stringify({ program, args, input, timeoutMs: maxRunMs })}\n`);
    if (signal.aborted) abort();
  });
}

/** As `runProgram`, for a program that prints one JSON object, which may report an error. */
export async function runForObject(
  runner: ProgramRunner,
  call: ProgramCall,
  signal: AbortSignal,
): Promise<Json> {
  const answer = parseObject(await runProgram(runner, call, signal));
  if (answer === undefined || answer.is_error === true || answer.error !== undefined)
    throw new WriteFailure('failed', `${call.name} failed`);
  return answer;
}

const lingerMs = 2_000;
const maxWarningLength = 64 * 1024;
const rateLimitWords = /\b429\b|rate.?limit|usage limit|quota|too many requests|overloaded|limit reached/i;

export const mentionsRateLimit = (message: string): boolean => rateLimitWords.test(message);

const abortedBy = (signal: AbortSignal, name: string): WriteFailure =>
  (signal.reason as Error | undefined)?.name === 'TimeoutError'
    ? new WriteFailure('timed-out', `${name} did not answer in time`)
    : new WriteFailure('failed', `${name} was interrupted`);

/**
 * The output is inspected but never quoted, because it may repeat the request. An answer may mention quotas, so a rate
 * limit is recognised only from stderr or from the provider's own format. If the program printed anything else on
 * stdout, it may have answered before it failed, so the call is charged.
 */
function failureOf(
  code: number | null,
  { name, program, isRefusal }: ProgramCall,
  { printed, warning }: { printed: string; warning: string },
): WriteFailure | undefined {
  if (code === 0) return undefined;
  if (code === cannotStartExitCode)
    return new WriteFailure('failed', `${name} cannot be started: ${program}`, { isFree: true });
  const isRefused = isRefusal?.(printed) ?? false;
  if (isRefused || mentionsRateLimit(warning))
    return new WriteFailure('rate-limited', `${name} is rate limited`, {
      isFree: isRefused || printed.trim() === '',
    });
  return new WriteFailure('failed', `${name} ended with code ${code}`);
}
