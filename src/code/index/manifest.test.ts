import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { indexFolder } from '../../../test/support/index-segment.ts';
import { type Manifest, readManifest, removeUnnamedSegments, writeManifest } from './manifest.ts';

const entry = { bytes: 1, tablesAt: 1, tablesSum: 1, files: 1, blocks: 1, grams: 1, nameBytes: 1, dead: '' };
const manifest: Manifest = { format: 1, generation: 3, updated: 7, segments: [{ file: 'a.seg', ...entry }] };

it('is read as it was written, and counts as missing if a byte of it or its format differs', () => {
  const folder = indexFolder();
  expect(readManifest(folder)).toBeUndefined();
  writeManifest(folder, manifest);
  expect(readManifest(folder)).toEqual(manifest);
  const path = join(folder, 'MANIFEST.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"generation":3', '"generation":4'));
  expect(readManifest(folder)).toBeUndefined();
  writeManifest(folder, { ...manifest, format: 2 as 1 });
  expect(readManifest(folder)).toBeUndefined();
});

it('names the segments that stay; only other segments and their words are removed', () => {
  const folder = indexFolder();
  for (const name of ['a.seg', 'a.seg.words', 'b.seg', 'b.seg.words', 'c.tmp', 'lock'])
    writeFileSync(join(folder, name), '');
  removeUnnamedSegments(folder, manifest);
  expect(readdirSync(folder).sort()).toEqual(['a.seg', 'a.seg.words', 'lock']);
});
