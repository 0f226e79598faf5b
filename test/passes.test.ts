import { describe, expect, it } from 'vitest';
import { atMost } from './harness/evaluation.ts';
import { checkFiles, hashCode, measuredFiles } from './harness/measured-code.ts';
import { isCurrent, type Pass, unproven, withResult } from './harness/passes.ts';

const pass = (changes: Partial<Pass> = {}): Pass => ({
  name: 'crash',
  at: '2026-11-19T00:00:00.000Z',
  n: 20,
  measures: ['src/store/events'],
  code: 'one',
  published: 'all',
  platform: process.platform,
  commit: 'abc1234',
  figures: {},
  bars: { lost: atMost(0, 0) },
  ...changes,
});

describe('a pass', () => {
  it('is taken over only on the code that it measured, and on the same platform', () => {
    expect(isCurrent(pass(), 'one')).toBe(true);
    expect(isCurrent(pass(), 'two')).toBe(false);
    expect(isCurrent(pass({ platform: 'other' }), 'one')).toBe(false);
  });

  it('hides no check that never passed: without a trial, beyond a bar, or not there', () => {
    expect(isCurrent(undefined, 'one')).toBe(false);
    expect(isCurrent(pass({ n: 0 }), 'one')).toBe(false);
    expect(isCurrent(pass({ bars: { lost: atMost(1, 0) } }), 'one')).toBe(false);
  });

  it('is forgotten once the check fails', () => {
    const passes = { crash: pass(), why: pass({ name: 'why' }) };
    expect(Object.keys(withResult(passes, pass({ code: 'two' })))).toEqual(['crash', 'why']);
    expect(withResult(passes, pass({ bars: { lost: atMost(1, 0) } }))).toEqual({ why: passes.why });
  });

  it('of other code is refused by a release, and so is a check without one', () => {
    const passes = { crash: pass(), why: pass({ published: 'earlier' }), memo: pass({ n: 0 }) };
    expect(unproven(['crash'], passes, 'all')).toEqual([]);
    expect(unproven(['crash', 'drift', 'memo', 'why'], passes, 'all')).toEqual([
      'drift never passed',
      'memo passed on other code',
      'why passed on other code',
    ]);
  });
});

describe('the code of a check', () => {
  it('is another once a measured file, the lock file, the build or a file of the check changes', () => {
    const changed = (path: string) =>
      hashCode(['src/base', 'test/groups.ts'], (name) => Buffer.from(name === path ? 'changed' : name));
    for (const path of ['src/base/clock.ts', 'package-lock.json', 'scripts/build.ts', 'test/groups.ts'])
      expect(changed(path), path).not.toBe(changed(''));
    expect(changed('src/base/clock.test.ts')).toBe(changed(''));
    expect(changed('src/git/git.ts')).toBe(changed(''));
  });

  it('includes what a test of the installed program imports from outside src', () => {
    const files = checkFiles(['test/e2e/cli.test.ts']);
    expect(files).toContain('test/support/sandbox.ts');
    expect(files).toContain('test/support/drains.ts');
    expect(files.filter((path) => path.startsWith('src/'))).toEqual([]);
    expect(measuredFiles(files)).toContain('test/e2e/cli.test.ts');
  });
});
