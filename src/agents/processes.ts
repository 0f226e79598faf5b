import { readFileSync } from 'node:fs';
import type { ParentProcess } from './agent-shell.ts';

/** No real process chain is this long. */
const maxAncestors = 200;

/**
 * Returns a process and its parents, nearest first. On Linux they are read from /proc, with their initial environment.
 * macOS needs one run of `ps`, which does not show the environment. On Windows the list is empty.
 */
export function processChain(first: number): ParentProcess[] {
  const processOf = process.platform === 'linux' ? linuxProcess : psProcesses();
  const found: ParentProcess[] = [];
  for (let pid = first; pid > 0 && found.length < maxAncestors; ) {
    const seen = processOf(pid);
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
  const [, name, rest] = /^\d+ \((.*)\) (.*)$/s.exec(stat) ?? [];
  if (name === undefined || rest === undefined) return undefined;
  // After the name: state, parent, process group, session, controlling terminal.
  const fields = rest.split(' ');
  return {
    pid,
    name,
    argv: procFile(pid, 'cmdline').split('\0'),
    variables: procFile(pid, 'environ')
      .split('\0')
      .filter((entry) => entry.indexOf('=') > 0 && !entry.endsWith('='))
      .map((entry) => entry.slice(0, entry.indexOf('='))),
    parent: Number(fields[1]),
    hasTerminal: fields[4] !== '0',
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
  const listed = spawnSync('/bin/ps', ['-axo', 'pid=,ppid=,tty=,command='], {
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const rows = new Map<number, ProcessRow>();
  for (const line of (listed.stdout ?? '').split('\n')) {
    const [, pid, parent, tty = '', command = ''] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined) continue;
    const argv = command.split(' ');
    rows.set(Number(pid), {
      pid: Number(pid),
      name: argv[0] ?? '',
      argv,
      variables: [],
      parent: Number(parent),
      hasTerminal: /[a-z0-9]/i.test(tty),
    });
  }
  return (pid) => rows.get(pid);
}
