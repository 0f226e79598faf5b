import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import { git } from '../../test/support/sandbox.ts';
import { systemClock } from '../base/clock.ts';
import { Checkout } from '../code/checkout.ts';
import { readLines } from '../code/source.ts';
import type { Note } from '../domain/note.ts';
import { anchorsFromUser } from '../drift/anchors-from-user.ts';
import { headOf } from '../drift/current-code.ts';
import { createWorktreeFiles } from '../git/worktree-files.ts';
import { notePartsOf } from '../memory/notes/note-parts.ts';
import { rememberNote } from '../memory/notes/remember.ts';
import { codeOfNote, type ShownCode } from './code-of-note.ts';

const source = ['export function load(name) {', '  return read(name);', '}', ''].join('\n');
const head = Array.from({ length: 90 }, (_, at) => `// Line ${at + 1} of the text above.`).join('\n');

describe('the code of a note', () => {
  let memory: MemoryHome;
  let checkout: Checkout;
  let shown: ShownCode;
  const write = (path: string, text: string) => {
    mkdirSync(join(memory.work, path, '..'), { recursive: true });
    writeFileSync(join(memory.work, path), text);
  };
  const commit = (message: string) => {
    git(memory.work, 'add', '-A');
    git(memory.work, 'commit', '-q', '-m', message);
  };
  const noteAbout = async (...files: string[]): Promise<Note> =>
    rememberNote(notePartsOf(memory.open()), {
      text: 'Loading goes through load.',
      kind: 'decision',
      concepts: [],
      ...(await anchorsFromUser(files, shown.checked, headOf(memory.work).head)),
      trust: 3,
      author: 'tester',
    });
  const codeOf = async (note: Note) => codeOfNote(memory.open(), shown, note);

  beforeEach(() => {
    memory = createMemoryHome();
    git(memory.work, 'init', '-q', '-b', 'main', '.');
    write('src/load.js', source);
    write('src/long.js', `${head}\n${source}`);
    write('.gitignore', '.env\n');
    commit('load');
    memory.clock.set(Date.now());
    checkout = new Checkout({
      root: memory.work,
      folder: join(memory.home, 'code'),
      files: createWorktreeFiles(memory.work),
      clock: systemClock,
      mayWrite: false,
      watches: false,
      tryLock: () => undefined,
      runJob: () => Promise.reject(new Error('nothing is indexed here')),
    });
    shown = {
      checked: { root: memory.work, key: 'key', budgetMs: 60_000 },
      lines: (path, span) =>
        readLines(checkout, { path, ...span }).then(
          ({ lines }) => lines,
          () => undefined,
        ),
    };
  });
  afterEach(async () => {
    await checkout.close();
    memory.remove();
  });

  it('is current while its lines exist, and is shown at their position', async () => {
    const note = await noteAbout('src/load.js:1-3');
    write('src/load.js', `// A line above.\n${source}`);
    const { drift, code } = await codeOf(note);
    expect([drift.state, code[0]?.state]).toEqual(['current', 'current']);
    expect(code[0]?.now).toMatchObject({ startLine: 2, text: source.trimEnd() });
  });

  it('[viewer-code] is shown as it was and as it is now', async () => {
    const note = await noteAbout('src/load.js:1-3');
    write('src/load.js', source.replace('read(name)', 'read(name, cache)'));
    const { drift, code } = await codeOf(note);
    expect([drift.state, code[0]?.state]).toEqual(['changed', 'changed']);
    expect(code[0]?.past?.text).toContain('return read(name);');
    expect(code[0]?.past?.commit).toMatch(/^[0-9a-f]{12,40}$/);
    expect(code[0]?.now?.text).toContain('return read(name, cache);');
  });

  it('[viewer-code] is read from the next commit if the note was made before the lines were committed', async () => {
    write('src/load.js', `${source}\nexport const store = open();\n`);
    const note = await noteAbout('src/load.js:5-5');
    commit('store');
    write('src/load.js', `${source}\nexport const store = open('disk');\n`);
    const [code] = (await codeOf(note)).code;
    expect(code?.past?.text).toBe('export const store = open();');
    expect(code?.now?.text).toBe("export const store = open('disk');");
  });

  it('[viewer-code] is gone if its lines are deleted, even if much of the file remains', async () => {
    const note = await noteAbout('src/long.js:91-93');
    write('src/long.js', `${head}\n`);
    commit('no load');
    const { drift, code } = await codeOf(note);
    expect([drift.state, code[0]?.state]).toEqual(['gone', 'gone']);
    expect(code[0]?.past).toMatchObject({ startLine: 91, text: source.trimEnd() });
  });

  it('is found under the new name if its file was renamed', async () => {
    const note = await noteAbout('src/load.js:1-3');
    renameSync(join(memory.work, 'src/load.js'), join(memory.work, 'src/store.js'));
    git(memory.work, 'add', '-A');
    expect((await codeOf(note)).code[0]).toMatchObject({ state: 'moved', now: { path: 'src/store.js' } });
  });

  it('is gone if its file is deleted', async () => {
    const note = await noteAbout('src/load.js:1-3');
    rmSync(join(memory.work, 'src/load.js'));
    const [code] = (await codeOf(note)).code;
    expect(code).toMatchObject({ state: 'gone', path: 'src/load.js' });
    expect(code?.now).toBeUndefined();
  });

  it('is unanchored if the note only names a file', async () => {
    const { drift, code } = await codeOf(await noteAbout('src/load.js'));
    expect(drift.state).toBe('unanchored');
    expect(code).toMatchObject([{ path: 'src/load.js', state: 'unanchored', now: { startLine: 1 } }]);
  });

  it('[viewer-code] leaves out ranges that have only blank lines', async () => {
    write('src/load.js', `${source}\nexport const store = open();\n`);
    const { code } = await codeOf(await noteAbout('src/load.js:4-4', 'src/load.js:5-5'));
    expect(code.map(({ now }) => now?.startLine)).toEqual([5]);
  });

  it('[viewer-code] never includes files outside the checkout or ignored by git', async () => {
    writeFileSync(join(memory.home, 'secret.txt'), 'outside');
    symlinkSync(join(memory.home, 'secret.txt'), join(memory.work, 'link.txt'));
    write('.env', 'KEY=secret\n');
    const hostile = [
      '../secret.txt',
      join(memory.home, 'secret.txt'),
      'link.txt',
      'src/../../secret.txt',
      '.env',
      '.env:1',
      '',
    ];
    for (const path of hostile) expect((await codeOf(await noteAbout(path))).code, path).toEqual([]);
  });
});
