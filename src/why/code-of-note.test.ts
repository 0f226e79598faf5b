import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import { git } from '../../test/support/sandbox.ts';
import type { Note } from '../domain/note.ts';
import { notePartsOf } from '../memory/distil-sessions.ts';
import { rememberNote } from '../memory/remember.ts';
import { codeOfNote, type NoteCode } from './code-of-note.ts';

const source = ['export function load(name) {', '  return read(name);', '}', ''].join('\n');

describe('the code of a note', () => {
  let memory: MemoryHome;
  const write = (path: string, text: string) => {
    mkdirSync(join(memory.work, path, '..'), { recursive: true });
    writeFileSync(join(memory.work, path), text);
  };
  const commit = (message: string) => {
    git(memory.work, 'add', '-A');
    git(memory.work, 'commit', '-q', '-m', message);
  };
  const noteAbout = (...files: string[]): Promise<Note> =>
    rememberNote(notePartsOf(memory.open()), {
      text: 'Loading goes through load.',
      kind: 'decision',
      concepts: [],
      files,
      trust: 3,
      author: 'tester',
    });
  const codeOf = async (note: Note): Promise<NoteCode[]> => codeOfNote(memory.open(), memory.work, note);

  beforeEach(() => {
    memory = createMemoryHome();
    git(memory.work, 'init', '-q', '-b', 'main', '.');
    write('src/load.js', source);
    commit('load');
    memory.clock.set(Date.now());
  });
  afterEach(() => memory.remove());

  it('is current while its lines stand, wherever in the file they stand', async () => {
    const note = await noteAbout('src/load.js');
    write('src/load.js', `// A line above.\n${source}`);
    const [code] = await codeOf(note);
    expect(code?.state).toBe('current');
    expect(code?.now?.startLine).toBe(2);
  });

  it('[viewer-code] is shown as it was beside what stands there now', async () => {
    const note = await noteAbout('src/load.js');
    write('src/load.js', source.replace('read(name)', 'read(name, cache)'));
    const [code] = await codeOf(note);
    expect(code?.state).toBe('changed');
    expect(code?.past?.text).toContain('return read(name);');
    expect(code?.past?.commit).toMatch(/^[0-9a-f]{40}$/);
    expect(code?.now?.text).toContain('return read(name, cache);');
  });

  it('is found again where its file went', async () => {
    const note = await noteAbout('src/load.js');
    renameSync(join(memory.work, 'src/load.js'), join(memory.work, 'src/store.js'));
    git(memory.work, 'add', '-A');
    const [code] = await codeOf(note);
    expect(code).toMatchObject({ state: 'moved', now: { path: 'src/store.js' } });
  });

  it('is called gone when nothing of it stands', async () => {
    const note = await noteAbout('src/load.js');
    rmSync(join(memory.work, 'src/load.js'));
    const [code] = await codeOf(note);
    expect(code).toMatchObject({ state: 'gone', path: 'src/load.js' });
    expect(code?.now).toBeUndefined();
  });

  it('[viewer-code] never leads out of the checkout', async () => {
    writeFileSync(join(memory.home, 'secret.txt'), 'outside');
    symlinkSync(join(memory.home, 'secret.txt'), join(memory.work, 'link.txt'));
    const hostile = [
      '../secret.txt',
      join(memory.home, 'secret.txt'),
      'link.txt',
      'src/../../secret.txt',
      '',
    ];
    expect(await codeOf(await noteAbout(...hostile))).toEqual([]);
  });
});
