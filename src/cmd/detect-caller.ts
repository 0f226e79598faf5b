import { closeSync, openSync, readlinkSync } from 'node:fs';
import { callerOf } from '../agents/agent-shell.ts';
import { processChain } from '../agents/processes.ts';
import type { Caller } from '../domain/caller.ts';
import type { Terminal } from '../domain/event.ts';
import type { AgentAround } from '../memo/caller.ts';

/**
 * Finds out how this process was started. On Linux, the program and the initial environment of each ancestor are
 * readable, so even a terminal multiplexer started by an agent is recognised. On macOS, only the programs are. On
 * Windows, only our own environment and the terminal are checked.
 */
export function detectCaller(readsInput = false): Caller {
  const noTerminal = missingTerminalReason(readsInput);
  return callerOf({
    variables: setVariables(),
    ancestors: processChain(process.ppid),
    ...(noTerminal === undefined ? {} : { noTerminal }),
  });
}

const setVariables = (): string[] => Object.keys(process.env).filter((name) => process.env[name] !== '');

/** Variables with which agents tell their commands the id of the session. */
const sessionVariables = [
  'CLAUDE_CODE_SESSION_ID',
  'CODEX_THREAD_ID',
  'CODEX_SESSION_ID',
  'GEMINI_SESSION_ID',
  'PI_SESSION_ID',
  'DROID_SESSION_ID',
  'COPILOT_AGENT_SESSION_ID',
  'GROK_SESSION_ID',
];

/** The agent whose shell runs this command. A person's command does not pay for the list of processes. */
export function agentAround(): AgentAround {
  if (callerOf({ variables: setVariables(), ancestors: [] }).kind !== 'agent')
    return { pids: [], sessions: [] };
  return {
    pids: processChain(process.ppid).map(({ pid }) => pid),
    sessions: sessionVariables.flatMap((name) => process.env[name] || []),
  };
}

function missingTerminalReason(readsInput: boolean): string | undefined {
  if (process.stdin.isTTY !== true && !readsInput) return 'standard input is not a terminal';
  if (process.platform === 'win32') return undefined;
  try {
    // Fails for a process without a controlling terminal, for example after setsid.
    closeSync(openSync('/dev/tty', 'r+'));
    return undefined;
  } catch {
    return 'this process has no controlling terminal';
  }
}

/** No reader needs more of the parent processes than this. */
const maxRecorded = 12;

/** The terminal and the parent processes of this process, which the events of its command record. */
export function currentTerminal(): Terminal {
  const ancestors = processChain(process.ppid).slice(0, maxRecorded);
  return { tty: terminalDevice(), ancestors: ancestors.map(({ name, pid }) => `${name} ${pid}`) };
}

function terminalDevice(): string {
  if (process.stdin.isTTY !== true || process.platform !== 'linux') return '';
  try {
    return readlinkSync('/proc/self/fd/0');
  } catch {
    return '';
  }
}
