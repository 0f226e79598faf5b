import { type Connection, MessageType, TextDocumentSyncKind } from 'vscode-languageserver/node';
import { messageOf } from '../base/errors.ts';
import { mapLines } from '../drift/line-mapping.ts';
import { fileLines } from '../text/file-lines.ts';
import { lineReason } from '../why/render.ts';
import { commands, correctLine, disputable, openInViewer, rememberLine, type StoryLine } from './actions.ts';
import { lensesOf } from './lenses.ts';
import { markdownOf, plainTextOf } from './markdown.ts';
import type { LspParts } from './parts.ts';
import { createStories, type OpenStory } from './stories.ts';

/** Not a quick fix, for which VS Code would show a light bulb on every line. */
const actionKind = 'source.backstory';

/**
 * The language server: hover, code lenses and code actions from the memory of a project. It only reads until the user
 * calls an action. Where Backstory is off, it answers with nothing.
 */
export function serveEditor(connection: Connection, parts: LspParts): void {
  /** The lines of the open buffers, which may differ from those on disk. */
  const buffers = new Map<string, string[]>();
  const client = { readsMarkdown: false, opensDocuments: false, refreshesLenses: false };
  const stories = createStories(parts, () => {
    if (client.refreshesLenses) connection.sendRequest('workspace/codeLens/refresh').catch(() => {});
  });

  connection.onInitialize(({ capabilities: { textDocument, window, workspace } }) => {
    client.readsMarkdown = textDocument?.hover?.contentFormat?.includes('markdown') === true;
    client.opensDocuments = window?.showDocument?.support === true;
    client.refreshesLenses = workspace?.codeLens?.refreshSupport === true;
    return {
      serverInfo: { name: 'backstory', version: parts.version },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Full, save: true },
        hoverProvider: true,
        codeLensProvider: {},
        codeActionProvider: { codeActionKinds: [actionKind] },
        executeCommandProvider: { commands: Object.values(commands) },
      },
    };
  });

  /** The story of a file; undefined if there is none, or if it could not be made, which other commands report. */
  const storyOf = (uri: string): Promise<OpenStory | undefined> => stories.of(uri).catch(() => undefined);

  connection.onDidOpenTextDocument(({ textDocument: { uri, text } }) => {
    buffers.set(uri, fileLines(text));
    void storyOf(uri);
  });
  connection.onDidChangeTextDocument(({ textDocument: { uri }, contentChanges }) => {
    buffers.set(uri, fileLines(contentChanges.at(-1)?.text ?? ''));
  });
  connection.onDidSaveTextDocument(({ textDocument: { uri } }) => void storyOf(uri));
  connection.onDidCloseTextDocument(({ textDocument: { uri } }) => {
    buffers.delete(uri);
    stories.close(uri);
  });

  /** The line on disk of each line of the buffer, from 0; -1 for a line that is not saved. */
  const savedLines = (uri: string, { lines }: OpenStory): number[] => {
    const buffer = buffers.get(uri) ?? lines;
    return mapLines(buffer, lines) ?? buffer.map(() => -1);
  };
  const lineAt = async (uri: string, line: number): Promise<StoryLine | 'unsaved' | undefined> => {
    const opened = await storyOf(uri);
    const saved = opened && savedLines(uri, opened)[line];
    if (opened === undefined || saved === undefined) return undefined;
    return saved === -1 ? 'unsaved' : { ...opened, line: saved + 1 };
  };

  connection.onHover(async ({ textDocument: { uri }, position: { line } }) => {
    const at = await lineAt(uri, line);
    if (at === undefined) return null;
    const rows =
      at === 'unsaved'
        ? [{ label: 'not saved', words: 'Save the file to see the backstory of this line.' }]
        : lineReason(at.story, at.line, parts.clock.now());
    if (rows.length === 0) return null;
    return {
      contents: client.readsMarkdown
        ? { kind: 'markdown', value: markdownOf(rows) }
        : { kind: 'plaintext', value: plainTextOf(rows) },
      range: wholeLine(line, buffers.get(uri)?.[line]?.length ?? 0),
    };
  });

  connection.onCodeLens(async ({ textDocument: { uri } }) => {
    const opened = await storyOf(uri);
    if (opened === undefined) return [];
    const saved = savedLines(uri, opened);
    return lensesOf(opened, parts.clock.now()).flatMap(({ line, title }) => {
      const shown = saved.indexOf(line - 1);
      const command = { title, command: commands.open, arguments: [uri, shown] };
      return shown === -1 ? [] : [{ range: wholeLine(shown, 0), command }];
    });
  });

  connection.onCodeAction(async ({ textDocument: { uri }, range, context: { only } }) => {
    if (only !== undefined && !only.some((kind) => `${actionKind}.`.startsWith(`${kind}.`))) return [];
    const { line } = range.start;
    const at = await lineAt(uri, line);
    if (at === undefined || at === 'unsaved') return [];
    const action = (title: string, command: string, ...more: string[]) => ({
      title,
      kind: actionKind,
      command: { title, command, arguments: [uri, line, ...more] },
    });
    return [
      action('Backstory: open in the viewer', commands.open),
      action('Backstory: remember about this line', commands.remember),
      ...disputable(at).map(({ id, title }) =>
        action(`Backstory: this is wrong: ${title}`, commands.wrong, id),
      ),
    ];
  });

  const run = async (command: string, args: unknown[]): Promise<string> => {
    const [uri, line, ...texts] = args;
    const at = typeof uri === 'string' && typeof line === 'number' ? await lineAt(uri, line) : undefined;
    if (at === undefined) return 'Backstory is off for this file.';
    if (at === 'unsaved') return 'Save the file first.';
    if (command === commands.open) {
      const link = await openInViewer(parts, at);
      if (!client.opensDocuments) return `Open this link within a minute: ${link}`;
      await connection.window.showDocument({ uri: link, external: true });
      return '';
    }
    const [first = '', second] = texts.filter((text) => typeof text === 'string');
    const isRemember = command === commands.remember;
    const text = (isRemember ? first : second)?.trim();
    // An editor that cannot ask for a text calls the command without one.
    if (text === undefined || (isRemember && text === ''))
      return isRemember
        ? `Run this in a terminal: backstory remember TEXT --files ${at.path}:${at.line}`
        : `Run this in a terminal: backstory edit ${first} --wrong`;
    return isRemember ? rememberLine(parts, at, text) : correctLine(parts, at, first, text);
  };
  // The library's own methods would ask the user to choose an answer.
  const say = (type: MessageType, message: string) =>
    connection.sendNotification('window/showMessage', { type, message });
  connection.onExecuteCommand(async ({ command, arguments: args = [] }) => {
    try {
      const message = await run(command, args);
      if (message !== '') await say(MessageType.Info, message);
    } catch (error) {
      await say(MessageType.Error, messageOf(error));
    }
    return null;
  });
  connection.listen();
}

const wholeLine = (line: number, length: number) => ({
  start: { line, character: 0 },
  end: { line, character: length },
});
