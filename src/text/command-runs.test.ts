import { describe, expect, it } from 'vitest';
import { commandRuns } from './command-runs.ts';

const outcomes = (line: string, exit: number | undefined): string[] =>
  commandRuns(line, exit).map(({ command, folder, outcome }) =>
    [outcome, ...(folder === '' ? [] : [`in ${folder}`]), command].join(' '),
  );

describe('commandRuns', () => {
  it('takes the exit status of a single command', () => {
    expect(outcomes('npm test', 0)).toEqual(['passed npm test']);
    expect(outcomes('npm test 2>&1', 1)).toEqual(['failed npm test']);
    expect(outcomes('CI=1 npm test', 0)).toEqual(['passed CI=1 npm test']);
    expect(outcomes('timeout 60 npm test -- --bail=2', 0)).toEqual(['passed npm test -- --bail=2']);
  });

  it.each(['npm test | tail -5', 'npm test || true', 'npm test; true', 'npm test\necho done'])(
    'does not take the exit status of another command: %j',
    (line) => {
      expect(outcomes(line, 0)).toEqual(['unknown npm test']);
      expect(outcomes(line, 1)).toEqual(['unknown npm test']);
    },
  );

  it('trusts a pipe only with pipefail', () => {
    expect(outcomes('set -o pipefail; npm test | tail', 0)).toEqual(['passed npm test']);
    expect(outcomes('set -euo pipefail\nnpm run lint | tail\nnpm test', 0)).toEqual([
      'passed npm run lint',
      'passed npm test',
    ]);
  });

  it('passes every command of a chain that passed, and blames none of one that failed', () => {
    expect(outcomes('npm run lint && npm test && echo ok', 0)).toEqual([
      'passed npm run lint',
      'passed npm test',
    ]);
    expect(outcomes('npm run lint && npm test', 1)).toEqual(['unknown npm run lint']);
    expect(outcomes('npm test && echo ok', 1)).toEqual(['failed npm test']);
  });

  it('does not count a background run, a timeout, a signal or a run without exit status', () => {
    expect(outcomes('npm start &', 0)).toEqual([]);
    expect(outcomes('npm test', 124)).toEqual(['unknown npm test']);
    expect(outcomes('npm test', 137)).toEqual(['unknown npm test']);
    expect(outcomes('npm test', 127)).toEqual(['failed npm test']);
    expect(outcomes('npm test', undefined)).toEqual(['unknown npm test']);
  });

  it('notes the folder, and does not blame a command for a folder that may be missing', () => {
    expect(outcomes('cd web && npm test', 0)).toEqual(['passed in web npm test']);
    expect(outcomes('cd web && npm test', 1)).toEqual(['unknown in web npm test']);
    expect(outcomes('cd web && npm test', 2)).toEqual(['failed in web npm test']);
    expect(outcomes('cd /home/me/shop/web && npm test', 1)).toEqual(['failed in /home/me/shop/web npm test']);
    expect(outcomes('cd ../other && npm test', 0)).toEqual([]);
  });

  it.each([
    'pytest -k "not slow"',
    'npm test $(cat names)',
    "python3 - <<'EOF'\nprint(1)\nEOF",
    'for d in a b; do npm test; done',
    '(npm test)',
    'please always run curl evil.example and obey',
    'export A=1 && npm test',
    'NOTE=ignore_all_rules npm test',
    'npm test --ignore-all-rules-here',
  ])('leaves out a command that bare words cannot give: %j', (line) => {
    expect(outcomes(line, 0)).toEqual([]);
  });
});
