import { describe, expect, it } from 'vitest';
import { aNote } from '../../test/contract/samples.ts';
import { cpuMsSince } from '../../test/support/cpu-time.ts';
import { promptEvent, sampleEvent } from '../../test/support/sample-event.ts';
import type { EventEnvelope } from '../domain/event.ts';
import type { Note } from '../domain/note.ts';
import { chunksOfEvent, chunksOfNote } from './chunks.ts';

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
    expect([failed, fine].map((event) => chunksOfEvent(event)[0]?.isFailed)).toEqual([true, undefined]);
    expect(chunksOfEvent(failed)[0]?.text).toBe('failed, exit 1\n$ npm test\nno');
    expect(chunksOfEvent(fine)[0]?.text).toBe('$ npm test\nfailed, exit 1');
  });

  it.each([
    [{ kind: 'answer', body: { text: 'Done in a.ts.', turn: 't' } }, 'Done in a.ts.', []],
    [{ kind: 'prompt', body: { text: 'Hello.' } }, 'Hello.', []],
    [{ kind: 'prompt', body: { text: 'A plan.', isPlan: true } }, 'A plan.', ['plan']],
    [{ kind: 'prompt', origin: 'teammate', actor: 'eve', body: { text: 'Hello.' } }, 'Hello.', ['by eve']],
    [
      {
        kind: 'commit',
        body: { hash: '0123456789abcdef', author: 'ada', message: 'Round yen', files: ['a.ts'] },
      },
      'commit 0123456789ab: Round yen',
      ['by ada'],
    ],
    [
      {
        kind: 'edit',
        body: {
          tool: 'Edit',
          path: 'a.ts',
          hunks: [
            { added: ['1', '2'], removed: ['3'] },
            { added: ['4'], removed: [] },
          ],
        },
      },
      'edited a.ts (+3 −1 lines)',
      [],
    ],
    [
      { kind: 'edit', body: { tool: 'Write', path: 'a.ts', created: true, hunks: [] } },
      'created a.ts (+0 −0 lines)',
      [],
    ],
    [
      { kind: 'edit', body: { tool: 'Bash', path: 'a.ts', command: 'e', hunks: [] } },
      'a command edited a.ts (+0 −0 lines)',
      [],
    ],
    [{ kind: 'command', body: { command: 'x', ok: false } }, 'failed\n$ x', []],
    [
      { kind: 'oversize', body: { of: 'prompt', length: 9, hash: '', head: 'a', tail: 'b' } },
      'prompt, 9 bytes\na\n…\nb',
      [],
    ],
  ])('says what happened: %j', (content, text, concepts) => {
    const [chunk, ...others] = chunksOfEvent(sampleEvent(content as never));
    expect(chunk).toMatchObject({ text, concepts, pinned: false, source: 'event' });
    expect(others).toEqual([]);
  });

  it('has nothing of an event without a text, and the beginning of time for a time that is none', () => {
    expect(chunksOfEvent(sampleEvent({ kind: 'probe', body: { nonce: 'x' } }))).toEqual([]);
    const event: EventEnvelope = promptEvent('hello', { at: 'never' });
    expect(chunksOfEvent(event)[0]?.at).toBe(0);
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

describe('chunksOfNote', () => {
  const only = (more: Partial<Note> = {}) => chunksOfNote(aNote({ title: '', ...more }), 'p')[0];

  it.each([
    [{ trust: 3 }, 'user'],
    [{ trust: 2 }, 'user'],
    [{ trust: 1 }, 'assistant'],
    [{ author: 'repo/x', trust: 2 }, 'teammate'],
    [{ author: 'repo/x', trust: 1 }, 'file'],
    [{ derivedFrom: ['team:eve'], trust: 2 }, 'teammate'],
  ] as [Partial<Note>, string][])('has the origin of the note: %j, %s', (more, origin) => {
    expect(only(more)?.origin).toBe(origin);
  });

  it('has the concepts of the note and, as marks that no concept can imitate, its state and who disputes it', () => {
    expect(
      only({ concepts: ['yen', 'archived', 'everywhere', 'disputed by eve on 2026-01-01'] })?.concepts,
    ).toEqual(['yen']);
    expect(only({ concepts: ['yen'], state: 'superseded', everywhere: true })?.concepts).toEqual([
      'yen',
      'superseded',
      'everywhere',
    ]);
    const disputed = only({
      derivedFrom: ['team:eve'],
      disputes: [{ by: 'ada', at: '2026-06-01T00:00:00Z' }],
    });
    expect(disputed?.concepts).toEqual(['disputed by ada on 2026-06-01']);
  });

  it('has the title only if the text does not begin with it', () => {
    const text = 'Round the yen to units, always.';
    expect(only({ title: 'Round the yen…', text })?.text).toBe(text);
    expect(only({ title: 'Yen', text })?.text).toBe(`Yen\n${text}`);
  });

  it('has the topic and the time of the last change, if there is one', () => {
    expect(only({ topic: 'yen', updated: '2026-06-01T00:00:00Z' })).toMatchObject({
      topic: 'yen',
      at: Date.UTC(2026, 5, 1),
    });
    expect(only({ updated: 'never' })?.at).toBe(0);
    expect(only()).not.toHaveProperty('topic');
  });
});
