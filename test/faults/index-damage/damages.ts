import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import type { Random } from '../../harness/random.ts';
import type { Site, Start } from './project.ts';

export interface Damage {
  name: string;
  /** How the index was left before the damage; a properly closed one by default. */
  start?: Start;
  inflict(site: Site, random: Random): void;
}

const pageBytes = 4096;

export const damages: Damage[] = [
  { name: 'database deleted', inflict: ({ database }) => rmSync(database) },
  { name: 'pointer deleted', inflict: ({ pointer }) => rmSync(pointer) },
  { name: 'seal deleted', inflict: ({ seal }) => rmSync(seal) },
  { name: 'whole index deleted', inflict: ({ folder }) => rmSync(folder, { recursive: true }) },
  { name: 'database truncated', inflict: ({ database }, random) => truncate(database, random) },
  { name: 'database emptied', inflict: ({ database }) => truncateSync(database, 0) },
  {
    name: 'database longer',
    inflict: ({ database }, random) => appendFileSync(database, noise(random, 5_000)),
  },
  { name: 'bytes flipped anywhere', inflict: ({ database }, random) => flip(database, random) },
  { name: 'bytes flipped in the header', inflict: ({ database }, random) => flip(database, random, 100) },
  {
    name: 'bytes flipped in the first page',
    inflict: ({ database }, random) => flip(database, random, pageBytes),
  },
  { name: 'page zeroed', inflict: ({ database }, random) => zeroPage(database, random) },
  {
    name: 'database is a text',
    inflict: ({ database }) => writeFileSync(database, 'this is a text\n'.repeat(500)),
  },
  { name: 'pointer is garbage', inflict: ({ pointer }, random) => writeFileSync(pointer, noise(random, 40)) },
  {
    name: 'pointer leads elsewhere',
    inflict: ({ pointer }) => writeFileSync(pointer, '../../config.json\n'),
  },
  { name: 'pointer to the next generation', inflict: ({ pointer }) => raiseGeneration(pointer) },
  { name: 'seal of another time', inflict: ({ seal }) => staleSeal(seal) },
  { name: 'seal is garbage', inflict: ({ seal }, random) => writeFileSync(seal, noise(random, 60)) },
  { name: 'older database', inflict: ({ database, olderDatabase }) => copyFileSync(olderDatabase, database) },
  { name: 'older database, no seal', inflict: (site) => olderWithoutSeal(site) },
  {
    name: 'lock is garbage',
    inflict: ({ lock, seal }, random) => lockGarbage(lock, seal, noise(random, 300)),
  },
  { name: 'lock is a broken database', inflict: (site) => brokenLock(site) },
  {
    name: 'lock is a long text',
    inflict: ({ lock, seal }) => lockGarbage(lock, seal, Buffer.alloc(9_000, 'x')),
  },
  { name: 'killed, wal deleted', start: 'killed', inflict: ({ wal }) => rmSync(wal) },
  { name: 'killed, shm deleted', start: 'killed', inflict: ({ shm }) => rmSync(shm) },
  {
    name: 'killed, wal and shm deleted',
    start: 'killed',
    inflict: ({ wal, shm }) => {
      rmSync(wal);
      rmSync(shm);
    },
  },
  { name: 'killed, wal truncated', start: 'killed', inflict: ({ wal }, random) => truncate(wal, random) },
  { name: 'killed, wal flipped', start: 'killed', inflict: ({ wal }, random) => flip(wal, random) },
  { name: 'killed, shm flipped', start: 'killed', inflict: ({ shm }, random) => flip(shm, random) },
  {
    name: 'killed, wal is a text',
    start: 'killed',
    inflict: ({ wal }) => writeFileSync(wal, 'text\n'.repeat(9_000)),
  },
  {
    name: 'killed, database truncated',
    start: 'killed',
    inflict: ({ database }, random) => truncate(database, random),
  },
  {
    name: 'killed, page zeroed',
    start: 'killed',
    inflict: ({ database }, random) => zeroPage(database, random),
  },
  { name: 'database is a folder', inflict: ({ database }) => folderInPlace(database) },
];

/**
 * Changes of bytes that change neither the time nor the size of the file, as on a failing disk. The index has no
 * checksum of its whole content, because every writer would have to read all of it. So wrong answers after these
 * damages are counted, but allowed.
 */
export const silentDamages: Damage[] = [
  {
    name: 'flipped, seal fits',
    inflict: (site, random) => silently(site, () => flip(site.database, random)),
  },
  {
    name: 'page zeroed, seal fits',
    inflict: (site, random) => silently(site, () => zeroPage(site.database, random)),
  },
  { name: 'flipped, no seal', inflict: (site, random) => flipWithoutSeal(site, random) },
  { name: 'killed, flipped', start: 'killed', inflict: ({ database }, random) => flip(database, random) },
];

const noise = (random: Random, length: number): Buffer =>
  Buffer.from(Array.from({ length }, () => random.whole(0, 255)));

function truncate(path: string, random: Random): void {
  truncateSync(path, random.whole(0, statSync(path).size - 1));
}

/** Changes 1 to 64 bytes. */
function flip(path: string, random: Random, within = Number.MAX_SAFE_INTEGER): void {
  const bytes = readFileSync(path);
  const end = Math.min(within, bytes.length) - 1;
  for (let count = random.whole(1, 64); count > 0; count--) {
    const at = random.whole(0, end);
    bytes[at] = ((bytes[at] as number) + random.whole(1, 255)) & 0xff;
  }
  writeFileSync(path, bytes);
}

function zeroPage(path: string, random: Random): void {
  const bytes = readFileSync(path);
  const page = random.whole(0, Math.floor(bytes.length / pageBytes) - 1);
  bytes.fill(0, page * pageBytes, (page + 1) * pageBytes);
  writeFileSync(path, bytes);
}

function raiseGeneration(pointer: string): void {
  const name = readFileSync(pointer, 'utf8');
  writeFileSync(
    pointer,
    name.replace(/-(\d+)\.db/, (_, number) => `-${Number(number) + 1}.db`),
  );
}

function staleSeal(path: string): void {
  const seal = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  writeFileSync(path, JSON.stringify({ ...seal, mtimeNs: '1700000000000000000' }));
}

function olderWithoutSeal({ database, olderDatabase, seal }: Site): void {
  copyFileSync(olderDatabase, database);
  rmSync(seal);
}

/**
 * Overwrites the lock file. Only a writer uses the lock, so the seal is removed too: without it, the next reader
 * becomes a writer.
 */
function lockGarbage(lock: string, seal: string, content: Buffer): void {
  writeFileSync(lock, content);
  rmSync(seal);
}

function brokenLock({ lock, seal, database }: Site): void {
  lockGarbage(lock, seal, readFileSync(database).subarray(0, pageBytes + 1));
}

function folderInPlace(path: string): void {
  rmSync(path);
  mkdirSync(path);
}

/** Damages the file and then updates its seal (the record of its time and size), so that only the bytes differ. */
function silently({ database, seal }: Site, inflict: () => void): void {
  inflict();
  const { size, mtimeNs, ino } = statSync(database, { bigint: true });
  writeFileSync(seal, JSON.stringify({ size: Number(size), mtimeNs: String(mtimeNs), inode: String(ino) }));
}

function flipWithoutSeal({ database, seal }: Site, random: Random): void {
  flip(database, random);
  rmSync(seal);
}
