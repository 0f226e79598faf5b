import type { Action } from '../domain/snapshot.ts';

/** How a command ended when it was last run. */
export interface CommandState {
  command: string;
  at: string;
  ok: boolean;
  exit: number | undefined;
  output: string;
  isTest: boolean;
  /** It failed at some time before. */
  hasFailed: boolean;
}

/** Newest first. Commands that only look around are left out: that a search found nothing is no failure. */
export function commandStates(actions: Action[]): CommandState[] {
  const states = new Map<string, CommandState>();
  for (const { kind, command = '', at, ok = true, exit, output = '' } of actions) {
    if (kind !== 'command') continue;
    const key = command.replace(/\s+/g, ' ').trim();
    const isTest = testLike.test(key);
    if (key === '' || (!isTest && onlyLooks(key))) continue;
    const hasFailed = states.get(key)?.hasFailed === true || !ok;
    states.delete(key);
    states.set(key, { command: key, at, ok, exit, output, isTest, hasFailed });
  }
  return [...states.values()].reverse();
}

const testLike =
  /\b(?:test|tests|spec|specs|jest|vitest|pytest|mocha|ava|rspec|phpunit|ctest|tox|nox|playwright|cypress|unittest|check|lint|tsc|mypy|clippy|typecheck|verify)\b/;
const looksAround =
  /^(?:cd|grep|rg|ag|ls|cat|find|fd|head|tail|sed -n|wc|which|type|stat|file|pwd|echo|printf|tree|diff|less|git (?:status|log|diff|show|grep|branch|rev-parse))\b/;

const onlyLooks = (command: string): boolean =>
  command.split(/&&|\|\||[;|]/).every((part) => looksAround.test(part.trim()));
