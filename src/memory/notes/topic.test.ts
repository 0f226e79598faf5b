import { describe, expect, it } from 'vitest';
import { aNote } from '../../../test/contract/samples.ts';
import { activeOnMatter, activeOnTopic, earlierStatements } from './topic.ts';

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

  it('may have a wider or narrower name if the statements have half of their words in common', () => {
    const known = [
      aNote({ id: 'a', topic: 'atlas size', text: 'Atlases are 4096 at most on all platforms.' }),
      aNote({ id: 'b', topic: 'size', text: 'Icons are 32 px wide.' }),
      aNote({ id: 'c', topic: 'texture size', text: 'Atlases are 4096 at most on all platforms.' }),
    ];
    const change = { topic: 'max atlas size', text: 'Atlases are up to 8192 on all platforms.' };
    expect(activeOnMatter(change, known).map(({ id }) => id)).toEqual(['a']);
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
