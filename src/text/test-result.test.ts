import { describe, expect, it } from 'vitest';
import { type CommandRun, lastTestResults, testResults } from './test-result.ts';

const run = (command: string, ok = true, output = ''): CommandRun => ({ event: 'e1', command, ok, output });
const resultOf = (command: string, ok?: boolean, output?: string) =>
  testResults(run(command, ok, output)).at(-1)?.result;

describe('testResults', () => {
  it.each([
    ['npm test', true, '', 'passed'],
    ['npm test', false, '', 'failed'],
    ['cd /app && CI=1 npx vitest run src/a.test.ts', true, '', 'passed'],
    ['npm run lint && git commit -m x', true, '', 'passed'],
    ['npm test 2>&1 | tail -5', true, '      Tests  2 failed | 8 passed (10)', 'failed'],
    ['npm test 2>&1 | tail -5', true, '      Tests  8 passed (8)', 'passed'],
    ["go test -run 'A|B' ./...", true, '', 'passed'],
  ])('reads the result of %s, exit ok %s, output "%s": %s', (command, ok, output, result) => {
    expect(resultOf(command, ok, output)).toBe(result);
  });

  it('reads the result of each part of a command line', () => {
    const output = 'ok  \tshop/api\t0.2s\n3 issues:\n* errcheck: 3';
    const found = testResults(run('go test ./... | tail -5; golangci-lint run | tail -5', true, output));
    expect(found.map(({ command, result }) => [command, result])).toEqual([
      ['go test ./...', 'passed'],
      ['golangci-lint run', 'failed'],
    ]);
  });

  it('knows no result if the exit status is not that of the tests and the output does not tell', () => {
    expect(resultOf('npm test | tail -5')).toBeUndefined();
    expect(resultOf('npm test; echo done')).toBeUndefined();
    expect(resultOf('npm test && git push', false)).toBeUndefined();
    const background = { ...run('npm test'), exit: 'unknown' as const };
    expect(testResults(background)).toEqual([]);
  });

  it.each([
    'cat test/a.ts',
    'git add test',
    'npm install vitest',
    'gofmt -w pkg/check.go',
    'mkdir tests',
    'ls',
  ])('does not take %s for a test', (command) => {
    expect(resultOf(command)).toBeUndefined();
  });

  it('keeps the last result of each program, and quotes no word that needs none', () => {
    const runs = [
      run('go test ./pkg -run TestOne', false),
      run('npm run lint'),
      run('go test ./... -run "A|B"'),
      run('npm run build'),
    ];
    expect(lastTestResults(runs).map(({ command, result }) => [command, result])).toEqual([
      ['npm run lint', 'passed'],
      ["go test ./... -run 'A|B'", 'passed'],
    ]);
  });
});
