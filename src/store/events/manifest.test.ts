import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { sha256 } from '../../base/ids.ts';
import { logFiles } from './log-files.ts';
import {
  blockBytes,
  blockHash,
  blockRange,
  emptyManifest,
  hashBlocks,
  readManifest,
  writeManifest,
} from './manifest.ts';

let folder: string;
beforeEach(() => {
  const top = mkdtempSync(join(tmpdir(), 'backstory-manifest-'));
  onTestFinished(() => rmSync(top, { recursive: true }));
  folder = join(top, 'events');
  mkdirSync(folder);
});
const manifestOf = (generation: number) => ({ ...emptyManifest(), generation });
/** Writes one of the two copies. */
const put = (name: 'manifest' | 'manifestCopy', generation: number): void => {
  const manifest = manifestOf(generation);
  const text = JSON.stringify({ sum: sha256(JSON.stringify(manifest)), manifest });
  writeFileSync(logFiles(folder)[name], text);
};
const mark = () => writeFileSync(logFiles(folder).manifestMark, '');
const damage = (name: 'manifest' | 'manifestCopy') => writeFileSync(logFiles(folder)[name], 'x');
const read = () => {
  const { manifest, problem } = readManifest(folder);
  return [manifest?.generation, problem?.replace(/^.*[/\\]/, '')];
};

describe('reading the manifest', () => {
  it('returns what was written', () => {
    writeManifest(folder, manifestOf(4));
    expect(readManifest(folder)).toEqual({ manifest: manifestOf(4) });
  });

  it.each([
    [3, 3, 3, undefined],
    [3, 4, 4, undefined],
    [4, 3, 4, undefined],
    [3, 5, 5, 'its two copies differ; one was replaced by an older version'],
    [5, 3, 5, 'its two copies differ; one was replaced by an older version'],
  ])(
    'takes the newer of two copies, which differ by one after a crash: %i and %i',
    (first, second, expected, problem) => {
      put('manifest', first);
      put('manifestCopy', second);
      expect(read()).toEqual([expected, problem]);
    },
  );

  it('names the copy that is missing or damaged, and uses the other', () => {
    put('manifest', 3);
    expect(read(), 'the first write was interrupted').toEqual([3, undefined]);
    mark();
    expect(read()).toEqual([3, 'log-manifest.json is missing']);
    damage('manifestCopy');
    expect(read()).toEqual([3, 'log-manifest.json is damaged']);
    put('manifestCopy', 3);
    damage('manifest');
    expect(read()).toEqual([3, 'manifest.json is damaged']);
  });

  it('reports a damaged copy also before the first write was complete', () => {
    put('manifest', 3);
    damage('manifestCopy');
    expect(read()).toEqual([3, 'log-manifest.json is damaged']);
  });

  it('has none before the first write, and a problem if both copies are lost or damaged', () => {
    expect(read()).toEqual([undefined, undefined]);
    damage('manifest');
    expect(read()).toEqual([undefined, 'both copies are missing or damaged']);
    rmSync(logFiles(folder).manifest);
    mark();
    expect(read()).toEqual([undefined, 'both copies are missing or damaged']);
  });
});

describe('the blocks of a file', () => {
  it('have hashes of 128 bits', () => {
    expect(blockHash(Buffer.from('x'))).toBe(sha256('x').slice(0, 32));
    expect(blockHash(Buffer.from('x'))).toMatch(/^[0-9a-f]{32}$/);
  });

  it('are of the same length, except for the last', () => {
    const length = 2 * blockBytes + 5;
    expect([0, 1, 2].map((at) => blockRange(at, length))).toEqual([
      { start: 0, end: blockBytes },
      { start: blockBytes, end: 2 * blockBytes },
      { start: 2 * blockBytes, end: length },
    ]);
  });

  it('are hashed over the part that is covered', () => {
    const path = join(folder, 'a');
    const bytes = Buffer.concat(['a', 'b', 'c'].map((letter) => Buffer.alloc(blockBytes, letter)));
    writeFileSync(path, bytes);
    const hashes = (from: number, to: number) => blockHash(bytes.subarray(from, to));
    const [first, second] = [hashes(0, blockBytes), hashes(blockBytes, 2 * blockBytes)];
    expect(hashBlocks(path, 2 * blockBytes)).toEqual([first, second]);
    expect(hashBlocks(path, 2 * blockBytes + 7)).toEqual([
      first,
      second,
      hashes(2 * blockBytes, 2 * blockBytes + 7),
    ]);
    expect(hashBlocks(path, 2 * blockBytes, 1)).toEqual([second]);
    expect(hashBlocks(path, 0)).toEqual([]);
  });
});
