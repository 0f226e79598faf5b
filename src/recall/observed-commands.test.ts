import { describe, expect, it } from 'vitest';
import type { MemoStep } from '../domain/memo.ts';
import { commandRuns } from '../text/command-runs.ts';
import { isCheck, observedCommands } from './observed-commands.ts';

/** Each session is a list of lines: `edit`, `prompt`, or a command line with its exit code in front. */
function sessions(...all: string[][]): MemoStep[] {
  return all.flatMap((lines, session) => {
    let turn = 0;
    return lines.flatMap((line, at): MemoStep[] => {
      const common = {
        id: `${session}-${at}`,
        at: session * 1000 + at,
        seq: at,
        agentSession: `s${session}`,
      };
      const of = {
        ...common,
        agent: 'claude-code' as const,
        subagent: '',
        clientPid: 0,
        checkout: '',
        head: '',
      };
      if (line === 'prompt') turn += 1;
      if (line === 'prompt') return [];
      if (line === 'edit') return [{ ...of, kind: 'edit', path: 'a.ts', holds: [], turn: `${turn}` }];
      const [, exit = '', command = ''] = /^(\d+) (.*)$/.exec(line) ?? [];
      return [{ ...of, kind: 'run', runs: commandRuns(command, Number(exit)), turn: `${turn}` }];
    });
  });
}

const checks = (...all: string[][]) => observedCommands(sessions(...all), ['/home/me/shop']).filter(isCheck);

describe('observedCommands', () => {
  it('counts a command that several sessions run after edits', () => {
    const [one, ...others] = checks(['edit', '1 make test', 'edit', '0 make test'], ['edit', '0 make test']);
    expect(one).toMatchObject({ command: 'make test', passed: 2, failed: 1, sessions: 2 });
    expect(one?.last).toMatchObject({ agentSession: 's1', isFailed: false });
    expect(others).toEqual([]);
  });

  it('leaves out what only looks: run once, in one session, without an edit, or by version control', () => {
    const looks = ['0 ls src/', '0 git status', '0 cat notes.txt'];
    expect(
      checks(
        [...looks, 'edit', '0 git status', '0 tool once', '0 tool twice', '0 tool twice', '0 tool twice'],
        [...looks, 'edit', 'prompt', '0 ls src/', '0 git status'],
        [...looks],
      ),
    ).toEqual([]);
  });

  it('makes paths in the working tree relative, and leaves out other absolute paths', () => {
    const lines = [
      'edit',
      '0 cd /home/me/shop && make -f /home/me/shop/ci/Makefile test',
      '0 cat /etc/hosts',
    ];
    expect(checks(lines, lines, lines).map(({ command, folder }) => [folder, command])).toEqual([
      ['', 'make -f ci/Makefile test'],
    ]);
  });

  it('counts a run without cd for the only folder in which the command is run otherwise', () => {
    const [one] = checks(['edit', '0 cd web && npm test', '0 npm test'], ['edit', '0 cd web && npm test']);
    expect(one).toMatchObject({ command: 'npm test', folder: 'web', passed: 3 });
  });

  it('names what passed instead of a command that was never seen to pass', () => {
    const lines = ['edit', '1 npm test', '0 npm run lint', '0 npm run test:ci'];
    const failing = checks(lines, lines).find(({ command }) => command === 'npm test');
    expect(failing).toMatchObject({ passed: 0, failed: 2, instead: 'npm run test:ci' });
  });

  it('names nothing instead if files were edited before the other command passed', () => {
    const lines = ['edit', '1 npm test', 'edit', '0 npm run test:ci'];
    expect(checks(lines, lines).find(({ command }) => command === 'npm test')?.instead).toBeUndefined();
  });

  it('says of no command that it never passes if most of its runs were not seen', () => {
    const lines = ['edit', '1 npm test', '0 npm test | tail', '0 npm test | tail'];
    expect(checks(lines, lines)).toEqual([]);
  });

  it('does not say that a command failed last if it was run again and the result was not seen', () => {
    const failed = ['edit', '0 make test', 'edit', '1 make test'];
    expect(checks(failed, failed)[0]?.last).toMatchObject({ agentSession: 's1', isFailed: true });
    const [again] = checks(failed, [...failed, 'edit', '0 make test | tail']);
    expect(again?.last).toMatchObject({ agentSession: 's1', isFailed: false });
  });
});
