import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { claude, noClaude } from '../support/claude.ts';
import { type FakeModel, startModel, text } from '../support/fake-model.ts';
import { createSandbox, git, type Sandbox, settle } from '../support/sandbox.ts';

if (noClaude !== undefined && process.env.BACKSTORY_REQUIRE_ALL === '1') throw new Error(noClaude);

let sandbox: Sandbox;
let model: FakeModel | undefined;
afterEach(() => {
  model?.stop();
  settle(sandbox);
  sandbox.remove();
});

const title = `why in the real Claude Code${noClaude === undefined ? '' : ` (skipped: ${noClaude})`}`;

describe.skipIf(noClaude !== undefined)(title, () => {
  it('[why-agents] receives the recorded reason and a failed attempt before it edits a line', async () => {
    sandbox = createSandbox(inject('installedPackage'));
    const file = join(sandbox.repo, 'queue.ts');
    writeFileSync(file, 'export function take(queue) {\n  const job = queue.next();\n  return job;\n}\n');
    git(sandbox.repo, 'add', '.');
    git(sandbox.repo, 'commit', '-qm', 'first');
    expect(sandbox.cli('install', 'claude-code').status).toBe(0);
    const use = (name: string, input: object) => [{ type: 'tool_use', name, input }];
    const edit = (old_string: string, new_string: string) =>
      use('Edit', { file_path: file, old_string, new_string });
    const polled = '  const job = queue.poll(250);';
    const watched = '  const job = queue.watchForChanges();';
    model = await startModel(sandbox, {
      steps: [
        use('Read', { file_path: file }),
        edit('  const job = queue.next();', polled),
        edit(polled, watched),
        edit(watched, polled),
        text('The watcher did not work on network drives, so it polls again.'),
      ],
    });
    claude(sandbox, model, 'Make take wait. We use polling because the broker has no notifications.');
    git(sandbox.repo, 'commit', '-qam', 'Wait for jobs');
    model.stop();
    model = await startModel(sandbox, {
      steps: [
        use('mcp__backstory__why', { target: 'queue.ts:2' }),
        use('Read', { file_path: file }),
        edit('queue.poll(250)', 'queue.poll(500)'),
        text('Done.'),
      ],
    });
    claude(sandbox, model, 'poll less often');
    const bodies = model.requests().filter(({ body }) => (body.tools ?? []).length > 0);
    const messages = JSON.stringify(bodies.at(-1)?.body.messages);
    expect(messages).toContain('because the broker has no notifications');
    expect(messages).toContain('Wait for jobs');
    expect(messages).toContain('tried     1 line in queue.ts, reverted by claude-code');
    expect(messages).toContain('The watcher did not work on network drives');
    model.stop();
    git(sandbox.repo, 'commit', '-qam', 'Poll less often');
    model = await startModel(sandbox, {
      steps: [use('mcp__backstory__recall', { query: 'why does queue.ts poll' }), text('I see.')],
    });
    claude(sandbox, model, 'why does it poll?');
    const later = model.requests().filter(({ body }) => (body.tools ?? []).length > 0);
    const recalled = JSON.stringify(later.at(-1)?.body.messages);
    expect(recalled).toContain('CHANGED since');
    expect(recalled).toContain('Tried before: 1 line in queue.ts, reverted by claude-code');
  });
});
