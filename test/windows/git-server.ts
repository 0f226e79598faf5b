import { spawn } from 'node:child_process';
import { readlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join, resolve } from 'node:path';

/**
 * Runs the git of Debian for git-client.c, the git.exe of the tests under Wine. Git runs inside the folder that Wine
 * runs in, so that the paths it writes, for example of a linked worktree, are those of drive Z: without the letter,
 * which Windows programs resolve on the drive they are on.
 *
 * Usage: `node git-server.ts ROOT PORT_FILE`. ROOT is the folder that `windows-node setup` prints.
 */
const [root = '', portFile = ''] = process.argv.slice(2);

/** Returns the path inside ROOT of a Windows path. */
function unixPath(path: string): string {
  const drive = (path[0] as string).toLowerCase();
  const rest = path.slice(2).replaceAll('\\', '/');
  if (drive === 'z') return rest === '' ? '/' : rest;
  const target = readlinkSync(join(root, `opt/prefix/dosdevices/${drive}:`));
  return resolve('/opt/prefix/dosdevices', target) + rest;
}

/** Replaces the paths in an argument or variable: a path, a list of paths, `--option=PATH`, or a file URL. */
const withUnixPaths = (text: string): string =>
  text
    .replace(/^\\\\\.\\nul/i, '/dev/null')
    .replace(/(^|[=;]|file:\/\/\/?)([A-Za-z]:[\\/][^;]*)/g, (_, before: string, path: string) =>
      before.startsWith('file:')
        ? `file://${unixPath(path)}`
        : `${before === ';' ? ':' : before}${unixPath(path)}`,
    );

/** The variables that git gets. Like Git for Windows, the home folder is USERPROFILE unless HOME is set. */
function variablesOf(environment: string[]): string[] {
  const values = new Map(
    environment
      .filter((line) => /^[^=]+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')).toUpperCase(), line.slice(line.indexOf('=') + 1)]),
  );
  const kept = [...values].filter(([name]) => /^(?:GIT_.*|HOME|LANG|LC_.*|TZ|XDG_CONFIG_HOME)$/.test(name));
  const home = values.get('HOME') ?? values.get('USERPROFILE') ?? 'Z:\\root';
  return [
    'PATH=/usr/bin:/bin',
    ...[...kept, ['HOME', home]].map(([name, value]) => `${name}=${withUnixPaths(value as string)}`),
  ];
}

/** Splits what a client sends into messages: a 4-byte length and that many bytes. */
async function* messagesFrom(socket: Socket): AsyncGenerator<Buffer> {
  let bytes = Buffer.alloc(0);
  for await (const piece of socket) {
    bytes = Buffer.concat([bytes, piece as Buffer]);
    while (bytes.length >= 4 && bytes.length >= 4 + bytes.readUInt32BE(0)) {
      const end = 4 + bytes.readUInt32BE(0);
      yield bytes.subarray(4, end);
      bytes = bytes.subarray(end);
    }
  }
}

async function serve(socket: Socket): Promise<void> {
  const messages = messagesFrom(socket);
  const next = async (): Promise<string> => {
    const { value, done } = await messages.next();
    if (done === true) throw new Error('the client ended early');
    return value.toString('utf8');
  };
  const list = async (): Promise<string[]> => {
    const items: string[] = [];
    for (let count = Number(await next()); count > 0; count--) items.push(await next());
    return items;
  };
  const folder = await next();
  const args = (await list()).map(withUnixPaths);
  const variables = variablesOf(await list());
  const git = spawn('chroot', [root, 'env', '-i', '-C', unixPath(folder), ...variables, 'git', ...args]);
  const send = (kind: number, bytes: Uint8Array): void => {
    const head = Buffer.alloc(5);
    head.writeUInt32BE(bytes.length + 1);
    head[4] = kind;
    if (!socket.destroyed) socket.write(Buffer.concat([head, bytes]));
  };
  git.stdout.on('data', (bytes: Buffer) => send(1, bytes));
  git.stderr.on('data', (bytes: Buffer) => send(2, bytes));
  git.on('close', (code) => {
    send(3, Buffer.from([code ?? 128]));
    socket.end();
  });
  // The client was killed, for example because it took too long.
  socket.on('close', () => git.kill('SIGKILL'));
  git.stdin.on('error', () => {});
  for await (const piece of messages) {
    if (piece.length === 0) git.stdin.end();
    else git.stdin.write(piece);
  }
}

const server = createServer((socket) => {
  socket.on('error', () => {});
  serve(socket).catch((error: unknown) => {
    process.stderr.write(`git-server: ${String(error)}\n`);
    socket.destroy();
  });
});
server.listen(0, '127.0.0.1', () => {
  writeFileSync(portFile, String((server.address() as { port: number }).port));
});
