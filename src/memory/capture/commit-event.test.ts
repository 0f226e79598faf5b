import { describe, expect, it } from 'vitest';
import { commitEvent } from './commits.ts';

describe('the event of a commit', () => {
  const commit = {
    hash: 'c'.repeat(40),
    at: '2026-11-14T10:00:00+01:00',
    committedAt: '2026-11-14T09:00:00Z',
    authorName: 'Ada',
    message: 'Wait for slow drives',
    files: ['a.js'],
  };

  it('has its message, files and author, and the time at which it was written', () => {
    expect(commitEvent(commit, 'main', true)).toEqual({
      ...{ kind: 'commit', id: expect.any(String), origin: 'assistant', trust: 1 },
      ...{ at: commit.at, branch: 'main' },
      body: { hash: commit.hash, author: 'Ada', message: 'Wait for slow drives', files: ['a.js'] },
    });
    expect(commitEvent(commit, 'main', false)).toMatchObject({ origin: 'teammate', trust: 0 });
    expect(commitEvent({ ...commit, hash: 'd'.repeat(40) }, 'main', true).id).not.toBe(
      commitEvent(commit, 'main', true).id,
    );
  });

  it('has the time of the commit if that is another, as after a rebase', () => {
    const committedAt = '2026-11-15T12:00:00+02:00';
    expect(commitEvent({ ...commit, committedAt }, '', true).body).toMatchObject({
      committedAt: '2026-11-15T10:00:00.000Z',
    });
  });

  it('has at most 8,000 characters and 200 files', () => {
    const files = Array.from({ length: 201 }, (_, at) => `${at}.js`);
    const { body } = commitEvent({ ...commit, message: 'x'.repeat(8_001), files }, '', true);
    expect(body).toMatchObject({ message: 'x'.repeat(8_000), files: files.slice(0, 200) });
  });
});
