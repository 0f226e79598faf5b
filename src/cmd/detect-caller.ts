import { closeSync, openSync, readFileSync } from 'node:fs';
import { callerOf, type ProcessSeen, type Surroundings } from '../agents/agent-shell.ts';
import type { Caller } from '../domain/caller.ts';

/**
 * Reads how this process was started. Linux tells of each ancestor its program and the variables it was started
 * with, so a terminal multiplexer that an agent started is recognised as well. macOS tells the programs. On Windows
 * only our own variables and the terminal are looked at.
 */
export const callerHere = (): Caller => callerOf(surroundingsHere());

function surroundingsHere(): Surroundings {
  const noTerminal = whyNoTerminal();
  return {
    variables: Object.keys(process.env).filter((name) => process.env[name] !== ''),
    ancestors: ancestorsOf(process.ppid),
    ...(noTerminal === undefined ? {} : { noTerminal }),
  };
}

function whyNoTerminal(): string | undefined {
  if (process.stdin.isTTY !== true) return 'standard input is not a terminal';
  if (process.platform === 'win32') return undefined;
  try {
    // The kernel refuses this to a process without a controlling terminal, such as after setsid.
    closeSync(openSync('/dev/tty', 'r+'));
    return undefined;
  } catch {
    return 'this process has no controlling terminal';
  }
}

/** More than any real chain of processes. */
const maxAncestors = 200;

function ancestorsOf(parent: number): ProcessSeen[] {
  const parentOf = process.platform === 'linux' ? linuxProcess : psProcesses();
  const found: ProcessSeen[] = [];
  for (let pid = parent; pid > 0 && found.length < maxAncestors; ) {
    const seen = parentOf(pid);
    if (seen === undefined) break;
    found.push(seen);
    pid = seen.parent;
  }
  return found;
}

type ProcessRow = ProcessSeen & { parent: number };

/** Undefined when the process ended or is hidden from us. */
function linuxProcess(pid: number): ProcessRow | undefined {
  const stat = procFile(pid, 'stat');
  // The name stands in parentheses and may hold any character, so the fields are counted from its end.
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
    // Another user's process, such as sshd, shows neither its variables nor always its command line.
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
