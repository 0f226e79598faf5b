import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, inject, it } from 'vitest';

const folder = join(inject('installedPackage'), 'dist', 'ui');
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));
const pages = ['index.html', 'team.html'].map((name) => readFileSync(join(folder, name), 'utf8'));

describe('the built viewer', () => {
  it.each(pages)('[viewer-size] loads at most 60 KB, compressed, for the first view', (page) => {
    const named = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) =>
      join(folder, match[1] as string),
    );
    const first = [join(folder, 'index.html'), ...named];
    expect(first.length).toBeGreaterThan(3);
    const bytes = first.reduce((sum, file) => sum + gzipSync(readFileSync(file), { level: 9 }).length, 0);
    expect(bytes).toBeLessThan(60 * 1024);
  });

  it('[viewer-local] contains no address of another machine', () => {
    // XML namespaces look like addresses but are never requested.
    const vocabularies = /^http:\/\/www\.w3\.org\//;
    const addresses = files.flatMap(
      (file) => readFileSync(file, 'utf8').match(/https?:\/\/[\w.-]+\/[^\s"'`)]*/g) ?? [],
    );
    expect(addresses.filter((address) => !vocabularies.test(address))).toEqual([]);
  });
});
