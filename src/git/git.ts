import { dirname } from 'node:path';
import { findGit, gitEnvironment } from './git-program.ts';

/**
 * Starts git; no other file does. It decides which program runs and with which environment, and that git
 * never searches for a repository. Questions about a repository go through `in-repository.ts`, which gives
 * git a directory with our configuration instead of the repository's.
 */
export interface GitCall {
  args: string[];
  cwd?: string;
  /** Added to the environment; names the git directory. Undefined removes a variable. */
  environment?: Record<string, string | undefined>;
  input?: string;
  timeoutMs?: number | undefined;
  /** Git is killed when it prints more bytes than this. */
  maxBytes?: number;
  /** Asked once, when git has not ended after a second; git is killed if the answer is true. */
  isStuck?: () => boolean;
}

export interface GitResult {
  /** Exit code; null if git could not be started, took too long or printed too much. */
  code: number | null;
  output: Buffer;
  /** The first 2,000 characters of standard error. */
  message: string;
}

export interface GitStream {
  pieces: AsyncIterable<Buffer>;
  /** Resolves when git has exited; never rejects. */
  ended: Promise<Pick<GitResult, 'code' | 'message'>>;
  stop(): void;
}

const defaultTimeoutMs = 10_000;
/** Multiplies every time limit. Unit tests raise it, because their answers must not depend on how busy the machine is. */
export const patience = { factor: 1 };
const slowMs = 1_000;
const defaultMaxBytes = 16 * 1024 * 1024;
const maxMessageLength = 2_000;
const notFound = 'git was not found in PATH';

let program: { path: string | undefined } | undefined;

/** Searched once, because PATH does not change while a process runs. */
export function gitProgram(): string | undefined {
  program ??= { path: findGit(process.env, process.platform) };
  return program.path;
}

function prepare({ args, cwd, environment, timeoutMs }: GitCall) {
  const env: NodeJS.ProcessEnv = { ...gitEnvironment(process.env), ...environment };
  for (const [name, value] of Object.entries(env)) if (value === undefined) delete env[name];
  return {
    path: gitProgram(),
    args: ['--no-pager', ...args],
    options: {
      // Without a repository, any existing folder will do.
      cwd: cwd ?? dirname(process.execPath),
      env,
      timeout: Math.max(1, Math.ceil((timeoutMs ?? defaultTimeoutMs) * patience.factor)),
      killSignal: 'SIGKILL' as const,
      windowsHide: true,
    },
  };
}

/** Loaded on the first call, because a hook in a known folder runs no git. */
const childProcess = () => process.getBuiltinModule('node:child_process');

export function gitSync(call: GitCall): GitResult {
  const { path, args, options } = prepare(call);
  if (path === undefined) return { code: null, output: Buffer.alloc(0), message: notFound };
  const ended = childProcess().spawnSync(path, args, {
    ...options,
    input: call.input ?? '',
    maxBuffer: call.maxBytes ?? defaultMaxBytes,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  return {
    code: ended.error === undefined ? ended.status : null,
    output: ended.stdout ?? Buffer.alloc(0),
    message: messageOf(ended.stderr ?? Buffer.alloc(0), ended.error),
  };
}

export async function git(call: GitCall): Promise<GitResult> {
  const stream = gitStream(call);
  const maxBytes = call.maxBytes ?? defaultMaxBytes;
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of stream.pieces) {
    bytes += piece.length;
    if (bytes > maxBytes) {
      stream.stop();
      break;
    }
    pieces.push(piece);
  }
  const { code, message } = await stream.ended;
  return { code: bytes > maxBytes ? null : code, output: Buffer.concat(pieces), message };
}

export function gitStream(call: GitCall): GitStream {
  const { path, args, options } = prepare(call);
  if (path === undefined) {
    const ended = Promise.resolve({ code: null, message: notFound });
    return { pieces: (async function* () {})(), ended, stop: () => {} };
  }
  const child = childProcess().spawn(path, args, options);
  const stop = (): void => void child.kill('SIGKILL');
  const slow = setTimeout(() => call.isStuck?.() === true && stop(), slowMs);
  child.on('exit', () => clearTimeout(slow)).on('error', () => clearTimeout(slow));
  const errors: Buffer[] = [];
  child.stderr.on('data', (piece: Buffer) => {
    if (errors.length < maxMessageLength) errors.push(piece.subarray(0, maxMessageLength));
  });
  const ended = new Promise<Pick<GitResult, 'code' | 'message'>>((resolve) => {
    child.on('error', (error) => resolve({ code: null, message: error.message }));
    child.on('close', (code) => resolve({ code, message: messageOf(Buffer.concat(errors)) }));
  });
  // Git may exit before it has read all input, which makes the write fail. Its exit code says what happened.
  child.stdin.on('error', () => {});
  child.stdin.end(call.input ?? '');
  return { pieces: child.stdout, ended, stop };
}

const messageOf = (stderr: Buffer, error?: Error): string =>
  stderr.toString('utf8').slice(0, maxMessageLength).trim() || (error?.message ?? '');
