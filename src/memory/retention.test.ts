import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { homePaths, type ProjectPaths } from '../base/paths.ts';
import { applyRetention } from './retention.ts';

const day = 24 * 60 * 60 * 1000;
const now = Date.UTC(2026, 10, 15);

describe('retention', () => {
  let home: string;
  let paths: ProjectPaths;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'backstory-retention-'));
    paths = homePaths(home).project('p');
    mkdirSync(paths.events, { recursive: true });
    for (const month of ['2026-01', '2026-08', '2026-11'])
      writeFileSync(join(paths.events, `${month}.jsonl`), 'x\n');
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));
  const left = () => readdirSync(paths.events);

  it('[retention] is off by default', () => {
    applyRetention(paths, 0, now);
    applyRetention(paths, 0, now + day);
    expect(left()).toHaveLength(3);
  });

  it('[retention] deletes whole months that ended before the retention period', () => {
    applyRetention(paths, 180, now);
    expect(left(), 'the first run only notes the time').toHaveLength(3);
    expect(applyRetention(paths, 180, now + day / 2)).toEqual(['2026-01.jsonl']);
    expect(left()).toEqual(['2026-08.jsonl', '2026-11.jsonl']);
  });

  it('[retention] deletes the snapshots of that time too', () => {
    const snapshotAt = (ms: number): void => {
      mkdirSync(join(paths.snapshots, `snap_${ms / 1000}_session_1`), { recursive: true });
    };
    snapshotAt(now - 200 * day);
    snapshotAt(now - day);
    applyRetention(paths, 180, now);
    applyRetention(paths, 180, now + day / 2);
    expect(readdirSync(paths.snapshots)).toEqual([`snap_${(now - day) / 1000}_session_1`]);
  });

  it('[retention] deletes nothing if the clock has jumped ahead or back', () => {
    applyRetention(paths, 30, now);
    expect(applyRetention(paths, 30, now + 3650 * day)).toEqual([]);
    expect(applyRetention(paths, 30, now - 3 * day)).toEqual([]);
    expect(left()).toHaveLength(3);
  });
});
