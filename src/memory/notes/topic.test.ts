import { describe, expect, it } from 'vitest';
import { aNote } from '../../../test/contract/samples.ts';
import { activeOnTopic, earlierStatements } from './topic.ts';

describe('a topic', () => {
  it('is the same whatever the order and case of its words', () => {
    const known = [
      aNote({ id: 'a', topic: 'Upload limit' }),
      aNote({ id: 'b', topic: 'limit of uploads', state: 'superseded' }),
      aNote({ id: 'c', topic: 'rate limit' }),
    ];
    expect(activeOnTopic('limit for the upload', known).map(({ id }) => id)).toEqual(['a']);
    expect(activeOnTopic('', known)).toEqual([]);
  });

  it('has a history, also through several replacements and around a loop', () => {
    const notes = [
      aNote({ id: 'first', validFrom: '2026-09-01', state: 'superseded', replaces: ['third'] }),
      aNote({ id: 'second', validFrom: '2026-10-01', state: 'superseded', replaces: ['first'] }),
      aNote({ id: 'third', validFrom: '2026-11-01', replaces: ['second', 'gone'] }),
    ];
    const third = notes[2] ?? aNote();
    expect(earlierStatements(third, notes).map(({ id }) => id)).toEqual(['second', 'first']);
  });
});
