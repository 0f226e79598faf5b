import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readUpTo, withPlainFile } from './plain-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'backstory-plain-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => join(folder, name);
const readAll = (path: string, maxBytes: number): Buffer | 'large' | undefined =>
  withPlainFile(path, (fd, { size }) => readUpTo(fd, size, maxBytes) ?? 'large');

describe('opening regular files', () => {
  it('reads a file up to the limit, and reports if there is more', () => {
    writeFileSync(at('ten'), '0123456789');
    expect(readAll(at('ten'), 10)?.toString()).toBe('0123456789');
    expect(readAll(at('ten'), 9)).toBe('large');
    writeFileSync(at('empty'), '');
    expect(readAll(at('empty'), 0)?.toString()).toBe('');
  });

  it.skipIf(process.platform === 'win32')('opens no device, pipe, socket, folder or link', async () => {
    execFileSync('mkfifo', [at('pipe')]);
    mkdirSync(at('folder'));
    writeFileSync(at('target'), 'text');
    symlinkSync(at('target'), at('link'));
    symlinkSync('loop', at('loop'));
    const server = createServer().listen(at('socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    const refused = ['/dev/zero', '/dev/tty', '/dev/ptmx', '/dev/null'];
    for (const path of [...refused, ...['pipe', 'folder', 'link', 'loop', 'socket', 'none'].map(at)])
      expect(readAll(path, 100), path).toBeUndefined();
    server.close();
  });

  it('reads a growing file up to the limit plus one byte', () => {
    writeFileSync(at('grows'), 'x'.repeat(100));
    const read = withPlainFile(at('grows'), (fd, { size }) => {
      appendFileSync(at('grows'), 'y'.repeat(100_000));
      return [readUpTo(fd, size, 5_000), readUpTo(fd, size, 200_000)?.length];
    });
    expect(read).toEqual([undefined, 100_100]);
  });

  it.skipIf(process.platform !== 'linux')('reads files that report a size of 0', () => {
    expect(readAll('/proc/self/status', 100_000)?.toString()).toContain('Pid:');
    expect(readAll('/proc/self/status', 10)).toBe('large');
  });

  it('reads nothing of a file of 4 GB', () => {
    ftruncateSync(openSync(at('sparse'), 'w'), 4 * 1024 ** 3);
    expect(readAll(at('sparse'), 1_000_000)).toBe('large');
  });
});
