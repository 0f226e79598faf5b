import { describe, expect, it } from 'vitest';
import { cpuMsSince } from '../../test/support/cpu-time.ts';
import { promptEvent, sampleEvent } from '../../test/support/sample-event.ts';
import { chunksOfEvent } from './chunks.ts';

const pathsOf = (text: string): string[] => chunksOfEvent(promptEvent(text))[0]?.paths ?? [];

describe('chunksOfEvent', () => {
  it.each([
    ['look at src/queue/worker.ts please', ['src/queue/worker.ts']],
    ['worker.ts and test/worker.test.ts', ['worker.ts', 'test/worker.test.ts']],
    ['in (src/a.ts), "lib/b.py" and `c/d.rs`:', ['src/a.ts', 'lib/b.py', 'c/d.rs']],
    ['/home/ann/app/main.go', ['home/ann/app/main.go']],
    ['./src/x.ts and ../y/z.ts', ['./src/x.ts', '../y/z.ts']],
    ['@scope/name/index.js', ['@scope/name/index.js']],
    ['version 1.2.3 of e.g. nothing', []],
    ['src/worker.ts src/worker.ts', ['src/worker.ts']],
  ])('finds the paths in "%s"', (text, paths) => {
    expect(pathsOf(text)).toEqual(paths);
  });

  it('begins the text of a command with how it ended', () => {
    const failed = sampleEvent({
      kind: 'command',
      body: { command: 'npm test', ok: false, exit: 1, output: 'no' },
    });
    const fine = sampleEvent({
      kind: 'command',
      body: { command: 'npm test', ok: true, output: 'failed, exit 1' },
    });
    expect(chunksOfEvent(failed)[0]?.text).toBe('failed, exit 1\n$ npm test\nno');
    expect(chunksOfEvent(fine)[0]?.text).toBe('$ npm test\nfailed, exit 1');
  });

  it('gives the same event the same ids, and another event other ids', () => {
    const event = promptEvent('some words');
    const ids = (one: typeof event) => chunksOfEvent(one).map(({ id }) => id);
    expect(ids(event)).toEqual(ids(JSON.parse(JSON.stringify(event))));
    expect(ids({ ...event, id: 'f'.repeat(32) })).not.toEqual(ids(event));
  });

  it('[index-fast] is fast on very long words, paths and lines', () => {
    const started = process.cpuUsage();
    for (const piece of [
      'x',
      'a-',
      'a.',
      'a/',
      '/',
      '../',
      '@',
      'x\n',
      'use ',
      'ab.ts',
      '<',
      '"',
      ' ',
      '数',
    ]) {
      chunksOfEvent(promptEvent(piece.repeat(200_000 / piece.length)));
    }
    expect(cpuMsSince(started)).toBeLessThan(5_000);
  });
});
