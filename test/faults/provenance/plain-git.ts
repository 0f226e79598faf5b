import { spawn } from 'node:child_process';
import { hangMs } from '../../support/until.ts';

/** Common git commands in a checkout. Each makes git use other keys of its configuration. */
const commands = [
  'status',
  'log -2',
  'log -p -2 --ext-diff',
  'diff',
  'diff --ext-diff --textconv HEAD',
  'blame a.ts',
  'show HEAD',
  'cat-file -p HEAD:a.ts',
  '-p log -1',
  '-p status',
  'fetch origin',
  'ls-remote ssh://127.0.0.1/x',
  'ls-remote git://127.0.0.1:9/x',
  'difftool -y --tool=evil',
  'difftool -y',
  'interpret-trailers --trailer evil=x README.md',
  'commit --amend -a',
  'commit --allow-empty -m x -S',
  'tag -s signed -m x',
  'rebase -i HEAD~1',
  'add -A',
  'checkout -f HEAD -- a.ts README.md',
  'gc --auto',
  'submodule update --init',
  'push origin HEAD',
  'pull',
  'send-email --to=x@example.org -1',
  'help -m log',
  'instaweb --start',
];

/** Runs plain git in a checkout, to prove that the programs named in its configuration can run at all. */
export async function usePlainGit(cwd: string, home: string, count = commands.length): Promise<void> {
  const env = { PATH: process.env.PATH ?? '', HOME: home, TERM: 'dumb', GIT_TERMINAL_PROMPT: '0' };
  for (const command of commands.slice(0, count))
    await new Promise((ended) => {
      const child = spawn('git', command.split(' '), {
        cwd,
        env,
        stdio: 'ignore',
        timeout: hangMs,
        killSignal: 'SIGKILL',
      });
      child.on('close', ended);
    });
}
