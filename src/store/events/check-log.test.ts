import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { promptEvent } from '../../../test/support/sample-event.ts';
import { checkLog } from './check-log.ts';
import { encodeEvent, lineState } from './event-line.ts';
import { createEventLog } from './event-log.ts';
import { extendManifest, rebuildManifest } from './extend-manifest.ts';
import { logFiles } from './log-files.ts';
import { readManifest } from './manifest.ts';
import { blankOut, forgetEvents, removeEventFiles, rewriteEventFile } from './rewrite-events.ts';

const top = mkdtempSync(join(tmpdir(), 'backstory-check-'));
afterAll(() => rmSync(top, { recursive: true, force: true }));

const [october, november] = ['2026-10.jsonl', '2026-11.jsonl'];
let now = 0;
const clock = { now: () => now };
let folder: string;
let count = 0;
const append = (month: string, words: string[]) => {
  now = Date.parse(`2026-${month}-14T12:00:00Z`);
  createEventLog(folder, clock).append(words.map((text) => promptEvent(text)));
};
const path = (file: string) => join(folder, file as string);
const kinds = () => checkLog(folder).damage.map(({ kind, file }) => `${kind} ${file}`);

beforeEach(() => {
  folder = join(top, String(count++), 'events');
  append('10', ['one', 'two', 'three', 'four']);
  append('11', ['five', 'six', 'seven']);
  extendManifest(folder, clock);
});

describe('checking the event log', () => {
  it('finds no damage in a log that only Backstory appended to, rewrote and pruned', () => {
    append('11', ['eight']);
    expect(kinds()).toEqual([]);
    extendManifest(folder, clock);
    const records = [...createEventLog(folder, clock).read({})].flatMap(({ file, offset, entry }) =>
      entry.kind === 'event' ? [{ file, offset, id: entry.event.id }] : [],
    );
    expect(forgetEvents(folder, records.slice(2, 6))).toBe(4);
    expect(kinds()).toEqual([]);
    removeEventFiles(folder, [october]);
    expect(kinds()).toEqual([]);
  });

  it('[damage-noticed] notices any single flipped bit, in the covered part and beyond it', () => {
    append('11', ['not covered yet']);
    const good = readFileSync(path(november));
    fc.assert(
      fc.property(fc.nat(good.length - 1), fc.nat(7), (at, bit) => {
        const bytes = Buffer.from(good);
        bytes[at] = (bytes[at] as number) ^ (1 << bit);
        writeFileSync(path(november), bytes);
        expect(kinds()).not.toEqual([]);
      }),
      { numRuns: 400 },
    );
    writeFileSync(path(november), good);
    expect(kinds()).toEqual([]);
  });

  it('[damage-noticed] notices shortened, missing, swapped, reordered and duplicated parts', () => {
    const damages: [string, () => void][] = [
      [`shortened ${october}`, () => truncateSync(path(october), 700)],
      [`missing ${october}`, () => rmSync(path(october))],
      [`changed ${october}`, () => rewriteLines(october, ([first, ...rest]) => [...rest, first as string])],
      [`changed ${october}`, () => rewriteLines(october, (lines) => [lines[0] as string, ...lines])],
      [`shortened ${november}`, () => rewriteLines(november, (lines) => lines.slice(1))],
      [
        `changed ${october}`,
        () => {
          renameSync(path(october), path('other'));
          renameSync(path(november), path(october));
          renameSync(path('other'), path(november));
        },
      ],
    ];
    for (const [expected, damage] of damages) {
      const restore = keep([october, november].map(path).concat(manifests()));
      damage();
      expect(kinds().join(', '), expected).toMatch(new RegExp(`${expected}|shortened ${october}`));
      append('11', ['life goes on']);
      extendManifest(folder, clock);
      expect(kinds(), 'a later drain does not hide it').not.toEqual([]);
      restore();
    }
  });

  it('[damage-noticed] keeps the bytes of a damaged line that a drain finds, and reports it until it is accepted', () => {
    append('11', ['will be damaged']);
    const bytes = readFileSync(path(november));
    bytes[bytes.length - 100] = 0;
    writeFileSync(path(november), bytes);
    extendManifest(folder, clock);
    extendManifest(folder, clock);
    expect(checkLog(folder).damage).toMatchObject([{ kind: 'line', file: november, line: 6 }]);
    const [name = ''] = readdirSync(logFiles(folder).damaged);
    expect(bytes.includes(readFileSync(join(logFiles(folder).damaged, name)))).toBe(true);
    rebuildManifest(folder);
    expect(kinds()).toEqual([]);
  });

  it('[damage-noticed] notices a lost or damaged manifest, and reports it until it is accepted', () => {
    const { manifest, manifestCopy } = logFiles(folder);
    for (const harm of [[manifest], [manifestCopy], [manifest, manifestCopy]]) {
      for (const how of ['delete', 'garble'] as const) {
        for (const file of harm) {
          if (how === 'delete') rmSync(file);
          else writeFileSync(file, readFileSync(file, 'utf8').replace('"generation"', '"Generation"'));
        }
        expect(kinds(), `${how} ${harm.length}`).toEqual(['manifest manifest.json']);
        append('11', ['more']);
        extendManifest(folder, clock);
        expect(kinds(), 'a drain rebuilds it and says so').toEqual(['manifest manifest.json']);
        rebuildManifest(folder);
        expect(kinds()).toEqual([]);
      }
    }
  });

  it('does not report a write that was cut off at any byte', () => {
    const line = Buffer.from(encodeEvent(promptEvent('cut "off" \\ häufig [1, {"a": null}]')));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: line.length - 2 }), (cut) => {
        expect(lineState(line.subarray(0, cut))).toBe('torn');
      }),
    );
    appendFileSync(path(november), line.subarray(0, 150));
    append('11', ['next']);
    extendManifest(folder, clock);
    expect(kinds()).toEqual([]);
    expect(existsSync(logFiles(folder).damaged)).toBe(false);
  });

  it('treats an interrupted rewrite as complete, and the next drain completes it', () => {
    const [record] = [...createEventLog(folder, clock).read({})];
    if (record?.entry.kind !== 'event') throw new Error('no event');
    const before = readFileSync(path(october));
    const { manifest, rewrite } = logFiles(folder);
    const restoreOld = keep(manifests());
    forgetEvents(folder, [{ file: october, offset: record.offset, id: record.entry.event.id }]);
    const after = readFileSync(path(october));
    // Simulate a process that died at each step: journal written, half of the bytes written, all of them.
    const text = after.toString('utf8', record.offset, record.end);
    const half = Buffer.concat([after.subarray(0, record.offset + 50), before.subarray(record.offset + 50)]);
    for (const bytes of [before, half, after]) {
      writeFileSync(path(october), after);
      const blocks = { 0: JSON.parse(readFileSync(manifest, 'utf8')).manifest.files[october].blocks[0] };
      const restoreNew = keep(manifests());
      restoreOld();
      writeFileSync(
        rewrite,
        JSON.stringify({ file: october, edits: [{ offset: record.offset, text }], blocks }),
      );
      writeFileSync(path(october), bytes);
      expect(kinds()).toEqual([]);
      extendManifest(folder, clock);
      expect(readFileSync(path(october))).toEqual(after);
      expect(kinds()).toEqual([]);
      restoreNew();
    }
  });

  it('completes an interrupted rewrite before any other, and removes a journal that cannot be read', () => {
    const { rewrite } = logFiles(folder);
    const edit = { offset: 0, text: '\n' };
    for (const change of [
      () => rewriteEventFile(folder, october, []),
      () => blankOut(folder, october, 5, Buffer.from('not there')),
      () => removeEventFiles(folder, [november]),
    ]) {
      writeFileSync(path(october), Buffer.from(readFileSync(path(october))).fill('x', 0, 1));
      writeFileSync(rewrite, JSON.stringify({ file: october, edits: [edit], blocks: {} }));
      change();
      expect(readFileSync(path(october), 'utf8')[0]).toBe('\n');
      writeFileSync(rewrite, '{');
      change();
      expect(existsSync(rewrite)).toBe(false);
    }
    expect(existsSync(path(november))).toBe(false);
    expect(kinds()).toEqual([]);
  });

  it('raises the generation of the manifest with each rewrite, and not if there is nothing to do', () => {
    const generation = () => readManifest(folder).manifest?.generation;
    expect(generation()).toBe(1);
    removeEventFiles(folder, []);
    blankOut(folder, october, 1, Buffer.from('not there'));
    blankOut(folder, '2026-09.jsonl', 1, Buffer.from('x'));
    expect(generation()).toBe(1);
    expect(kinds()).toEqual([]);
    blankOut(folder, october, 1, readFileSync(path(october)).subarray(1, 20));
    expect(generation()).toBe(2);
    expect(readFileSync(path(october), 'utf8').slice(0, 21)).toBe(
      `${'\n'.repeat(20)}${readFileSync(path(october), 'utf8')[20]}`,
    );
    removeEventFiles(folder, [october]);
    expect(generation()).toBe(3);
  });

  it('expects no file that was empty, and calls a whole line without a checksum damaged', () => {
    writeFileSync(path('2026-12.jsonl'), '');
    rebuildManifest(folder);
    rmSync(path('2026-12.jsonl'));
    expect(kinds()).toEqual([]);
    expect(lineState(Buffer.from('{"v":1,"a":[{}]}'))).toBe('damaged');
    expect(lineState(Buffer.from('{"v":1,"a":[{}]'))).toBe('torn');
    appendFileSync(path(november), '{"v":1}');
    expect(checkLog(folder).damage).toMatchObject([{ kind: 'line', line: 5 }]);
  });
});

const manifests = (): string[] => [logFiles(folder).manifest, logFiles(folder).manifestCopy];

/** Saves the content of the files; the returned function restores it. */
function keep(files: string[]): () => void {
  const contents = files.map((file): [string, Buffer] => [file, readFileSync(file)]);
  return () => {
    for (const [file, bytes] of contents) writeFileSync(file, bytes);
  };
}

function rewriteLines(file: string, change: (lines: string[]) => string[]): void {
  const lines = readFileSync(path(file), 'utf8').split('\n').filter(Boolean);
  writeFileSync(path(file), `\n${change(lines).join('\n')}\n`);
}
