import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { promptEvent } from '../../../test/support/sample-event.ts';
import { checkLog } from './check-log.ts';
import { createEventLog } from './event-log.ts';
import { extendManifest, rebuildManifest } from './extend-manifest.ts';
import { logFiles } from './log-files.ts';
import { blockBytes, readManifest } from './manifest.ts';
import { eraseDamaged, quarantineLines } from './quarantine.ts';
import { finishRewrite, forgetEvents, readRewrite, removeEventFiles, withEdits } from './rewrite-events.ts';

const [november, december] = ['2026-11.jsonl', '2026-12.jsonl'] as const;
let now = 0;
const clock = { now: () => now };
let folder: string;
let file: string;
beforeEach(() => {
  const top = mkdtempSync(join(tmpdir(), 'backstory-rewrite-'));
  onTestFinished(() => rmSync(top, { recursive: true }));
  folder = join(top, 'events');
  file = join(folder, november);
  mkdirSync(folder);
});
const append = (texts: string[], month = 11) => {
  now = Date.UTC(2026, month - 1, 14);
  createEventLog(folder, clock).append(texts.map((text) => promptEvent(text)));
};
const records = () =>
  [...createEventLog(folder, clock).read({})].flatMap(({ file, offset, end, entry }) =>
    entry.kind === 'event' ? [{ file, offset, end, id: entry.event.id }] : [],
  );
/** A file of three blocks, which the manifest covers. Its events have about 20 KB, so some are in two blocks. */
const appendBlocks = () => {
  append(Array.from({ length: 30 }, (_, at) => `${at} `.repeat(7_000)));
  extendManifest(folder, clock);
};
const damageOf = () => checkLog(folder).damage.map(({ detail: _, ...one }) => one);
const flip = (at: number) => {
  const bytes = readFileSync(file);
  bytes[at] = (bytes[at] as number) ^ 1;
  writeFileSync(file, bytes);
};

describe('rewriting events in place', () => {
  it('keeps the hash of each block right, also of events in two blocks', () => {
    appendBlocks();
    const all = records();
    const spanning = all.filter(
      ({ offset, end }) => Math.floor(offset / blockBytes) < Math.floor((end - 1) / blockBytes),
    );
    expect(spanning.length).toBeGreaterThan(0);
    const { generation = 0 } = readManifest(folder).manifest ?? {};
    expect(forgetEvents(folder, all.slice(1))).toBe(29);
    expect(damageOf()).toEqual([]);
    expect(readManifest(folder).manifest?.generation).toBe(generation + 1);
    expect(records()).toHaveLength(1);
  });

  it('also works where the manifest does not cover it yet', () => {
    append(['one']);
    extendManifest(folder, clock);
    append(['two'], 12);
    append(['three']);
    expect(forgetEvents(folder, records())).toBe(3);
    expect(damageOf()).toEqual([]);
  });

  it('keeps damage visible in the block that it changes', () => {
    appendBlocks();
    const [first, second] = records();
    flip((first?.offset ?? 0) + 40);
    forgetEvents(folder, [second as NonNullable<typeof second>]);
    expect(damageOf()).toMatchObject([{ kind: 'line', file: november, offset: first?.offset }]);
  });

  it('writes nothing if no event is there', () => {
    append(['one']);
    extendManifest(folder, clock);
    const before = readFileSync(logFiles(folder).manifest);
    expect(forgetEvents(folder, [{ file: november, offset: 0, id: 'x' }])).toBe(0);
    expect(readFileSync(logFiles(folder).manifest)).toEqual(before);
  });

  it('is completed later if it could not be finished', () => {
    append(['one', 'two']);
    extendManifest(folder, clock);
    const { manifestCopy, rewrite } = logFiles(folder);
    rmSync(manifestCopy);
    mkdirSync(join(manifestCopy, 'in the way'), { recursive: true });
    const [one] = records();
    expect(() => forgetEvents(folder, [one as NonNullable<typeof one>])).toThrow();
    expect(readRewrite(folder)).toMatchObject({ file: november });
    rmSync(manifestCopy, { recursive: true });
    finishRewrite(folder);
    expect([existsSync(rewrite), records().length, damageOf()]).toEqual([false, 1, []]);
  });

  it('has nothing to complete in a file that is gone, or beyond the end of one', () => {
    append(['one']);
    const before = readFileSync(file);
    const edits = [{ offset: before.length - 1, text: 'xx' }];
    for (const name of [november, december]) {
      writeFileSync(logFiles(folder).rewrite, JSON.stringify({ file: name, edits, blocks: {} }));
      finishRewrite(folder);
      expect(readRewrite(folder)).toBeUndefined();
    }
    expect(readFileSync(file)).toEqual(before);
    expect(readdirSync(folder)).not.toContain(december);
  });

  it.runIf(process.platform === 'linux')('leaves no file open', () => {
    append(['one', 'two', 'three']);
    const open = () => readdirSync('/proc/self/fd').length;
    const before = open();
    for (const record of records()) forgetEvents(folder, [record]);
    expect(open()).toBe(before);
  });
});

it.each([
  [0, 'abXYef'],
  [100, 'abcdef'],
  [2, 'XYcdef'],
  [3, 'Ybcdef'],
])('edits show in the part of a file that begins at %i', (start, expected) => {
  expect(withEdits(Buffer.from('abcdef'), start, [{ offset: 2, text: 'XY' }]).toString()).toBe(expected);
  expect(withEdits(Buffer.from('ab'), 7, [{ offset: 9, text: 'XY' }]).toString()).toBe('ab');
  expect(withEdits(Buffer.from('ab'), 7, [{ offset: 8, text: 'XY' }]).toString()).toBe('aX');
});

it('removed event files leave the manifest together with their damage', () => {
  append(['one']);
  append(['two'], 12);
  flip(60);
  extendManifest(folder, clock);
  expect(damageOf()).toHaveLength(1);
  removeEventFiles(folder, [december]);
  expect(damageOf()).toHaveLength(1);
  removeEventFiles(folder, []);
  removeEventFiles(folder, [november]);
  expect([damageOf(), readManifest(folder).manifest?.files]).toEqual([[], {}]);
});

describe('damaged lines', () => {
  /** Damages the second of three lines, and returns its record. */
  const damageOne = () => {
    append(['one', 'secret two', 'three']);
    const [, two] = records();
    flip((two?.offset ?? 0) + 10);
    extendManifest(folder, clock);
    return two as NonNullable<typeof two>;
  };

  it('are moved out of the log, which keeps its length', () => {
    const two = damageOne();
    const before = readFileSync(file);
    quarantineLines(folder, checkLog(folder).damage);
    const after = readFileSync(file);
    expect(after.toString('utf8', two.offset, two.end)).toBe('\n'.repeat(two.end - two.offset));
    expect(after).toHaveLength(before.length);
    const kept = readFileSync(join(logFiles(folder).damaged, `${november}.${two.offset}`));
    expect(kept).toEqual(before.subarray(two.offset, two.end));
    rebuildManifest(folder);
    expect(damageOf()).toEqual([]);
  });

  it('are kept before they leave the log, also if no drain has seen them', () => {
    append(['one', 'two']);
    const [one] = records();
    flip((one?.offset ?? 0) + 10);
    const before = readFileSync(file);
    quarantineLines(folder, checkLog(folder).damage);
    const kept = readFileSync(join(logFiles(folder).damaged, `${november}.${one?.offset}`));
    expect(kept).toEqual(before.subarray(one?.offset, one?.end));
    expect(damageOf()).toEqual([]);
  });

  it('are erased, there and in the log, if they match', () => {
    const two = damageOne();
    const { damaged } = logFiles(folder);
    writeFileSync(join(damaged, 'notes.txt'), 'secret');
    eraseDamaged(folder, (text) => text.includes('something else'));
    expect(readdirSync(damaged)).toHaveLength(2);
    eraseDamaged(folder, (text) => text.includes('secret'));
    expect(readdirSync(damaged)).toEqual(['notes.txt']);
    expect(readFileSync(file).includes('secret')).toBe(false);
    expect(records()).toHaveLength(2);
    expect(two.offset).toBeGreaterThan(0);
  });

  it('of other kinds than lines have no bytes to keep', () => {
    append(['one']);
    quarantineLines(folder, [
      { kind: 'changed', file: november, offset: 0, length: 5, detail: '' },
      { kind: 'line', file: november, detail: '' },
    ]);
    expect(existsSync(logFiles(folder).damaged)).toBe(false);
  });
});

describe('checking a log', () => {
  it('counts its files and bytes, those that the manifest covers, and torn writes beyond them', () => {
    append(['one', 'two']);
    extendManifest(folder, clock);
    const covered = readFileSync(file).length;
    append(['three'], 12);
    writeFileSync(file, '{"v":1,"te', { flag: 'a' });
    append(['four']);
    const sizes = [november, december].map((name) => readFileSync(join(folder, name)).length);
    expect(checkLog(folder)).toEqual({
      damage: [],
      files: 2,
      bytes: (sizes[0] ?? 0) + (sizes[1] ?? 0),
      coveredBytes: covered,
      tornWrites: 1,
    });
    writeFileSync(file, 'x\nx', { flag: 'a' });
    expect(damageOf()).toMatchObject([
      { kind: 'line', length: 2 },
      { kind: 'line', length: 1, offset: (sizes[0] ?? 0) + 2 },
    ]);
  });

  it('says which line of which block is damaged', () => {
    appendBlocks();
    const all = records();
    const [at, { offset, end }] = [20, all[20] as (typeof all)[number]];
    flip(offset + 40);
    // Each append begins with an empty line.
    expect(damageOf()).toEqual([
      { kind: 'line', file: november, offset, length: end - offset, line: at + 2 },
    ]);
  });

  it('says between which bytes lines were moved', () => {
    appendBlocks();
    const lines = readFileSync(file, 'utf8').split('\n');
    [lines[18], lines[29]] = [lines[29] as string, lines[18] as string];
    const size = readFileSync(file).length;
    writeFileSync(file, lines.join('\n'));
    expect(damageOf()).toEqual([
      {
        kind: 'changed',
        file: november,
        offset: blockBytes,
        length: size - blockBytes,
        line: expect.any(Number),
      },
    ]);
    const [{ line = 0 } = {}] = damageOf();
    expect([line > 10, line < 19]).toEqual([true, true]);
  });

  it('says by how much a file is shorter', () => {
    append(['one', 'two', 'three']);
    extendManifest(folder, clock);
    const bytes = readFileSync(file);
    const [, , three] = records();
    writeFileSync(file, bytes.subarray(0, three?.offset));
    expect(damageOf()).toEqual([
      {
        kind: 'shortened',
        file: november,
        offset: three?.offset,
        length: bytes.length - (three?.offset ?? 0),
      },
    ]);
  });

  it('does not report again what a person accepted, at the end of what is covered', () => {
    append(['one', 'two']);
    const [, two] = records();
    flip((two?.offset ?? 0) + 10);
    extendManifest(folder, clock);
    rebuildManifest(folder);
    append(['three']);
    expect(damageOf()).toEqual([]);
  });
});
