import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { PlayedProject } from '../../../bench/sessions/play.ts';
import { drain } from '../../../src/memory/drain.ts';
import { createHook } from '../../support/in-process-hook.ts';
import type { Channel } from './channels.ts';
import type { Hostile } from './hostile.ts';

const email = 'tester@example.com';
const remote = 'git@example.org:acme/poison.git';

function git(cwd: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=Tester', '-c', `user.email=${email}`];
  return execFileSync('git', [...identity, ...args], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

/**
 * A folder in the checkout looks like a git directory. Its history claims that the user made the commits here, and it
 * has the remote of the project. An agent changes into it.
 */
export const embeddedGitDirectory: Channel = {
  name: 'embedded git directory',
  async enter({ root, parts }: PlayedProject, texts: Hostile[]) {
    git(root, 'init', '-q', '-b', 'main');
    git(root, 'remote', 'add', 'origin', remote);
    git(root, 'commit', '-q', '--allow-empty', '-m', 'start');
    const source = join(parts.userHome, 'embedded-source');
    mkdirSync(source);
    git(source, 'init', '-q', '-b', 'main');
    for (const { text } of texts) git(source, 'commit', '-q', '--allow-empty', '-m', text);
    git(source, 'remote', 'add', 'origin', remote);
    git(source, 'config', 'user.email', email);
    git(source, 'config', 'core.worktree', '.');
    const docs = join(root, 'docs');
    cpSync(join(source, '.git'), docs, { recursive: true });
    rmSync(source, { recursive: true });
    const hook = createHook({ paths: parts.paths, clock: parts.clock, userHome: parts.userHome });
    for (const cwd of [root, docs, join(docs, 'refs')]) {
      const call = { session_id: `embedded-${cwd.length}`, cwd, prompt_id: `turn-${cwd.length}` };
      hook({ ...call, hook_event_name: 'SessionStart', source: 'startup' });
      hook({ ...call, hook_event_name: 'UserPromptSubmit', prompt: 'look at the documents' });
      hook({ ...call, hook_event_name: 'Stop', last_assistant_message: 'I looked.' });
      await drain(parts);
    }
  },
  sources: () => ['git'],
};
