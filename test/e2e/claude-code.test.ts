import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { claude, noClaude } from '../support/claude.ts';
import { type FakeModel, startModel, text } from '../support/fake-model.ts';
import { createSandbox, git, type Sandbox, settle } from '../support/sandbox.ts';

if (noClaude !== undefined && process.env.BACKSTORY_REQUIRE_ALL === '1') throw new Error(noClaude);

const decision =
  'We decided to keep retries in Postgres instead of Redis because Redis lost jobs on failover.';

describe.skipIf(noClaude !== undefined)(
  `the real Claude Code${noClaude === undefined ? '' : ` (skipped: ${noClaude})`}`,
  () => {
    let sandbox: Sandbox;
    let model: FakeModel | undefined;

    const start = () => {
      sandbox = createSandbox(inject('installedPackage'));
      writeFileSync(join(sandbox.repo, 'queue.ts'), 'export const backend = "redis";\n');
      git(sandbox.repo, 'add', '.');
      git(sandbox.repo, 'commit', '-qm', 'first');
      expect(sandbox.cli('install', 'claude-code').status).toBe(0);
    };
    afterEach(() => {
      model?.stop();
      sandbox.remove();
    });

    /** Texts of the project as the index returns them, deduplicated. */
    const words = (kind: string): string[] =>
      sandbox
        .json<{ hits: { kind: string; text: string }[] }>(
          'recall',
          'alpha bravo charlie delta echo',
          '--kind',
          kind,
          '--limit',
          '100',
        )
        .hits.map((hit) => hit.text)
        .sort();

    it('[e2e-capture-inject-recall] starts a new session with the decision of an earlier one, and recall returns it with its source', async () => {
      start();
      const file = join(sandbox.repo, 'queue.ts');
      model = await startModel(sandbox, {
        steps: [
          [{ type: 'tool_use', name: 'Read', input: { file_path: file } }],
          [
            {
              type: 'tool_use',
              name: 'Edit',
              input: { file_path: file, old_string: '"redis"', new_string: '"postgres"' },
            },
          ],
          text('Moved the retries to Postgres.'),
        ],
      });
      const first = claude(sandbox, model, `${decision} Please change queue.ts.`);
      model.stop();
      expect(readFileSync(file, 'utf8')).toContain('postgres');

      model = await startModel(sandbox, {
        steps: [
          [
            {
              type: 'tool_use',
              name: 'mcp__backstory__recall',
              input: { query: 'where do retries live and why' },
            },
          ],
          text('They live in Postgres.'),
        ],
      });
      const second = claude(sandbox, model, 'Where do the retries live?');
      expect(second.session_id).not.toBe(first.session_id);
      const requests = model.requests().filter(({ body }) => (body.tools ?? []).length > 0);
      const opening = JSON.stringify(requests[0]?.body);
      expect(opening).toContain('<backstory-memory');
      expect(opening).toContain(decision);
      expect(requests[0]?.body.tools?.map(({ name }) => name)).toContain('mcp__backstory__recall');
      const answer = JSON.stringify(requests[1]?.body.messages?.at(-1));
      expect(answer).toContain(decision.slice(0, 100));
      expect(answer).toContain(`claude-code session ${first.session_id.slice(0, 8)}`);

      settle(sandbox);
      const edits = sandbox.events().filter((event) => event.kind === 'edit');
      expect(edits.map(({ body }) => body.path)).toEqual(['queue.ts']);
      expect(edits[0]?.body.hunks[0]?.added).toHaveLength(1);
      // Both transcripts contain text from Backstory by now, which must not have been captured.
      expect(
        sandbox.events().filter((event) => JSON.stringify(event.body).includes('backstory-memory')),
      ).toEqual([]);
    });

    it('[e2e-one-copy] stores one copy of each turn after resume, compact, clear, fork and a subagent', async () => {
      start();
      model = await startModel(sandbox, {
        matches: [
          {
            match: 'Your task is to create a detailed summary',
            in: 'all',
            blocks: text('<summary>alpha summary</summary>'),
          },
          { match: 'SUBAGENT-MARK', in: 'all', blocks: text('echo explored') },
        ],
        steps: [
          text('alpha answered'),
          text('bravo answered'),
          text('charlie answered'),
          text('delta answered'),
          [
            {
              type: 'tool_use',
              name: 'Agent',
              input: {
                description: 'explore',
                prompt: 'SUBAGENT-MARK look for echo',
                subagent_type: 'general-purpose',
              },
            },
          ],
          text('echo answered'),
          text('echo notified'),
        ],
        noTools: '<summary>alpha summary</summary>',
      });
      const { session_id: session } = claude(sandbox, model, 'alpha prompt');
      claude(sandbox, model, 'bravo prompt', '--resume', session);
      claude(sandbox, model, '/compact', '--resume', session);
      claude(sandbox, model, 'charlie prompt', '--resume', session);
      claude(sandbox, model, '/clear', '--resume', session);
      claude(sandbox, model, 'delta prompt', '--resume', session, '--fork-session');
      claude(sandbox, model, 'echo prompt');
      settle(sandbox);

      expect(words('prompt').filter((said) => !said.includes('SUBAGENT'))).toEqual([
        'alpha prompt',
        'bravo prompt',
        'charlie prompt',
        'delta prompt',
        'echo prompt',
      ]);
      const answers = words('answer');
      for (const said of [
        'alpha answered',
        'bravo answered',
        'charlie answered',
        'delta answered',
        'echo answered',
      ]) {
        expect(
          answers.filter((answer) => answer === said),
          said,
        ).toHaveLength(1);
      }
      expect(answers.filter((answer) => answer === 'echo explored')).toHaveLength(1);
      const subagent = sandbox
        .events()
        .filter((event) => 'subagent' in event.body && event.body.subagent?.type === 'general-purpose');
      expect(subagent.length).toBeGreaterThan(0);
      expect(subagent.every(({ parentAgent }) => parentAgent !== undefined)).toBe(true);
      expect(answers.some((answer) => answer.includes('alpha summary'))).toBe(false);
    });

    it('[first-prompt] tells the first prompt of a session what the user said about the issue that it names, the next prompts nothing, and a subagent what its task names', async () => {
      start();
      const queue =
        '#5 is settled: the jobs of the retry queue no longer go to Redis, it lost jobs on failover: Postgres keeps them';
      const asked = 'where does the retry queue of #5 keep its jobs, Redis or Postgres?';
      model = await startModel(sandbox, {
        matches: [{ match: 'SUBAGENT-MARK', in: 'all', blocks: text('explored') }],
        steps: [
          text('noted'),
          text('in Postgres'),
          [
            {
              type: 'tool_use',
              name: 'Agent',
              input: {
                description: 'explore',
                prompt: `SUBAGENT-MARK ${asked}`,
                subagent_type: 'general-purpose',
              },
            },
          ],
          text('done'),
          text('notified'),
        ],
      });
      claude(sandbox, model, queue);
      settle(sandbox);
      const { session_id: session } = claude(sandbox, model, asked);
      claude(sandbox, model, 'and what does the retry queue do with lost jobs?', '--resume', session);
      settle(sandbox);
      const bodies = model
        .requests()
        .filter(({ body }) => (body.tools ?? []).length > 0)
        .map(({ body }) => JSON.stringify(body.messages));
      const told = `you: \\"${queue}\\"`;
      const timesIn = (body = ''): number => body.split(told).length - 1;
      const main = bodies.filter((body) => !body.includes('SUBAGENT-MARK'));
      // The second prompt continues the conversation, which contains the line of the first.
      expect(main.map(timesIn).slice(0, 3)).toEqual([0, 1, 1]);
      const subagent = bodies.find(
        (body) => body.startsWith('[{') && /"text":"SUBAGENT-MARK|"content":"SUBAGENT-MARK/.test(body),
      );
      expect(timesIn(subagent)).toBeGreaterThan(0);
      const events = sandbox.events();
      expect(events.filter(({ body }) => JSON.stringify(body).includes('backstory-memory'))).toEqual([]);
      const said = events.flatMap((event) => (event.kind === 'prompt' ? [event.body.text] : []));
      expect(new Set(said.filter((prompt) => prompt.includes(queue)))).toEqual(new Set([queue]));
    });

    it('[e2e-project-scope] hooks in a project capture nothing for a user who did not install Backstory', async () => {
      sandbox = createSandbox(inject('installedPackage'));
      const command = `"${process.execPath}" "${join(inject('installedPackage'), 'dist/hook.cjs')}"`;
      mkdirSync(join(sandbox.repo, '.claude'));
      writeFileSync(
        join(sandbox.repo, '.claude/settings.json'),
        JSON.stringify({ hooks: { UserPromptSubmit: [{ hooks: [{ type: 'command', command }] }] } }),
      );
      model = await startModel(sandbox, { steps: [text('done')] });
      claude(sandbox, model, 'a secret plan');
      expect(() => readFileSync(join(sandbox.home, '.backstory/config.json'))).toThrow();
      expect(() => sandbox.projectFolder()).toThrow();
    });
  },
);
