import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  appendDurably,
  ensureDirectory,
  readIfThere,
  readJson,
  readRange,
  removeIfThere,
  removeStaleTemporaries,
  replaceFile,
  whileInUse,
  writeJson,
} from './files.ts';

const isPosix = process.platform !== 'win32';
const top = mkdtempSync(join(tmpdir(), 'backstory-files-'));
let folder: string;
let count = 0;
beforeEach(() => {
  folder = join(top, String(count++));
  mkdirSync(folder);
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('appendDurably', () => {
  it('appends lines to what is there', () => {
    const path = join(folder, 'log');
    appendDurably(path, 'one\n');
    appendDurably(path, 'two\nthree\n');
    expect(readFileSync(path, 'utf8')).toBe('\none\n\ntwo\nthree\n');
  });

  it('[torn-tail] ends a torn last line first, so that the next line is whole', () => {
    const path = join(folder, 'log');
    writeFileSync(path, 'one\ntor');
    appendDurably(path, 'two\n');
    expect(readFileSync(path, 'utf8')).toBe('one\ntor\ntwo\n');
  });

  it.runIf(isPosix)('[private-modes] creates files and folders that only the user can read', () => {
    const path = join(folder, 'a/b/log');
    appendDurably(path, 'one\n');
    expect(modeOf(path)).toBe(0o600);
    expect(modeOf(join(folder, 'a'))).toBe(0o700);
    expect(modeOf(join(folder, 'a/b'))).toBe(0o700);
  });

  it('throws if it cannot write', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => appendDurably(join(folder, 'file/log'), 'one\n')).toThrow();
  });
});

describe('replaceFile', () => {
  it('replaces the content and leaves no temporary file', () => {
    const path = join(folder, 'config.json');
    replaceFile(path, 'old');
    replaceFile(path, 'new');
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(readdirSync(folder)).toEqual(['config.json']);
  });

  it('leaves the old state and no temporary file when it fails', () => {
    const path = join(folder, 'taken');
    mkdirSync(join(path, 'below'), { recursive: true });
    expect(() => replaceFile(path, 'new')).toThrow();
    expect(readdirSync(folder)).toEqual(['taken']);
    expect(readdirSync(path)).toEqual(['below']);
  });

  it.runIf(isPosix)('[private-modes] creates a private file unless a mode is given', () => {
    replaceFile(join(folder, 'private'), 'x');
    replaceFile(join(folder, 'shared'), 'x', 0o644);
    expect(modeOf(join(folder, 'private'))).toBe(0o600);
    expect(modeOf(join(folder, 'shared'))).toBe(0o644);
  });

  it('creates the folder', () => {
    replaceFile(join(folder, 'a/b/c'), 'x');
    expect(readFileSync(join(folder, 'a/b/c'), 'utf8')).toBe('x');
  });
});

describe('removeStaleTemporaries', () => {
  it('removes old temporary files, but no recent ones and no other files', () => {
    const hourAgo = Date.now() / 1000 - 3600;
    for (const name of ['old.tmp', 'young.tmp', 'old.json']) writeFileSync(join(folder, name), '');
    utimesSync(join(folder, 'old.tmp'), hourAgo, hourAgo);
    utimesSync(join(folder, 'old.json'), hourAgo, hourAgo);
    removeStaleTemporaries(folder, Date.now() - 60_000);
    expect(readdirSync(folder).sort()).toEqual(['old.json', 'young.tmp']);
  });
});

describe('reading', () => {
  it('returns undefined for a missing file and throws for a folder', () => {
    writeFileSync(join(folder, 'file'), 'x');
    expect(readIfThere(join(folder, 'none'))).toBeUndefined();
    expect(readIfThere(join(folder, 'file/below'))).toBeUndefined();
    expect(() => readIfThere(folder)).toThrow();
    expect(removeIfThere(join(folder, 'none'))).toBe(false);
    expect(removeIfThere(join(folder, 'file'))).toBe(true);
    expect(existsSync(join(folder, 'file'))).toBe(false);
  });

  it('reads back any JSON it wrote, and returns undefined for invalid JSON', () => {
    const path = join(folder, 'value.json');
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        writeJson(path, value);
        expect(readJson(path)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 30 },
    );
    writeFileSync(path, '{"a":');
    expect(readJson(path)).toBeUndefined();
  });

  it('returns exactly the bytes of a range that the file has', () => {
    const path = join(folder, 'bytes');
    const bytes = Buffer.from(Array.from({ length: 300 }, (_, at) => at % 256));
    writeFileSync(path, bytes);
    fc.assert(
      fc.property(fc.nat(400), fc.nat(400), (offset, length) => {
        expect(readRange(path, offset, length)).toEqual(bytes.subarray(offset, offset + length));
      }),
    );
  });

  it('accepts a folder that exists already', () => {
    ensureDirectory(join(folder, 'x/y'));
    ensureDirectory(join(folder, 'x/y'));
    expect(statSync(join(folder, 'x/y')).isDirectory()).toBe(true);
  });
});

describe('a file that another program has open', () => {
  const failing = (code: string, times: number) => {
    let calls = 0;
    return () => {
      if (calls++ < times) throw Object.assign(new Error(code), { code });
      return calls;
    };
  };

  it('is tried again on Windows until it is free', () => {
    for (const code of ['EPERM', 'EACCES', 'EBUSY']) expect(whileInUse(failing(code, 3), 'win32')).toBe(4);
  });

  it('fails if it stays open, if the error is another one, and at once on other systems', () => {
    expect(() => whileInUse(failing('EPERM', 100), 'win32')).toThrow('EPERM');
    expect(() => whileInUse(failing('ENOENT', 1), 'win32')).toThrow('ENOENT');
    expect(() => whileInUse(failing('EPERM', 1), 'linux')).toThrow('EPERM');
  });
});
