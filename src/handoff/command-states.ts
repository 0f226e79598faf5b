import type { Action } from '../domain/snapshot.ts';
import { testWords } from '../text/test-result.ts';

/** The result of a command's last run. */
export interface CommandState {
  command: string;
  at: string;
  ok: boolean;
  exit: number | undefined;
  output: string;
  isTest: boolean;
  /** Whether any run of the command failed, not only the last one. */
  hasFailed: boolean;
}

/**
 * Returns the state of each command, newest first. Read-only commands are left out, because a search without matches is
 * not a failure.
 */
export function commandStates(actions: Action[]): CommandState[] {
  const states = new Map<string, CommandState>();
  for (const { kind, command = '', at, ok = true, exit, output = '' } of actions) {
    if (kind !== 'command') continue;
    const key = command.replace(/\s+/g, ' ').trim();
    const isTest = testWords.test(key);
    if (key === '' || (!isTest && isReadOnly(key))) continue;
    const hasFailed = states.get(key)?.hasFailed === true || !ok;
    states.delete(key);
    states.set(key, { command: key, at, ok, exit, output, isTest, hasFailed });
  }
  return [...states.values()].reverse();
}

const readOnlyCommand =
  /^(?:cd|grep|rg|ag|ls|cat|find|fd|head|tail|sed -n|wc|which|type|stat|file|pwd|echo|printf|tree|diff|less|git (?:status|log|diff|show|grep|branch|rev-parse))\b/;

const isReadOnly = (command: string): boolean =>
  command.split(/&&|\|\||[;|]/).every((part) => readOnlyCommand.test(part.trim()));
