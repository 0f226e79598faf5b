import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sampleEvent } from '../../../test/support/sample-event.ts';
import { settingsEditor } from '../../agents/settings.ts';
import { unconfirmed } from '../../domain/event.ts';
import { hasDeadHook } from '../installation-checks.ts';
import type { InstallRecord } from '../projects/install-records.ts';
import { type InstallHistory, type UnconfirmedPrompt, whyUnconfirmed } from './unconfirmed-prompts.ts';

const installedAt = Date.parse('2026-06-01T00:00:00Z');
const past = { at: installedAt, files: {} };
const repaired = { agent: 'claude-code', repairedAt: '2026-07-10T00:00:00.000Z' } as InstallRecord;

it.each([
  ['2026-05-01', {}, {}, 'Their transcripts were not here when Backstory was installed.'],
  ['2026-05-01', { past: { ...past, isByAgent: true } }, {}, 'An agent installed Backstory,'],
  ['2026-07-01', { past: { ...past, isByAgent: true } }, {}, 'No hook of claude-code saw them,'],
  ['2026-07-01', {}, { isSeenSession: true }, 'Hooks saw their sessions,'],
  ['2026-05-01', {}, { untyped: unconfirmed.importedByAgent }, 'An agent imported them.'],
  ['2026-07-09', { installs: [repaired] }, {}, 'The hook of claude-code did not work until 2026-07-10.'],
  ['2026-07-11', { installs: [repaired] }, {}, 'No hook of claude-code saw them,'],
  [
    '2026-07-11',
    { deadHooks: ['claude-code'] },
    {},
    'The hook of claude-code does not work: backstory doctor',
  ],
  ['2026-07-11', { deadHooks: ['codex'] }, {}, 'No hook of claude-code saw them,'],
] satisfies [string, Partial<InstallHistory>, { isSeenSession?: boolean; untyped?: string }, string][])(
  '[prompt-typed] a prompt of %s that is not confirmed says why: %j %j',
  (day, history, prompted: { isSeenSession?: boolean; untyped?: string }, why) => {
    const { isSeenSession = false, untyped = unconfirmed.notReported } = prompted;
    const event = sampleEvent({ at: `${day}T12:00:00.000Z`, kind: 'prompt', body: { text: 'x', untyped } });
    const prompt = { ...event, isSeenSession } as UnconfirmedPrompt;
    expect(whyUnconfirmed(prompt, { past, installs: [], deadHooks: [], ...history })).toContain(why);
  },
);

it('a hook is dead if its entries or its Node are gone, and alive otherwise', () => {
  const folder = mkdtempSync(join(tmpdir(), 'backstory-hooks-'));
  const path = join(folder, 'settings.json');
  const entries = {
    ...{ hookCommand: 'backstory hook', hook: ['backstory', 'hook'], recall: [], plugins: '' },
    server: { command: 'backstory', args: ['mcp'] },
    skill: { folder: '', command: '' },
  };
  const isDead = (node = process.execPath): boolean => {
    const files = [{ holds: 'hooks', path }];
    return hasDeadHook({ agent: 'claude-code', scope: 'user', node, entries, files } as never);
  };
  expect(isDead()).toBe(true);
  writeFileSync(path, settingsEditor('claude-code', 'hooks', entries).add('', path).text);
  expect(isDead()).toBe(false);
  expect(isDead(join(folder, 'moved'))).toBe(true);
  rmSync(folder, { recursive: true });
});
