import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commitAll, editAs, put } from '../../test/support/agent-edits.ts';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import { git } from '../../test/support/sandbox.ts';
import { readPrelude } from '../memory/prelude/prelude-file.ts';
import { withEvidence } from './evidence.ts';
import { failedPathsIn } from './failed-paths.ts';
import { quickLimits } from './with-index.ts';

let memory: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
  git(memory.work, 'init', '-q', '-b', 'main', '.');
  put(memory, 'load.js', base);
  commitAll(memory, 'Load');
});
afterEach(() => memory.remove());

const base = 'export function load(name) {\n  const file = open(name);\n  return file.read();\n}\n';
const watching = base.replace('  return file.read();', '  return watchForChanges(file, name);');

const run = (command: string, failed = false) =>
  memory.hook({
    hook_event_name: failed ? 'PostToolUseFailure' : 'PostToolUse',
    session_id: 'session-1',
    prompt_id: 'turn-1',
    cwd: memory.work,
    tool_use_id: `run-${command}`,
    tool_name: 'Bash',
    tool_input: { command },
    ...(failed ? { error: 'Exit code 1\nboom' } : { tool_response: { stdout: '', stderr: '' } }),
  });
const found = () =>
  withEvidence(memory.open(), quickLimits, (evidence) => failedPathsIn('load.js', evidence));

describe('failed paths', () => {
  it('are edits that the session reverted with git, with the command that failed', async () => {
    memory.prompt('Watch the file.');
    editAs(memory, 'session-1', 'turn-1', 'load.js', watching);
    run('npm test', true);
    run('git checkout -- load.js');
    git(memory.work, 'checkout', '-q', '.');
    memory.answer('That did not work: the watcher misses network drives.');
    expect(await found()).toMatchObject([
      {
        path: 'load.js',
        prompt: { text: 'Watch the file.' },
        failure: { text: expect.stringContaining('$ npm test') },
      },
    ]);
    await memory.drain();
    const { paths, project } = memory.open();
    const lines = readPrelude(paths, project)?.lines.map(({ text }) => text) ?? [];
    expect(lines.find((text) => text.includes('reverted'))).toMatch(
      /tried in load\.js and reverted, after `npm test` failed; you had asked: Watch the file\. \[[0-9a-f]{8}\]$/,
    );
    expect(lines.join('\n')).not.toContain('misses network drives');
  });

  it('name the event of the prompt, also of one that is indexed in several chunks', async () => {
    const asked = ['Watch the file.', ...Array.from({ length: 400 }, (_, at) => `Sentence ${at} says more.`)];
    memory.prompt(asked.join('\n\n'));
    editAs(memory, 'session-1', 'turn-1', 'load.js', watching);
    run('npm test', true);
    run('git checkout -- load.js');
    await memory.drain();
    const prompt = memory.events().find(({ kind }) => kind === 'prompt');
    expect(await found()).toMatchObject([{ prompt: { id: prompt?.id } }]);
  });

  it('are not told to the next session if nothing failed before they were reverted', async () => {
    memory.prompt('Watch the file.');
    editAs(memory, 'session-1', 'turn-1', 'load.js', watching);
    run('git checkout -- load.js');
    git(memory.work, 'checkout', '-q', '.');
    expect(await found()).toHaveLength(1);
    await memory.drain();
    const { paths, project } = memory.open();
    expect(JSON.stringify(readPrelude(paths, project)?.lines)).not.toContain('reverted');
  });

  it('are not edits that were committed, revised or restored from the stash, or whose file was not checked out', async () => {
    memory.prompt('Watch the file.');
    editAs(memory, 'session-1', 'turn-1', 'load.js', watching);
    run('git checkout -b other');
    run('git checkout -- README.md');
    run('git stash list');
    run('git commit -am kept');
    run('git checkout .');
    expect(await found()).toEqual([]);
    editAs(memory, 'session-1', 'turn-1', 'load.js', watching.replace('file, name', 'name, file'));
    expect(await found()).toEqual([]);
    run('git stash');
    run('git stash pop');
    expect(await found()).toEqual([]);
  });
});
