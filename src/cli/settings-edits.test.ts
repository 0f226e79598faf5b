import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { SettingsKind } from '../agents/setup.ts';
import { applyToFile } from './settings-edits.ts';

const folder = mkdtempSync(join(tmpdir(), 'backstory-settings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const entries = {
  hookCommand: 'backstory hook',
  hook: ['backstory', 'hook'],
  recall: ['backstory', 'recall'],
  plugins: '',
  server: { command: 'backstory', args: ['mcp'] },
  skill: { folder: '', command: '' },
};

/** Adds our entries to settings of Claude Code. Returns the error, and the bytes of the file afterwards. */
function applied(holds: SettingsKind, bytes: Buffer, place: { root?: string } = {}) {
  const path = join(folder, 'settings.json');
  writeFileSync(path, bytes);
  try {
    applyToFile({ path, holds, ...place }, 'claude-code', entries);
    return { after: readFileSync(path) };
  } catch (error) {
    expect(readdirSync(folder)).toEqual(['settings.json']);
    return { error, after: readFileSync(path) };
  }
}

describe('[install-refuses] Settings of an agent keep every byte', () => {
  it.each([['of the user', {}] as const, ['of a project', { root: folder }] as const])(
    'if they are not UTF-8, %s',
    (_whose, place) => {
      const bytes = Buffer.from('{"name": "gr\xf6\xdfe"}', 'latin1');
      expect(applied('hooks', bytes, place)).toEqual({
        error: expect.objectContaining({ code: 'CONFIG_UNREADABLE' }),
        after: bytes,
      });
      const { error, after } = applied('hooks', Buffer.from('{"name": "größe"}'), place);
      expect(error).toBeUndefined();
      expect(after.toString()).toContain('"größe"');
      expect(after.toString()).toContain('backstory hook');
    },
  );

  it.each([
    ['hooks', '{"hooks": {"Stop": {"mine": 1}}}'],
    ['hooks', '{"hooks": {"Stop": "mine"}}'],
    ['hooks', '{"hooks": {"Stop": null}}'],
    ['hooks', '{"hooks": [1]}'],
    ['hooks', '{"hooks": null}'],
    ['hooks', '{"hooks": "no"}'],
    ['hooks', '{"hooks": 0}'],
    ['server', '{"mcpServers": []}'],
    ['server', '{"mcpServers": null}'],
    ['server', '{"mcpServers": "none"}'],
  ] as const)('if the place of our %s has an unknown shape: %s', (holds, text) => {
    const bytes = Buffer.from(text);
    expect(applied(holds, bytes)).toEqual({
      error: expect.objectContaining({ code: 'CONFIG_UNREADABLE' }),
      after: bytes,
    });
  });
});
