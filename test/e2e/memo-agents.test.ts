import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { claude, noClaude } from '../support/claude.ts';
import { type FakeModel, startModel, text } from '../support/fake-model.ts';
import { configureOpenCode, noOpenCode, openCode } from '../support/opencode.ts';
import { createSandbox, git, type Sandbox, settle } from '../support/sandbox.ts';

const lacking = noClaude ?? noOpenCode;
if (lacking !== undefined && process.env.BACKSTORY_REQUIRE_ALL === '1') throw new Error(lacking);

const lines = Array.from({ length: 40 }, (_, at) => `export const value${at} = "redis";`);
let sandbox: Sandbox;
let model: FakeModel | undefined;
const start = (): string => {
  sandbox = createSandbox(inject('installedPackage'));
  const file = join(sandbox.repo, 'queue.ts');
  writeFileSync(file, `${lines.join('\n')}\n`);
  git(sandbox.repo, 'add', '.');
  git(sandbox.repo, 'commit', '-qm', 'first');
  return file;
};
afterEach(() => {
  model?.stop();
  settle(sandbox);
  sandbox.remove();
});

/**
 * A command that waits until a hook has recorded this kind of event, because the agent does not wait for the hook. Real
 * models take longer to answer than that.
 */
const awaiting = (kind: 'read' | 'edit'): string =>
  `until grep -qs '"kind":"${kind}"' "$HOME"/.backstory/projects/*/events/*.jsonl; do sleep 0.1; done`;

/** Answers of Memo in the order in which the model received them. */
function answersIn(bodies: unknown[]): string[] {
  const received = JSON.stringify(bodies.at(-1)).replaceAll('\\', '');
  return [...received.matchAll(/"status":"(\w+)","recommendation":"(\w+)"|queue\.ts: (\w+), \w+\./g)].map(
    ([, status, recommendation, plain]) => plain ?? `${status} ${recommendation}`,
  );
}
const reads = () => sandbox.events().flatMap((event) => (event.kind === 'read' ? [event.body] : []));
const title = (agent: string, missing: string | undefined): string =>
  `Memo in the real ${agent}${missing === undefined ? '' : ` (skipped: ${missing})`}`;

describe.skipIf(noClaude !== undefined)(title('Claude Code', noClaude), () => {
  it('[memo-agents] learns what it has already seen: after a read, a change by another program, and its own edit', async () => {
    const file = start();
    expect(sandbox.cli('install', 'claude-code').status).toBe(0);
    const check = [{ type: 'tool_use', name: 'mcp__backstory__memo_check', input: { path: 'queue.ts' } }];
    const bash = (command: string) => [
      { type: 'tool_use', name: 'Bash', input: { command, description: 'x' } },
    ];
    const edit = { file_path: file, old_string: 'value5 = "redis"', new_string: 'value5 = "postgres"' };
    model = await startModel(sandbox, {
      steps: [
        check,
        [{ type: 'tool_use', name: 'Read', input: { file_path: file } }],
        bash(awaiting('read')),
        check,
        [{ type: 'tool_use', name: 'Edit', input: edit }],
        bash(awaiting('edit')),
        check,
        bash('sed -i \'s/value7 = "redis"/value7 = "sqlite"/\' queue.ts'),
        check,
        bash("sed -n '8,9p' queue.ts"),
        text('Done.'),
      ],
    });
    claude(sandbox, model, 'look at queue.ts');
    const bodies = model.requests().filter(({ body }) => (body.tools ?? []).length > 0);
    expect(answersIn(bodies.map(({ body }) => body.messages))).toEqual([
      'unknown reread',
      'fresh skip_reread',
      'fresh skip_reread',
      'stale reread_with_diff',
    ]);
    expect(JSON.stringify(bodies.at(-1)?.body.messages)).toContain('value7 = \\\\\\"sqlite');
    // The hook of the last command may end after the agent.
    await expect.poll(() => reads().length).toBe(2);
    expect(reads()).toMatchObject([
      { path: 'queue.ts', startLine: 1, lines: 40, total: 40 },
      { path: 'queue.ts', startLine: 8, lines: 2 },
    ]);
  });
});

describe.skipIf(noOpenCode !== undefined)(title('OpenCode', noOpenCode), () => {
  it('[memo-agents] learns what it has already seen', async () => {
    start();
    const tool = (name: string, args: object) => [{ type: 'tool', name, args }];
    const check = tool('backstory_memo_check', { path: 'queue.ts' });
    const edit = { filePath: 'queue.ts', oldString: 'value5 = "redis"', newString: 'value5 = "postgres"' };
    model = await startModel(
      sandbox,
      {
        steps: [
          tool('read', { filePath: 'queue.ts' }),
          tool('bash', { command: awaiting('read'), description: 'wait' }),
          check,
          tool('edit', edit),
          tool('bash', { command: awaiting('edit'), description: 'wait' }),
          check,
          text('Done.'),
        ],
      },
      'openai',
    );
    configureOpenCode(sandbox, model);
    expect(sandbox.cli('install', 'opencode').status).toBe(0);
    openCode(sandbox, 'look at queue.ts');
    const bodies = model.requests().filter(({ body }) => (body.tools ?? []).length > 0);
    expect(answersIn(bodies.map(({ body }) => body.messages))).toEqual(['fresh', 'fresh']);
  });
});
