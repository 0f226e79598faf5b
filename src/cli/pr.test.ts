import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commitAll, editAs, put } from '../../test/support/agent-edits.ts';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import { git } from '../../test/support/sandbox.ts';
import { resolvePlace } from '../memory/projects/projects.ts';
import type { App } from './command.ts';
import { prCommand } from './pr.ts';
import { runCommand } from './run-command.ts';

let memory: MemoryHome;
let shown: string;
beforeEach(() => {
  memory = createMemoryHome();
  shown = '';
  git(memory.work, 'init', '-q', '-b', 'main', '.');
  put(memory, 'a.js', 'one();\n');
  commitAll(memory, 'Begin');
  git(memory.work, 'checkout', '-q', '-b', 'feature');
  memory.prompt('Connect the page to the store of Alice in accounting.');
  editAs(memory, 'session-1', 'turn-1', 'a.js', 'one();\nconnectToTheStore();\n');
  memory.answer('I connected it, as you told me about accounting.');
  memory.prompt('Read the key from the vault. The launch is a secret.', { prompt_id: 'turn-2' });
  editAs(memory, 'session-1', 'turn-2', 'a.js', 'one();\nconnectToTheStore();\nreadTheKeyOfTheVault();\n');
  commitAll(
    memory,
    'Connect <img src=x> @everybody\n\nCo-Authored-By: Claude Opus 4.5 <noreply@anthropic.com>',
  );
});
afterEach(() => memory.remove());

type Caller = ReturnType<App['caller']>;
async function pr(answers: (string | undefined)[], values = {}, caller: Caller['kind'] = 'person') {
  const app = {
    ...memory,
    caller: () => ({ kind: caller, reason: 'a test' }),
    cwd: memory.work,
    userHome: memory.home,
    place: () => resolvePlace(memory.paths, memory.work, memory.clock).place,
    open: () => memory.open(),
    printError: (text: string) => {
      shown += text;
    },
    ask: async () => answers.shift(),
  } as unknown as App;
  return (await runCommand(prCommand, app, { positionals: [], values })).text;
}

describe('pr', () => {
  it('[pr-words] shows the words first and prints those that the person leaves in', async () => {
    const text = await pr(['rubbish', '2']);
    expect(shown).toMatch(/1\. Connect the page[^\n]*\n\s+2\. Read the key/);
    expect(text).toContain('Connect the page to the store of Alice in accounting.');
    expect(text).not.toMatch(/vault\.|launch|as you told me/);
    expect(await pr([''])).toContain('The launch is a secret.');
    for (const none of [['all'], ['1-2'], [undefined]])
      expect(await pr(none)).not.toMatch(/accounting|launch/);
  });

  it('[pr-words] prints facts only without a person, and refuses an agent that does not ask for those', async () => {
    for (const caller of ['unproven', 'agent', 'person'] as const) {
      const text = await pr([], { yes: true }, caller);
      expect(text).not.toMatch(/accounting|launch|Alice/);
      expect(text).toContain('claude-code 100 %');
      expect(text).toContain('Connect \\<img src=x\\> \\@everybody');
    }
    expect(shown).toBe('');
    await expect(pr([''], {}, 'agent')).rejects.toThrow('needs a person');
    await expect(pr([''], {}, 'unproven')).rejects.toThrow('needs a person');
  });

  it('[pr-words] redacts secrets again', async () => {
    const key = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    const hash = commitAll(memory, `Use ${key}`);
    const text = await pr([''], { yes: true });
    expect(text).toContain(`${hash.slice(0, 12)}\` Use`);
    expect(text).not.toContain('a1B2c3D4e5F6');
  });

  it('names others as writers only if the commits say so, from committed data alone', async () => {
    put(memory, 'b.js', 'brandNewLineOfTheOtherAgent();\n');
    commitAll(memory, 'More\n\nAssisted-by: Claude:claude-opus-4');
    expect(await pr([], { yes: true })).toContain('Claude (claude-opus-4) by the commit message 33 %');
    git(memory.work, 'checkout', '-q', 'main');
    await expect(pr([], { yes: true })).rejects.toThrow('main..HEAD has no commits');
  });
});
