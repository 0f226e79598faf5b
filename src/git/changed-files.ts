import { spawn } from 'node:child_process';

/** Files that differ from the last commit, new ones too; undefined where git cannot say. `/` between names. */
export function changedFiles(root: string): Promise<string[] | undefined> {
  const args = ['--no-optional-locks', 'status', '--porcelain', '-z', '--no-renames', '-uall', '--', '.'];
  return new Promise((resolve) => {
    const git = spawn('git', args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'], windowsHide: true });
    let output = '';
    git.stdout.setEncoding('utf8');
    git.stdout.on('data', (piece: string) => {
      output += piece;
    });
    git.on('error', () => resolve(undefined));
    git.on('close', (code) => resolve(code === 0 ? pathsIn(output) : undefined));
  });
}

/** Two letters and a blank stand before each path. */
const pathsIn = (output: string): string[] =>
  output
    .split('\0')
    .filter((entry) => entry.length > 3)
    .map((entry) => entry.slice(3));
