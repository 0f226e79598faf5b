import { describe, expect, it } from 'vitest';
import type { Anchor } from '../domain/anchor.ts';
import { formatAnchor, parseAnchor } from './anchors-from-user.ts';

const hash = '9f31c2a4'.repeat(4);
const anchor: Anchor = {
  path: 'src/a b/load.js',
  start: 3,
  lines: { kind: 'span', count: 7, hash },
  commit: '1a2b3c4d5e6f',
  branch: '',
  at: 5,
  symbol: 'Queue.retry',
};

describe('an anchor in the front matter of a note', () => {
  it('is a readable line that parses back to the same anchor', () => {
    const line = formatAnchor('src/a b/load.js:3-9', 'Queue.retry', '1a2b3c4d5e6f', hash);
    expect(line).toBe(`src/a b/load.js:3-9 Queue.retry @1a2b3c4d5e6f #${hash}`);
    expect(parseAnchor(line, 5)).toEqual(anchor);
  });

  it('may name only a place, and only one line', () => {
    expect(parseAnchor('load.js:4', 1)).toMatchObject({
      path: 'load.js',
      start: 4,
      lines: { count: 1, hash: '' },
    });
    expect(parseAnchor('load.js:4-6 @1a2b3c4', 1)).toMatchObject({ commit: '1a2b3c4', lines: { count: 3 } });
  });

  it('is ignored if it does not name a place', () => {
    for (const line of ['', 'load.js', 'load.js:0', 'load.js:9-3', 'load.js:1-99999', ': 3'])
      expect(parseAnchor(line, 1)).toBeUndefined();
  });
});
