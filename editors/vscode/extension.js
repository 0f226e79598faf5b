// The backstory of a line in VS Code, Cursor and Windsurf, from `backstory lsp`.
import { window, workspace } from 'vscode';
import { LanguageClient, RevealOutputChannelOn } from 'vscode-languageclient/node';

// The server offers these commands without a text; ask for it here.
const prompts = {
  'backstory.remember': 'Remember about this line',
  'backstory.wrong': 'What is right instead? (empty: only withdraw)',
};

let client;

/** Called from the command palette, a command is about the line of the cursor. */
function atCursor() {
  const editor = window.activeTextEditor;
  if (editor === undefined) return [];
  return [client.code2ProtocolConverter.asUri(editor.document.uri), editor.selection.active.line];
}

async function executeCommand(command, given, next) {
  const args = given?.length > 0 ? given : atCursor();
  if (!(command in prompts)) return next(command, args);
  const text = await window.showInputBox({ prompt: prompts[command], ignoreFocusOut: true });
  return text === undefined ? undefined : next(command, [...args, text]);
}

async function start() {
  const path = workspace.getConfiguration('backstory').get('path');
  // Only a shell starts the command files that npm writes on Windows.
  const needsShell = process.platform === 'win32';
  client = new LanguageClient(
    'backstory',
    'Backstory',
    { command: needsShell ? `"${path}"` : path, args: ['lsp'], options: { shell: needsShell } },
    {
      documentSelector: [{ scheme: 'file' }],
      revealOutputChannelOn: RevealOutputChannelOn.Never,
      middleware: { executeCommand },
    },
  );
  // If the program is missing, the client has told the user.
  await client.start().catch(() => {});
}

export async function activate({ subscriptions }) {
  const restart = async (change) => {
    if (!change.affectsConfiguration('backstory.path')) return;
    await deactivate();
    await start();
  };
  subscriptions.push(workspace.onDidChangeConfiguration(restart));
  await start();
}

/** Stopping a client that did not start fails. */
export const deactivate = async () => client?.stop().catch(() => {});
