import { describe, expect, it } from 'vitest';
import type { MemoStep } from '../domain/memo.ts';
import { commandRuns } from '../text/command-runs.ts';
import { isCheck, isReplacement, type ObservedCommand, observedCommands } from './observed-commands.ts';

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

const observed = (...all: string[][]) => observedCommands(sessions(...all), ['/home/me/shop']);
const checks = (...all: string[][]) => observed(...all).filter(isCheck);

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

  it('lists first what most sessions ran, then what passed most often, then what ran last', () => {
    const lines = ['0 once', '0 early', '0 late', '0 thrice', '0 thrice', '0 thrice', '0 shared'];
    const order = observed(lines, ['1 shared']).map(({ command }) => command);
    expect(order).toEqual(['shared', 'thrice', 'late', 'early', 'once']);
  });

  it('leaves out version control and what ran in a folder outside of the working tree', () => {
    const lines = ['0 git status', '0 cd /srv/other && make test', '0 cd api && make test'];
    expect(observed(lines).map(({ command, folder }) => [command, folder])).toEqual([['make test', 'api']]);
  });

  it('counts how often the program of a command, after any variables, followed an edit', () => {
    const all = observed([
      'edit',
      '0 CI=1 make test',
      '0 other tool',
      'prompt',
      '0 make build',
      '0 make build',
    ]);
    expect(all.map(({ command, programAfterEdit }) => [command, programAfterEdit])).toEqual([
      ['make build', 1 / 3],
      ['other tool', 1],
      ['CI=1 make test', 1 / 3],
    ]);
  });

  it.each([
    ['to the folder, if as many runs are there', ['0 cd web && make', '0 make'], ['web', 2]],
    ['to the top, if more runs are there', ['0 cd web && make', '0 make', '0 make'], ['', 3]],
  ])(
    'counts the runs of a command at the top and in one folder together: %s',
    (_, lines, [folder, passed]) => {
      expect(observed(lines)).toMatchObject([{ command: 'make', folder, passed }]);
      expect(observed(lines)).toHaveLength(1);
    },
  );

  it('keeps the runs of a command in several folders, or in no other than one, apart', () => {
    const foldersOf = (...lines: string[]) => observed(lines).map(({ folder }) => folder);
    expect(foldersOf('0 cd web && make', '0 cd api && make', '0 make')).toEqual(['', 'api', 'web']);
    expect(foldersOf('0 cd web && make')).toEqual(['web']);
  });

  it('has the last run whose result was seen, or else the last run', () => {
    const lastOf = (...lines: string[]) => observed(lines)[0]?.last;
    expect(lastOf('0 make', '0 make', '0 make | tail')).toMatchObject({ event: '0-1', isFailed: false });
    expect(lastOf('0 make | tail', '0 make | tail', '0 make | tail')?.event).toBe('0-2');
    expect(lastOf('0 make', '0 cd web && make', '2 cd web && make')).toMatchObject({
      event: '0-2',
      isFailed: true,
    });
    expect(lastOf('0 cd web && make', '0 make', '0 cd web && make', '1 make')).toMatchObject({
      event: '0-3',
      isFailed: true,
    });
  });
});

describe('isCheck', () => {
  const seen: ObservedCommand = {
    command: 'make test',
    folder: '',
    passed: 3,
    failed: 0,
    unseen: 0,
    sessions: 2,
    afterEdit: 3,
    programAfterEdit: 1,
    last: { at: 0, agentSession: '', event: '', isFailed: false },
  };
  it.each([
    [true, 'ran three times, mostly after edits', { passed: 4, programAfterEdit: 0.75 }],
    [false, 'ran twice', { passed: 2, afterEdit: 2 }],
    [true, 'ran twice, of which one failed', { passed: 1, failed: 1, afterEdit: 2 }],
    [false, 'ran in one session', { sessions: 1 }],
    [false, 'often ran without an edit', { passed: 5 }],
    [false, 'is of a program that often ran without an edit', { programAfterEdit: 0.7 }],
    [false, 'failed once and never passed', { passed: 0, failed: 1, afterEdit: 1 }],
    [false, 'failed once, with other results unseen', { passed: 0, failed: 1, unseen: 2 }],
    [false, 'failed as often as its result was unseen', { passed: 0, failed: 2, unseen: 2, afterEdit: 4 }],
    [true, 'failed twice, and one result was unseen', { passed: 0, failed: 2, unseen: 1 }],
  ])('is %s for a command that %s', (expected, _, more) => {
    expect(isCheck({ ...seen, ...more })).toBe(expected);
  });
});

it.each([
  ['pytest', 'python -m pytest', true],
  ['pytest', 'npm run lint', false],
  ['npm test', 'npm run test:ci', true],
  ['npm test', 'npm run lint', false],
])('a replacement names the same target: %s, %s: %s', (failed, passed, expected) => {
  expect(isReplacement(failed.split(' '), passed.split(' '))).toBe(expected);
});
