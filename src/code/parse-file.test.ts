import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cpuClock } from '../../test/support/cpu-time.ts';
import { createFileParser } from './parse-file.ts';

const parse = createFileParser(join(import.meta.dirname, '../../assets/grammars'), cpuClock);
let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'backstory-parse-'));
});
afterAll(() => rmSync(root, { recursive: true }));

it('[symbols-hostile] bytes that are not text shift no lines and change no names', async () => {
  const notText = Buffer.from([0xff, 0xc3, 0xe2, 0x80]);
  const file = [Buffer.from('x = "'), notText, Buffer.from('"\ndef größe():\n  pass\n')];
  writeFileSync(join(root, 'a.py'), Buffer.concat(file));
  expect(await parse({ root, path: 'a.py', deadline: cpuClock.now() + 30_000 })).toMatchObject({
    kind: 'text',
    how: 'parsed',
    lineCount: 3,
    symbols: [{ name: 'x' }, { name: 'größe', startLine: 2, endLine: 3 }],
  });
});
