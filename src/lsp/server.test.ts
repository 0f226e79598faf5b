import { appendFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { pathToFileURL } from 'node:url';
import MarkdownIt from 'markdown-it';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type CodeAction,
  type CodeLens,
  createConnection,
  createProtocolConnection,
  type Hover,
  type ProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { commitAll, editAs, put } from '../../test/support/agent-edits.ts';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import { git } from '../../test/support/sandbox.ts';
import type { Caller } from '../domain/caller.ts';
import { anchorsFromUser } from '../drift/anchors-from-user.ts';
import { notePartsOf } from '../memory/notes/note-parts.ts';
import { rememberNote } from '../memory/notes/remember.ts';
import { activationOf } from '../memory/projects/activation.ts';
import { resolvePlace } from '../memory/projects/projects.ts';
import { commands } from './actions.ts';
import { escapeMarkdown } from './markdown.ts';
import { serveEditor } from './server.ts';

const path = 'src/load.js';
const base = [
  "import { open } from 'store';",
  '',
  'export function load(name) {',
  '  return open(name);',
  '}',
];
const retrying = [...base.slice(0, 3), '  for (const each of tries(name)) wait(each);', ...base.slice(3)];
const hostile =
  'Wait for the drive ![x](https://evil.example/p.png) [run](command:x) <img src=x> $(zap) `a` https://a.b';

let memory: MemoryHome;
let client: ProtocolConnection;
let messages: string[];
let shown: string[];
let caller: Caller;
let stories: number;
const uri = () => pathToFileURL(join(memory.work, path)).href;
const text = (lines: string[]): string => `${lines.join('\n')}\n`;
const document = () => ({ textDocument: { uri: uri() } });

async function start(hover: string[] = ['markdown']): Promise<void> {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const connection = createConnection(new StreamMessageReader(toServer), new StreamMessageWriter(toClient));
  serveEditor(connection, {
    version: '1.0',
    clock: memory.clock,
    place: (folder) => {
      const { place } = resolvePlace(memory.paths, folder, memory.clock);
      const activation = activationOf(
        memory.paths,
        { ...place, cwd: folder, userHome: memory.home },
        memory.clock,
      );
      return activation.on ? place : undefined;
    },
    memory: () => {
      const parts = memory.open();
      const { log, notes, project, access } = parts;
      return {
        log,
        notes,
        project,
        access: {
          ...access,
          forReading: () => {
            stories++;
            return access.forReading();
          },
          forWriting: () => undefined,
        },
      };
    },
    code: (root) => ({ root, key: '', symbols: async (_, code) => functionsIn(code) }),
    caller: () => caller,
    forWriting: () => {
      const project = memory.open();
      return { notes: notePartsOf(project), refresh: async () => {} };
    },
    viewerLink: async () => 'http://127.0.0.1:1/login?code=c',
  });
  client = createProtocolConnection(new StreamMessageReader(toClient), new StreamMessageWriter(toServer));
  client.onNotification('window/showMessage', ({ message }) => void messages.push(message));
  client.onRequest('window/showDocument', (wanted) => {
    shown.push(wanted.uri);
    return { success: true };
  });
  client.listen();
  await client.sendRequest('initialize', {
    processId: null,
    rootUri: null,
    capabilities: {
      textDocument: { hover: { contentFormat: hover } },
      window: { showDocument: { support: true } },
    },
  });
  await client.sendNotification('initialized', {});
}

/** The one function of the test file. */
const functionsIn = (code: string) => {
  const lines = code.split('\n');
  const startLine = lines.findIndex((line) => line.startsWith('export function')) + 1;
  const at = { line: startLine, column: 1, signature: '', container: '' };
  return [{ name: 'load', kind: 'function' as const, startLine, endLine: lines.indexOf('}') + 1, ...at }];
};

const open = (lines: string[]) =>
  client.sendNotification('textDocument/didOpen', {
    textDocument: { uri: uri(), languageId: 'javascript', version: 1, text: text(lines) },
  });
const type = (lines: string[]) =>
  client.sendNotification('textDocument/didChange', {
    textDocument: { uri: uri(), version: 2 },
    contentChanges: [{ text: text(lines) }],
  });
const hover = async (line: number): Promise<string> => {
  const found: Hover | null = await client.sendRequest('textDocument/hover', {
    ...document(),
    position: { line, character: 3 },
  });
  return found === null ? '' : (found.contents as { value: string }).value;
};
const lenses = (): Promise<CodeLens[]> => client.sendRequest('textDocument/codeLens', document());
const actions = (line: number, only?: string[]): Promise<CodeAction[]> =>
  client.sendRequest('textDocument/codeAction', {
    ...document(),
    range: { start: { line, character: 0 }, end: { line, character: 0 } },
    context: { diagnostics: [], ...(only === undefined ? {} : { only }) },
  });
const run = (command: string, ...args: unknown[]) =>
  client.sendRequest('workspace/executeCommand', { command, arguments: [uri(), ...args] });

/** A person's file, to which a session adds a loop. */
function worked(prompt = 'Make load wait until the drive is ready.'): void {
  put(memory, path, text(base));
  commitAll(memory, 'Load files');
  memory.prompt(prompt);
  editAs(memory, 'session-1', 'turn-1', path, text(retrying));
  memory.answer('Load waits now.');
}

const noteOn = async (words: string, line: number) => {
  const code = { root: memory.work, key: '' };
  const anchors = await anchorsFromUser([`${path}:${line}`], code, '');
  return rememberNote(notePartsOf(memory.open()), {
    text: words,
    kind: 'decision',
    concepts: [],
    ...anchors,
    trust: 3,
    author: 'tester',
  });
};

const filesWithTimes = (): string[] =>
  readdirSync(memory.home, { recursive: true, encoding: 'utf8' })
    .map((name) => `${name} ${statSync(join(memory.home, name)).mtimeMs}`)
    .sort();

beforeEach(() => {
  memory = createMemoryHome();
  [messages, shown, caller, stories] = [[], [], { kind: 'person' }, 0];
  git(memory.work, 'init', '-q', '-b', 'main', '.');
});
afterEach(() => {
  client.dispose();
  memory.remove();
});

describe('the language server', () => {
  it('[lsp-hover] shows who wrote a line, when, and what was asked', async () => {
    worked();
    await start();
    await open(retrying);
    expect(await hover(3)).toMatch(/\*\*written\*\* by claude\\-code session session\\-, .* on main/);
    expect(await hover(3)).toContain('**asked** Make load wait until the drive is ready\\.');
    expect(await hover(4)).toContain('**commit**');
    expect(await hover(4)).toContain('Load files');
    expect(await hover(4)).not.toContain('drive');
    expect(await hover(99)).toBe('');
  });

  it('[lsp-hover] shows a note on the line, whether its code still exists, and at most ten lines', async () => {
    worked();
    await noteOn('The drive needs two seconds to wake.', 4);
    for (const at of [1, 2, 3]) await noteOn(`Rule ${at} for this line.`, 4);
    await start();
    await open(retrying);
    expect(await hover(3)).toMatch(/\*\*note\*\* .*Rule 3 for this line/);
    expect((await hover(3)).split('\n').length).toBeLessThanOrEqual(10);
    expect(await hover(0)).not.toContain('Rule');
  });

  it('[lsp-inert] shows remembered text as text: no link, image, HTML, command or icon', async () => {
    worked(hostile);
    await start();
    await open(retrying);
    const html = new MarkdownIt({ html: true, linkify: true }).render(await hover(3));
    expect(html).not.toMatch(/<(?:a|img|code)\b/);
    expect(html).toContain('![x](https://evil.example/p.png)');
    expect((await lenses())[0]?.command?.title).toContain('Wait for the drive ![x](https');
    expect((await lenses())[0]?.command?.title).not.toContain('$(');
    const every = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).join('');
    expect(new MarkdownIt({ html: true }).renderInline(`a${escapeMarkdown(every)}`)).toBe(
      `a${every.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')}`,
    );
  });

  it('shows plain text to an editor that does not read Markdown', async () => {
    worked();
    await start(['plaintext']);
    await open(retrying);
    expect(await hover(3)).toContain('asked     Make load wait until the drive is ready.');
  });

  it('[lsp-unsaved] finds a line by its content while the buffer is not saved', async () => {
    worked();
    await start();
    await open(retrying);
    const edited = ['// new', ...retrying.slice(0, 4), '  log(name);', ...retrying.slice(4)];
    await type(edited);
    expect(await hover(4)).toContain('drive is ready');
    expect(await hover(5)).toContain('not saved');
    expect(await hover(0)).toContain('not saved');
    expect((await lenses())[0]?.range.start.line).toBe(3);
    expect(await actions(5)).toEqual([]);
  });

  it('makes one story for each version of the file, and a new one after a save or a commit', async () => {
    worked();
    await start();
    await open(retrying);
    await hover(3);
    const once = stories;
    for (const line of [0, 1, 2, 3, 4]) await hover(line);
    expect(stories).toBe(once);
    const saved = ['// by hand', ...retrying];
    put(memory, path, text(saved));
    await type(saved);
    expect(await hover(0)).toContain('none yet');
    commitAll(memory, 'Explain by hand');
    expect(await hover(0)).toContain('Explain by hand');
  });

  it('shows what was remembered meanwhile', async () => {
    worked();
    await start();
    await open(retrying);
    await hover(3);
    await noteOn('The drive needs two seconds to wake.', 4);
    await expect.poll(() => hover(3)).toContain('two seconds');
  });

  it('[lsp-lens] shows above a function which agent changed it last, when and for what', async () => {
    worked();
    await start();
    await open(retrying);
    const found = await lenses();
    expect(found).toHaveLength(1);
    expect(found[0]?.range.start.line).toBe(2);
    expect(found[0]?.command?.title).toMatch(/^Claude Code, .*: Make load wait until the drive is ready\.$/);
    expect(found[0]?.command?.command).toBe(commands.open);
    put(memory, path, text(base));
    await type(base);
    expect(await lenses()).toEqual([]);
  });

  it('[lsp-open] opens the file and line in the viewer, in its project', async () => {
    worked();
    await start();
    await open(retrying);
    await run(commands.open, 3);
    expect(shown).toEqual([
      `http://127.0.0.1:1/login?code=c#/file/src/load.js?line=4&project=${memory.open().project}`,
    ]);
  });

  it('[lsp-trust] remembers what a person writes about a line; what nobody proved to have typed waits for review', async () => {
    worked();
    await start();
    await open(retrying);
    await run(commands.remember, 3, 'The drive needs two seconds.');
    caller = { kind: 'unproven', reason: 'no terminal' };
    await run(commands.remember, 3, 'Never wait twice.');
    caller = { kind: 'agent', agent: 'codex' };
    await run(commands.remember, 3, 'Approved by the user.');
    const notes = (await memory.open().notes.list()).filter(
      ({ text: words }) => !words.startsWith('Load waits'),
    );
    const kept = notes.map(({ text: words, state, trust, author, files }) => [
      words,
      state,
      trust,
      author,
      files,
    ]);
    expect(kept).toContainEqual(['The drive needs two seconds.', 'active', 3, expect.anything(), [path]]);
    expect(kept).toContainEqual(['Never wait twice.', 'candidate', 1, expect.anything(), [path]]);
    expect(kept).toContainEqual(['Approved by the user.', 'candidate', 1, 'codex', [path]]);
    expect(messages[0]).toContain('Remembered');
    expect(messages[1]).toContain('review');
    expect(notes[0]?.anchors).toHaveLength(1);
  });

  it('[lsp-wrong] withdraws or replaces a note for a person, and for others only proposes the right text', async () => {
    worked();
    const { id } = await noteOn('The drive needs two seconds to wake.', 4);
    await start();
    await open(retrying);
    const wrong = (await actions(3)).find(({ title }) => title.includes('this is wrong'));
    expect(wrong?.title).toBe('Backstory: this is wrong: The drive needs two seconds to wake.');
    expect(wrong?.command?.arguments).toEqual([uri(), 3, id]);
    caller = { kind: 'unproven', reason: 'no terminal' };
    await run(commands.wrong, 3, id, 'It needs three seconds.');
    const list = () => memory.open().notes.list();
    expect((await memory.open().notes.get(id))?.state).toBe('active');
    const proposed = (await list()).find(({ text: words }) => words.startsWith('It needs three'));
    expect([proposed?.state, proposed?.replaces]).toEqual(['candidate', [id]]);
    caller = { kind: 'person' };
    await run(commands.wrong, 3, id, 'It needs four seconds.');
    expect((await memory.open().notes.get(id))?.state).toBe('superseded');
    expect((await list()).find(({ text: words }) => words.startsWith('It needs four'))?.trust).toBe(3);
  });

  it('says which command to run if the editor cannot ask for a text', async () => {
    worked();
    await start();
    await open(retrying);
    await run(commands.remember, 3);
    await run(commands.wrong, 3, 'abc');
    expect(messages[0]).toBe(`Run this in a terminal: backstory remember TEXT --files ${path}:4`);
    expect(messages[1]).toBe('Run this in a terminal: backstory edit abc --wrong');
  });

  it('offers its actions as source actions, and not among quick fixes', async () => {
    worked();
    await start();
    await open(retrying);
    expect((await actions(3)).map(({ title }) => title)).toEqual([
      'Backstory: open in the viewer',
      'Backstory: remember about this line',
    ]);
    expect(await actions(3, ['source'])).toHaveLength(2);
    expect(await actions(3, ['quickfix'])).toEqual([]);
  });

  it('[lsp-read-only] writes nothing until an action is called', async () => {
    worked();
    await start();
    const before = filesWithTimes();
    await open(retrying);
    await hover(3);
    await lenses();
    await actions(3);
    expect(filesWithTimes()).toEqual(before);
  });

  it('[lsp-off] answers with nothing where Backstory is off, and for files outside a checkout', async () => {
    worked();
    await start();
    appendFileSync(memory.paths.config, '{"capture":"off"}');
    await open(retrying);
    expect([await hover(3), await lenses(), await actions(3)]).toEqual(['', [], []]);
    await run(commands.remember, 3, 'Nothing.');
    expect(messages).toEqual(['Backstory is off for this file.']);
    const other = { textDocument: { uri: 'untitled:one' }, position: { line: 0, character: 0 } };
    expect(await client.sendRequest('textDocument/hover', other)).toBeNull();
  });
});
