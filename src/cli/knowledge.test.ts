import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import { canCreateLinks } from '../../test/support/symbolic-links.ts';
import type { Caller } from '../domain/caller.ts';
import { notePartsOf } from '../memory/notes/note-parts.ts';
import { rememberNote } from '../memory/notes/remember.ts';
import { resolvePlace } from '../memory/projects/projects.ts';
import type { App } from './command.ts';
import { knowledgeCommand } from './knowledge.ts';
import { runCommand } from './run-command.ts';

let memory: MemoryHome;
beforeEach(async () => {
  memory = createMemoryHome();
  execFileSync('git', ['init', '-q'], { cwd: memory.work });
  const more = { concepts: [], files: [], trust: 3 as const, author: 'ana' };
  await rememberNote(notePartsOf(memory.open()), { ...more, text: 'Use pnpm.', kind: 'rule' });
  const note = await rememberNote(notePartsOf(memory.open()), { ...more, text: 'A secret.', kind: 'fact' });
  await memory.open().notes.put({ ...note, text: `The key is ${key}, logs are in ${memory.home}/logs` });
});
afterEach(() => memory.remove());

const plain = (text: string): string => text;
const path = '.backstory/knowledge.md';
const key = `AKIA${'Q3ZKWMP7ZK2PLMXT'}`;
const fileAt = (name: string): string => join(memory.work, name);

/** Runs the command at a terminal at which a person presses `pressed`; without it there is no terminal. */
function run(pressed: (() => string) | undefined, values: object = {}, kind: Caller['kind'] = 'person') {
  const app = {
    ...memory,
    caller: () => ({ kind }),
    userHome: memory.home,
    isInteractive: pressed !== undefined,
    key: async () => pressed?.(),
    style: { dim: plain },
    place: () => resolvePlace(memory.paths, memory.work, memory.clock).place,
    open: () => memory.open(),
  };
  return runCommand(knowledgeCommand, app as unknown as App, { positionals: [], values: { ...values } });
}

it('[knowledge-person] is written only when a person accepts the diff', async () => {
  const refused = [
    run(() => 'n'),
    run(() => 'y', { 'dry-run': true }),
    run(() => 'y', {}, 'agent'),
    run(undefined),
  ];
  for (const { text } of await Promise.all(refused)) {
    expect(text).toContain('+- Use pnpm.');
    expect(text).toContain('Nothing was written.');
  }
  expect(existsSync(fileAt(path))).toBe(false);
  expect((await run(() => 'y')).value).toMatchObject({ isWritten: true });
  const text = readFileSync(fileAt(path), 'utf8');
  expect(text).toContain('## Rules\n\n- Use pnpm. (');
  expect(text).toContain('logs are in ~/logs');
  expect(text).not.toContain(key);
  expect((await run(() => 'n')).text).toContain('is up to date');
});

it('does not overwrite a file that changed after the diff was shown', async () => {
  const change = () => {
    writeFileSync(fileAt('AGENTS.md'), 'Changed meanwhile.\n');
    return 'y';
  };
  await expect(run(change, { into: 'AGENTS.md' })).rejects.toThrow('was changed meanwhile');
  expect(readFileSync(fileAt('AGENTS.md'), 'utf8')).toBe('Changed meanwhile.\n');
});

it('accepts no other file, no link and no file that is too large', async () => {
  for (const into of ['README.md', '../AGENTS.md', '/etc/passwd'])
    await expect(run(undefined, { into, yes: true })).rejects.toThrow('--into');
  writeFileSync(fileAt('AGENTS.md'), 'x'.repeat(1024 * 1024 + 1));
  await expect(run(undefined, { into: 'AGENTS.md', yes: true })).rejects.toThrow('larger');
  if (!canCreateLinks) return;
  symlinkSync(join(memory.home, 'elsewhere'), fileAt('CLAUDE.md'));
  await expect(run(undefined, { into: 'CLAUDE.md', yes: true })).rejects.toThrow('is a link');
});
