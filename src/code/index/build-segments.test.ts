import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { indexFolder, openSegment } from '../../../test/support/index-segment.ts';
import { skippedFlag } from '../path-kind.ts';
import { type BuildRequest, buildSegments } from './build-segments.ts';

/** Indexes files with these contents, and returns the paths of each segment. */
function build(contents: Record<string, string>, more: Partial<BuildRequest> = {}) {
  const [root, folder] = [indexFolder(), indexFolder()];
  mkdirSync(join(root, 'src'));
  for (const [path, text] of Object.entries(contents)) writeFileSync(join(root, path), text);
  symlinkSync(folder, join(root, 'out'));
  writeFileSync(join(folder, 'a.ts'), 'not in the checkout');
  const clock = { now: () => Number.MAX_SAFE_INTEGER };
  const entries = buildSegments({
    root,
    folder,
    name: '1-1',
    clock,
    paths: Object.keys(contents),
    arenaBytes: 100_000,
    ...more,
  });
  const segments = entries.map((entry) => openSegment(folder, entry));
  const paths = segments.map((segment, at) =>
    Array.from({ length: entries[at]?.files ?? 0 }, (_, file) => segment.pathOf(file)),
  );
  return { root, entries, segments, paths };
}

describe('building segments', () => {
  it('has the files that are there, of which binary ones are not searched', () => {
    const paths = ['src/a.ts', 'binary', 'missing', 'out/a.ts'];
    const { paths: found, segments } = build({ 'src/a.ts': 'text', binary: 'a\0b' }, { paths });
    expect(found).toEqual([['src/a.ts', 'binary']]);
    expect(Array.from(segments[0]?.tables.flags ?? [], (flags) => (flags & skippedFlag) !== 0)).toEqual([
      false,
      true,
    ]);
  });

  it('makes another segment if one is full, and one as large as a file needs', () => {
    const letters = Array.from({ length: 120 }, (_, at) =>
      String.fromCharCode(33 + (at % 90), 33 + ((at * 7) % 90)),
    ).join('');
    const { paths, entries } = build(
      { a: letters, b: letters, c: letters.repeat(40), d: 'd' },
      { arenaBytes: 20_000 },
    );
    expect(paths).toEqual([['a'], ['b'], ['c', 'd']]);
    expect(entries.map(({ file }) => file)).toEqual(['1-1-0.seg', '1-1-1.seg', '1-1-2.seg']);
    expect(build({}).entries).toEqual([]);
  });

  it('tells its progress now and then', () => {
    const steps: [number, number][] = [];
    const paths = Array.from({ length: 600 }, () => 'a');
    build({ a: 'text' }, { paths, onProgress: (...step) => steps.push(step) });
    expect(steps).toEqual([0, 256, 512].map((done) => [done, 600]));
  });

  it.each([
    [50, -1],
    [51, undefined],
  ])('does not trust the stamp of a file that changed %i ms ago', (ageMs, mtime) => {
    const changed = { at: 0 };
    const clock = {
      now: () => {
        const { mtimeMs, ctimeMs } = statSync(join(place, 'a'));
        changed.at = mtimeMs;
        return Math.max(mtimeMs, ctimeMs) + ageMs;
      },
    };
    const place = indexFolder();
    writeFileSync(join(place, 'a'), 'text');
    const { segments } = build({}, { root: place, paths: ['a'], clock });
    expect(segments[0]?.stampOf(0).mtimeMs).toBe(mtime ?? changed.at);
  });
});
