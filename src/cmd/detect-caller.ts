import { closeSync, openSync, readFileSync } from 'node:fs';
import { callerOf, type ParentProcess, type ProcessContext } from '../agents/agent-shell.ts';
import type { Caller } from '../domain/caller.ts';

/**
 * Finds out how this process was started. On Linux, the program and the initial environment of each ancestor are
 * readable, so even a terminal multiplexer started by an agent is recognised. On macOS, only the programs are. On
 * Windows, only our own environment and the terminal are checked.
 */
export const detectCaller = (): Caller => callerOf(currentSurroundings());

function currentSurroundings(): ProcessContext {
  const noTerminal = missingTerminalReason();
  return {
    variables: Object.keys(process.env).filter((name) => process.env[name] !== ''),
    ancestors: ancestorsOf(process.ppid),
    ...(noTerminal === undefined ? {} : { noTerminal }),
  };
}

function missingTerminalReason(): string | undefined {
  if (process.stdin.isTTY !== true) return 'standard input is not a terminal';
  if (process.platform === 'win32') return undefined;
  try {
    // Fails for a process without a controlling terminal, for example after setsid.
    closeSync(openSync('/dev/tty', 'r+'));
    return undefined;
  } catch {
    return 'this process has no controlling terminal';
  }
}

/** No real process chain is this long. */
const maxAncestors = 200;

function ancestorsOf(parent: number): ParentProcess[] {
  const parentOf = process.platform === 'linux' ? linuxProcess : psProcesses();
  const found: ParentProcess[] = [];
  for (let pid = parent; pid > 0 && found.length < maxAncestors; ) {
    const seen = parentOf(pid);
    if (seen === undefined) break;
    found.push(seen);
    pid = seen.parent;
  }
  return found;
}

type ProcessRow = ParentProcess & { parent: number };

/** Reads a process from /proc; returns undefined if it has ended or is not visible to this user. */
function linuxProcess(pid: number): ProcessRow | undefined {
  const stat = procFile(pid, 'stat');
  // The name is in parentheses and may contain any character, so the match is greedy up to the last one.
  const [, name, fields] = /^\d+ \((.*)\) (.*)$/s.exec(stat) ?? [];
  if (name === undefined || fields === undefined) return undefined;
  return {
    name,
    argv: procFile(pid, 'cmdline').split('\0'),
    variables: procFile(pid, 'environ')
      .split('\0')
      .filter((entry) => entry.indexOf('=') > 0 && !entry.endsWith('='))
      .map((entry) => entry.slice(0, entry.indexOf('='))),
    parent: Number(fields.split(' ')[1]),
  };
}

function procFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    // The environment of another user's process, such as sshd, is not readable.
    return '';
  }
}

function psProcesses(): (pid: number) => ProcessRow | undefined {
  if (process.platform === 'win32') return () => undefined;
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const listed = spawnSync('/bin/ps', ['-axo', 'pid=,ppid=,command='], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const rows = new Map<number, ProcessRow>();
  for (const line of (listed.stdout ?? '').split('\n')) {
    const [, pid, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined) continue;
    const argv = command.split(' ');
    rows.set(Number(pid), { name: argv[0] ?? '', argv, variables: [], parent: Number(parent) });
  }
  return (pid) => rows.get(pid);
}
