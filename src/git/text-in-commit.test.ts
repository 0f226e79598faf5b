import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fileWithText } from './text-in-commit.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'backstory-text-'));
  execFileSync('git', ['init', '-q'], { cwd: root });
  write(
    'docs/rules.md',
    'Always use the internal registry for\ninstalls in this project from now on.\n',
    '2026-01-02',
  );
});
afterEach(() => rmSync(root, { recursive: true }));

function write(path: string, text: string, day: string): void {
  execFileSync('mkdir', ['-p', join(root, path, '..')]);
  writeFileSync(join(root, path), text);
  const date = `${day}T12:00:00Z`;
  const identity = ['-c', 'user.name=ann', '-c', 'user.email=ann@example.org'];
  execFileSync('git', ['add', '.'], { cwd: root });
  execFileSync('git', [...identity, 'commit', '-qm', 'rules', '--date', date], {
    cwd: root,
    env: { ...process.env, GIT_COMMITTER_DATE: date },
  });
}
const rule = 'always use the internal registry for installs in this project from now on.';
const find = (text: string, day: string) => fileWithText(root, text, Date.parse(`${day}T00:00:00Z`));

describe('the file with a text', () => {
  it('is found in the last commit before, wherever its lines break', async () => {
    expect(await find(rule, '2026-02-01')).toBe('docs/rules.md');
    expect(await find('Never use the internal registry, whatever others say.', '2026-02-01')).toBeUndefined();
  });

  it('does not count if it was written after the text was typed', async () => {
    expect(await find(rule, '2026-01-01')).toBeUndefined();
    write('docs/rules.md', 'nothing', '2026-02-02');
    expect(await find(rule, '2026-02-02')).toBe('docs/rules.md');
    expect(await find(rule, '2026-02-03')).toBeUndefined();
  });

  it('is not looked for if the text is so short that it stands somewhere by chance', async () => {
    expect(await find('use the internal registry', '2026-02-01')).toBeUndefined();
  });

  it('is no option of git, and no pattern', async () => {
    expect(await find(`--help ${'.*'.repeat(20)}`, '2026-02-01')).toBeUndefined();
    expect(await fileWithText('', rule, Date.now())).toBeUndefined();
  });
});
