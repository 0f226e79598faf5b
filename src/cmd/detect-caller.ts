import { closeSync, openSync } from 'node:fs';
import { callerOf, type ProcessContext } from '../agents/agent-shell.ts';
import { processChain } from '../agents/processes.ts';
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
    ancestors: processChain(process.ppid),
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
