import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { recalled, soundEvents } from '../support/captured.ts';
import { type FakeModel, startModel, text, tool } from '../support/fake-model.ts';
import { configureOpenCode, noOpenCode, openCode } from '../support/opencode.ts';
import { createSandbox, git, type Sandbox, settle } from '../support/sandbox.ts';

if (noOpenCode !== undefined && process.env.BACKSTORY_REQUIRE_ALL === '1') throw new Error(noOpenCode);

const decision = 'We decided to keep the cache in memory because the disk cache served stale pages.';

describe.skipIf(noOpenCode !== undefined)(
  `the real OpenCode${noOpenCode === undefined ? '' : ` (skipped: ${noOpenCode})`}`,
  () => {
    let sandbox: Sandbox;
    let model: FakeModel | undefined;
    const start = async (script: Parameters<typeof startModel>[1]): Promise<FakeModel> => {
      sandbox = createSandbox(inject('installedPackage'));
      writeFileSync(join(sandbox.repo, 'cache.ts'), 'export const cache = "disk";\n');
      git(sandbox.repo, 'add', '.');
      git(sandbox.repo, 'commit', '-qm', 'first');
      model = await startModel(sandbox, script, 'openai');
      configureOpenCode(sandbox, model);
      expect(sandbox.cli('install', 'opencode').status).toBe(0);
      return model;
    };
    afterEach(() => {
      model?.stop();
      sandbox.remove();
    });

    it('[opencode-capture] records each turn once, with edits, exit status and subagents, across resume and fork, and the next session starts with it', async () => {
      const file = 'cache.ts';
      const running = await start({
        matches: [{ match: 'SUBAGENT-MARK look"}', blocks: text('echo explored') }],
        steps: [
          tool('read', { filePath: file }),
          tool('edit', { filePath: file, oldString: '"disk"', newString: '"memory"' }),
          tool('write', { filePath: 'docs/cache.md', content: 'in memory\n' }),
          tool('bash', { command: 'echo broken; exit 3', description: 'fail' }),
          tool('task', { description: 'look', prompt: 'SUBAGENT-MARK look', subagent_type: 'general' }),
          text('Moved the cache.'),
          text('Second answer.'),
          text('Third answer.'),
          tool('backstory_recall', { query: 'cache disk memory' }),
          text('Understood.'),
        ],
      });
      const { session } = openCode(sandbox, `${decision} Please change it.`);
      openCode(sandbox, 'second question', '--session', session);
      openCode(sandbox, 'third question', '--session', session, '--fork');
      settle(sandbox);
      const events = soundEvents(sandbox);
      const edits = events.flatMap((event) => (event.kind === 'edit' ? [event.body] : []));
      expect(edits.map(({ path }) => path).sort()).toEqual(['cache.ts', 'docs/cache.md']);
      expect(edits.find(({ path }) => path === file)?.hunks).toMatchObject([{ oldStart: 1, newStart: 1 }]);
      const commands = events.flatMap((event) => (event.kind === 'command' ? [event.body] : []));
      expect(commands).toMatchObject([
        { command: 'echo broken; exit 3', ok: false, exit: 3, output: 'broken\n' },
      ]);
      const ofSubagent = events.filter(({ body }) => 'subagent' in body && body.subagent?.type === 'general');
      expect(ofSubagent.map(({ kind }) => kind).sort()).toEqual(['answer', 'prompt', 'usage']);
      expect(ofSubagent.every(({ parentAgent, trust }) => parentAgent === session && trust === 1)).toBe(true);
      expect(recalled(sandbox, 'prompt')).toEqual([
        // Part of the same turn, so it is returned too, although it has none of the words.
        'SUBAGENT-MARK look',
        `${decision} Please change it.`,
        'second question',
        'third question',
      ]);
      expect(recalled(sandbox, 'answer')).toEqual([
        'Moved the cache.',
        'Second answer.',
        'Third answer.',
        'echo explored',
      ]);

      const before = running.requests().length;
      openCode(sandbox, 'what about the cache?');
      const requests = running
        .requests()
        .slice(before)
        .filter(({ body }) => (body.tools ?? []).length > 0);
      const opening = JSON.stringify(requests[0]?.body.messages);
      expect(opening).toContain('<backstory-memory');
      expect(opening).toContain(decision);
      expect(JSON.stringify(requests.at(-1)?.body.messages)).toContain(
        `opencode session ${session.slice(0, 8)}`,
      );
      settle(sandbox);
      soundEvents(sandbox);
    });

    it('[opencode-off] works normally when Backstory is turned off or its program is gone', async () => {
      await start({ steps: [text('done')] });
      sandbox.cli('capture', 'off');
      openCode(sandbox, 'a secret plan');
      expect(sandbox.events().filter(({ kind }) => kind === 'prompt')).toEqual([]);
      const plugin = join(sandbox.home, '.config/opencode/plugins/backstory.js');
      writeFileSync(plugin, readFileSync(plugin, 'utf8').replace(/hook\.cjs/, 'gone.cjs'));
      expect(openCode(sandbox, 'hello').stdout).toContain('done');
    });
  },
);
