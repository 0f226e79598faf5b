import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Observation } from '../agents/agent.ts';
import { readsByCommand } from './lines-in-output.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backstory-shown-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const command = (line: string, shown: string): Observation => ({
  kind: 'command',
  id: 'c1',
  origin: 'tool',
  trust: 0,
  body: { command: line, ok: true },
  shown,
});
const lines = (count: number): string => Array.from({ length: count }, (_, at) => `line ${at}\n`).join('');
const seen = (line: string, shown: string, isLate: boolean) =>
  readsByCommand(command(line, shown), { root: folder, cwd: folder }, isLate).map(({ body }) => body);

describe('lines that a command showed', () => {
  it('do not include a file that was truncated before the check', () => {
    writeFileSync(join(folder, 'a.ts'), lines(60));
    expect(seen('cat a.ts', lines(100), true)).toMatchObject([{ lines: 0 }]);
    expect(seen('cat a.ts', lines(60), true)).toMatchObject([{ lines: 60, total: 60 }]);
    expect(seen("sed -n '2,3p' a.ts", 'line 1\nline 2\n', true)).toMatchObject([{ startLine: 2, lines: 2 }]);
  });

  it('are found among other output if the file has not changed', () => {
    writeFileSync(join(folder, 'a.ts'), lines(3));
    expect(seen('echo x; cat a.ts', `x\n${lines(3)}`, false)).toMatchObject([{ lines: 3, total: 3 }]);
  });

  it('are not looked for in folders and missing files', () => {
    expect(seen(`rg -n x . gone ${'n'.repeat(300)}`, 'x\n', false)).toEqual([]);
  });

  it.skipIf(process.platform === 'win32')('does not block on a named pipe', () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const url = new URL('./lines-in-output.ts', import.meta.url).href;
    const program = `import { textOnDisk } from ${JSON.stringify(url)}; console.log(textOnDisk(${JSON.stringify(folder)}, ${JSON.stringify(pipe)}));`;
    const ran = spawnSync(process.execPath, ['--input-type=module', '-e', program], { timeout: 600_000 });
    expect(String(ran.stdout)).toBe('undefined\n');
  });
});
