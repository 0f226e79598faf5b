import { describe, expect, it } from 'vitest';
import type { MemoStep } from '../domain/memo.ts';
import { commandRuns } from '../text/command-runs.ts';
import {
  isCheck,
  isReplacement,
  isWorthKnowing,
  type ObservedCommand,
  observedCommands,
} from './observed-commands.ts';

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

  it('makes paths in the working tree relative, and leaves out other absolute paths', () => {
    const lines = [
      'edit',
      '0 cd /home/me/shop && make -f /home/me/shop/ci/Makefile test',
      '0 cat /etc/hosts',
    ];
    expect(observed(lines).map(({ command, folder }) => [folder, command])).toEqual([
      ['', 'make -f ci/Makefile test'],
    ]);
  });

  it('counts a run without cd for the only folder in which the command is run otherwise', () => {
    const [one] = observed(['edit', '0 cd web && npm test', '0 npm test'], ['edit', '0 cd web && npm test']);
    expect(one).toMatchObject({ command: 'npm test', folder: 'web', passed: 3 });
  });

  it('names what passed instead of a command that was never seen to pass', () => {
    const lines = ['edit', '1 npm test', '0 npm run lint', '0 npm run test:ci'];
    const failing = observed(lines, lines).find(({ command }) => command === 'npm test');
    expect(failing).toMatchObject({ passed: 0, failed: 2, instead: 'npm run test:ci' });
  });

  it('names nothing instead if files were edited before the other command passed', () => {
    const lines = ['edit', '1 npm test', 'edit', '0 npm run test:ci'];
    expect(observed(lines, lines).find(({ command }) => command === 'npm test')?.instead).toBeUndefined();
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
  it.each([
    [true, 'make test', 2],
    [true, 'npm run lint', 2],
    [false, 'make test', 1],
    [false, 'go build ./...', 9],
    [false, 'cat test/a.ts', 9],
  ])('is %s for %s that ran %i times', (expected, command, passed) => {
    expect(isCheck({ ...seen, command, passed, failed: 0 })).toBe(expected);
  });
});

const seen: ObservedCommand = {
  ...{ command: './scripts/e2e.sh', folder: '', passed: 3, failed: 0, unseen: 0, sessions: 2 },
  last: { at: 0, agentSession: '', event: '', isFailed: false },
};

describe('a command is worth knowing', () => {
  const asked = (command: string) => isWorthKnowing({ ...seen, command, asked: 'p' });

  it('if a person typed it in a prompt and it passed', () => {
    const prompt = (text: string) =>
      observedCommands(sessions(['0 tool rollout --all', '0 tool rollout']), [], [{ event: 'p', text }])
        .filter(isWorthKnowing)
        .map(({ command }) => command);
    expect(prompt('please run `tool rollout` first')).toEqual(['tool rollout']);
    expect(prompt('do this:\ntool rollout\nthen go on')).toEqual(['tool rollout']);
    expect(prompt('run tool rollout --all before each commit')).toEqual(['tool rollout --all']);
    expect(prompt('the tool rollout is slow')).toEqual([]);
    expect(isWorthKnowing({ ...seen, command: 'tool rollout', asked: 'p', passed: 0, failed: 1 })).toBe(
      false,
    );
  });

  it('if it failed more than once, never passed, and another form of it passed', () => {
    const failing = { ...seen, command: 'npm test', passed: 0, failed: 2, instead: 'npm run test:ci' };
    expect(isWorthKnowing(failing)).toBe(true);
    expect(isWorthKnowing({ ...failing, passed: 1 })).toBe(false);
    expect(isWorthKnowing({ ...failing, failed: 1 })).toBe(false);
    expect(isWorthKnowing({ ...failing, unseen: 2 })).toBe(false);
    expect(isWorthKnowing({ ...failing, instead: 'make clean test' })).toBe(false);
  });

  it('if it is a task of the repository itself that passed in several sessions', () => {
    for (const command of ['./scripts/e2e.sh', 'npm run test:e2e', 'make e2e', 'CGO_ENABLED=0 go test ./...'])
      expect(isWorthKnowing({ ...seen, command }), command).toBe(true);
    expect(isWorthKnowing({ ...seen, sessions: 1 })).toBe(false);
    expect(isWorthKnowing({ ...seen, passed: 1 })).toBe(false);
    expect(isWorthKnowing({ ...seen, command: 'modernize --fix ./...' })).toBe(false);
  });

  it.each([
    'rm scratch-omp.exe',
    'make clean',
    'npm run db:reset',
    'docker volume prune',
    './scripts/clean.sh',
    'git push',
  ])('never if it deletes or belongs to version control, whoever asked for it: %s', (command) => {
    expect(asked(command)).toBe(false);
  });

  it.each(['go build ./...', 'go mod tidy', 'gofmt -l .', 'npm test', 'npm run build', 'make', 'ls src/'])(
    'never if everybody would run it anyway: %s',
    (command) => {
      expect(asked(command)).toBe(false);
    },
  );
});

it.each([
  ['pytest', 'python -m pytest', true],
  ['pytest', 'npm run lint', false],
  ['npm test', 'npm run test:ci', true],
  ['npm test', 'npm run lint', false],
])('a replacement names the same target: %s, %s: %s', (failed, passed, expected) => {
  expect(isReplacement(failed.split(' '), passed.split(' '))).toBe(expected);
});
