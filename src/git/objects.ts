import { spawn } from 'node:child_process';

/** Larger ones are read to be thrown away: nobody asks about a line of those. */
const maxObjectBytes = 8 * 1024 * 1024;
/** A name ends with its line; one that holds more than one line cannot be asked for. */
const isAskable = (name: string): boolean => name !== '' && !/[\n\r\0]/.test(name);

/**
 * Objects by name, such as a commit's hash or `commit:path`, read by one git process. What is not there is not in the
 * answer. No filter or diff program is run.
 */
export function readObjects(
  root: string,
  asked: Iterable<string>,
  timeoutMs?: number,
): Promise<Map<string, string>> {
  const names = [...new Set(asked)].filter(isAskable);
  const found = new Map<string, string>();
  if (names.length === 0 || (timeoutMs ?? 1) <= 0) return Promise.resolve(found);
  return new Promise((resolve) => {
    const git = spawn('git', ['cat-file', '--batch'], {
      cwd: root,
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
      ...(timeoutMs === undefined ? {} : { timeout: Math.ceil(timeoutMs) }),
    });
    const pieces: Buffer[] = [];
    git.stdout.on('data', (piece: Buffer) => pieces.push(piece));
    git.on('error', () => resolve(found));
    git.on('close', () => {
      parseBatch(Buffer.concat(pieces), names, found);
      resolve(found);
    });
    // Git may end before it has read every name; what it did answer counts.
    git.stdin.on('error', () => {});
    git.stdin.end(`${names.join('\n')}\n`);
  });
}

/** Answers come in the order of the questions: a line with kind and size, then the bytes. */
function parseBatch(bytes: Buffer, names: string[], found: Map<string, string>): void {
  let at = 0;
  for (const name of names) {
    const end = bytes.indexOf(0x0a, at);
    if (end === -1) return;
    const size = /^[0-9a-f]{40,64} \w+ (\d+)$/.exec(bytes.toString('utf8', at, end))?.[1];
    at = end + 1;
    if (size === undefined) continue;
    const length = Number(size);
    if (length <= maxObjectBytes) found.set(name, bytes.toString('utf8', at, at + length));
    at += length + 1;
  }
}
