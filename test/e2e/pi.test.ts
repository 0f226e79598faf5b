import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { recalled, soundEvents } from '../support/captured.ts';
import { type FakeModel, startModel, text, tool } from '../support/fake-model.ts';
import { configurePi, noPi, type PiVersion, pi } from '../support/pi.ts';
import { createSandbox, filesUnder, git, type Sandbox, settle } from '../support/sandbox.ts';

const decision = 'We decided to keep the queue in one process because two of them reordered the jobs.';
const versions: PiVersion[] = ['1.5.0', '0.73.1'];

for (const version of versions) {
  const missing = noPi(version);
  if (missing !== undefined && process.env.BACKSTORY_REQUIRE_ALL === '1') throw new Error(missing);

  describe.skipIf(missing !== undefined)(
    `the real Pi ${version}${missing === undefined ? '' : ` (skipped: ${missing})`}`,
    () => {
      let sandbox: Sandbox;
      let model: FakeModel | undefined;
      const start = async (script: Parameters<typeof startModel>[1]): Promise<FakeModel> => {
        sandbox = createSandbox(inject('installedPackage'));
        writeFileSync(join(sandbox.repo, 'queue.ts'), 'export const queues = 2;\n');
        git(sandbox.repo, 'add', '.');
        git(sandbox.repo, 'commit', '-qm', 'first');
        model = await startModel(sandbox, script, 'openai');
        configurePi(sandbox, model);
        expect(sandbox.cli('install', 'pi').status).toBe(0);
        return model;
      };
      afterEach(() => {
        model?.stop();
        sandbox.remove();
      });

      it('[pi-capture] records each turn once, with edits and exit status, across resume and fork, and the next session starts with it', async () => {
        const recall = version === '1.5.0' ? 'mcp__backstory__recall' : 'recall';
        const running = await start({
          steps: [
            tool('read', { path: 'queue.ts' }),
            tool('edit', { path: 'queue.ts', edits: [{ oldText: '= 2', newText: '= 1' }] }),
            tool('write', { path: 'docs/queue.md', content: 'one process\n' }),
            tool('bash', { command: 'echo broken; exit 3' }),
            text('One queue now.'),
            text('Second answer.'),
            text('Third answer.'),
            tool(recall, { query: 'queue process jobs' }),
            text('Understood.'),
          ],
        });
        pi(sandbox, version, `${decision} Please change it.`);
        pi(sandbox, version, 'second question', '--continue');
        const [file] = [...filesUnder(join(sandbox.home, '.pi/agent/sessions'))];
        pi(sandbox, version, 'third question', '--fork', file?.path ?? '');
        settle(sandbox);
        const events = soundEvents(sandbox);
        const edits = events.flatMap((event) => (event.kind === 'edit' ? [event.body] : []));
        expect(edits.map(({ path }) => path).sort()).toEqual(['docs/queue.md', 'queue.ts']);
        expect(edits.find(({ path }) => path === 'queue.ts')?.hunks).toMatchObject([
          { oldStart: 1, newStart: 1, added: [expect.any(String)], removed: [expect.any(String)] },
        ]);
        const commands = events.flatMap((event) => (event.kind === 'command' ? [event.body] : []));
        expect(commands).toMatchObject([
          { command: 'echo broken; exit 3', ok: false, exit: 3, output: 'broken' },
        ]);
        expect(recalled(sandbox, 'prompt')).toEqual([
          `${decision} Please change it.`,
          'second question',
          'third question',
        ]);
        expect(recalled(sandbox, 'answer')).toEqual(['One queue now.', 'Second answer.', 'Third answer.']);

        const before = running.requests().length;
        pi(sandbox, version, 'what about the queue?');
        const requests = running.requests().slice(before);
        const opening = JSON.stringify(requests[0]?.body.messages);
        expect(opening).toContain('<backstory-memory');
        expect(opening).toContain(decision);
        expect(requests[0]?.body.tools?.map((each) => each.function?.name)).toContain(recall);
        expect(JSON.stringify(requests.at(-1)?.body.messages?.at(-1))).toContain('reordered the jobs');
        settle(sandbox);
        soundEvents(sandbox);
      });

      it('[pi-install] works after uninstall removed the extension and server, and without the program', async () => {
        await start({ steps: [text('done')] });
        const extension = join(sandbox.home, '.pi/agent/extensions/backstory.ts');
        const whole = readFileSync(extension, 'utf8');
        writeFileSync(extension, whole.replace('hook.cjs', 'gone.cjs'));
        expect(pi(sandbox, version, 'hello')).toContain('done');
        expect(sandbox.cli('doctor').stdout).toContain('--repair');
        expect(sandbox.cli('install', 'pi', '--repair').status).toBe(0);
        expect(readFileSync(extension, 'utf8')).toBe(whole);
        expect(sandbox.cli('uninstall', 'pi').status).toBe(0);
        const left = [...filesUnder(join(sandbox.home, '.pi'))].map(({ path }) => path);
        expect(left.filter((path) => /extensions|mcp\.json/.test(path))).toEqual([]);
      });
    },
  );
}
