import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { clearLostWrites, ensureLostWrites, readLostWrites, recordLostWrite } from './lost-writes.ts';
import { gapOf, gapText } from './record-gap.ts';

const folder = mkdtempSync(join(tmpdir(), 'backstory-lost-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const path = join(folder, 'lost-writes');
beforeEach(() => rmSync(path, { force: true }));
const project = 'a'.repeat(32);
const lost = (at: number, more: object = {}) => ({ project, at, events: 1, code: 'ENOSPC', ...more });

it('are stored in a file that does not grow, one in each slot', () => {
  ensureLostWrites(path);
  const { size } = statSync(path);
  for (let at = 0; at < 256; at++) recordLostWrite(path, lost(1_000 + at), 300);
  expect(readLostWrites(path, project).map(({ at }) => at)).toEqual(
    Array.from({ length: 256 }, (_, at) => 1_000 + at),
  );
  expect(statSync(path).size).toBe(size);
  recordLostWrite(path, lost(5_000, { events: 9, code: 'E'.repeat(200) }), 300);
  expect(statSync(path).size).toBe(size);
  expect(
    readFileSync(path, 'latin1')
      .split('\n')
      .every(({ length }) => length === 95 || length === 0),
  ).toBe(true);
});

it('begin at a slot that depends on the process, so that two hooks seldom choose the same', () => {
  ensureLostWrites(path);
  const slotOf = () =>
    readFileSync(path, 'latin1')
      .split('\n')
      .findIndex((line) => line.trim() !== '');
  recordLostWrite(path, lost(1), 256 + 7);
  expect(slotOf()).toBe(7);
  recordLostWrite(path, lost(2), 6);
  expect(slotOf()).toBe(6);
});

it('are kept if the file is there already, and a damaged file is replaced', () => {
  ensureLostWrites(path);
  recordLostWrite(path, lost(1), 1);
  ensureLostWrites(path);
  expect(readLostWrites(path, project)).toEqual([lost(1)]);
  writeFileSync(path, 'short');
  ensureLostWrites(path);
  expect(readLostWrites(path, project)).toEqual([]);
});

it('are not stored if the file is missing, and the hook goes on', () => {
  expect(() => recordLostWrite(path, lost(1), 1)).not.toThrow();
  expect(existsSync(path)).toBe(false);
  expect(readLostWrites(path, project)).toEqual([]);
});

it('are read and cleared for one project, oldest first', () => {
  const other = 'b'.repeat(32);
  ensureLostWrites(path);
  const { size } = statSync(path);
  for (const [at, pid] of [
    [3, 1],
    [1, 2],
    [2, 3],
  ] as const)
    recordLostWrite(path, lost(at), pid);
  recordLostWrite(path, lost(9, { project: other }), 4);
  expect(readLostWrites(path, project).map(({ at }) => at)).toEqual([1, 2, 3]);
  clearLostWrites(path, project);
  expect(readLostWrites(path, project)).toEqual([]);
  expect(readLostWrites(path, other)).toEqual([lost(9, { project: other })]);
  expect(statSync(path).size).toBe(size);
});

it('are summed up as one gap from the first to the last', () => {
  expect(gapOf([])).toBeUndefined();
  const gap = gapOf([lost(0, { events: 2, code: 'EIO' }), lost(1_000), lost(2_000, { events: 3 })]);
  expect(gap).toEqual({
    from: '1970-01-01T00:00:00.000Z',
    to: '1970-01-01T00:00:02.000Z',
    events: 6,
    code: 'ENOSPC',
  });
  expect(gapText(gap as NonNullable<typeof gap>)).toMatch(/^6 events could not be stored .*\(ENOSPC\)/);
});
