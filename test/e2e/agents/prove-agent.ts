import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type AgentDriver, runAgent } from '../../support/agents/driver.ts';
import { recalled, soundEvents } from '../../support/captured.ts';
import { type FakeModel, type ModelRequest, startModel, text } from '../../support/fake-model.ts';
import { createSandbox, git, type Sandbox, settle } from '../../support/sandbox.ts';

const decision = 'We decided to keep the cache in memory because the disk cache served stale pages.';
const first = `${decision} Please change it.`;

/**
 * Proves with the real program what docs/reference/agents.md claims of an agent: one test for each column. Two sessions
 * are enough for all of them, because starting an agent takes seconds.
 */
export function proveAgent(driver: AgentDriver): void {
  const { agent, title, missing, steps, sideRequests = [], installOptions = [] } = driver;
  if (missing !== undefined && process.env.BACKSTORY_REQUIRE_ALL === '1') throw new Error(missing);
  const suffix = missing === undefined ? '' : ` (skipped: ${missing})`;

  describe.skipIf(missing !== undefined)(`the real ${title}${suffix}`, () => {
    let sandbox: Sandbox;
    let model: FakeModel;
    /** The requests of the second session that offer tools, in order. */
    let second: ModelRequest[] = [];
    type Settings = Map<string, string | undefined>;
    let [before, installed, installedAgain, uninstalled]: Settings[] = [];
    const settingsNow = (): Settings =>
      new Map(driver.settings.map((file) => [file, readIfThere(join(sandbox.home, file))]));

    beforeAll(async () => {
      sandbox = createSandbox(inject('installedPackage'));
      const cache = join(sandbox.repo, 'cache.ts');
      writeFileSync(cache, 'export const cache = "disk";\nexport const size = 1;\n');
      mkdirSync(join(sandbox.repo, 'docs'));
      git(sandbox.repo, 'add', '.');
      git(sandbox.repo, 'commit', '-qm', 'first');
      const recalling = steps.recall('cache disk memory');
      const script = join(sandbox.home, 'run.sh');
      model = await startModel(
        sandbox,
        {
          matches: sideRequests.map((match) => ({ match, blocks: text('Title') })),
          steps: [
            ...steps.read(cache),
            ...steps.replace(cache, '"disk"', '"memory"'),
            ...steps.write(join(sandbox.repo, 'docs/cache.md'), 'in memory\n'),
            ...steps.command(`sh ${script}`),
            ...steps.answer('Moved the cache.'),
            ...recalling,
            // An agent may call the model while its MCP servers are still starting. Then the first call is too early.
            {
              ifSaid: [`${agent} session`],
              blocks: steps.answer('Understood.')[0] ?? [],
              otherwise: recalling.at(-1) ?? [],
            },
          ],
        },
        driver.api,
      );
      driver.configure(sandbox, model);
      // Before the first session, because agents rewrite their settings too.
      before = settingsNow();
      expect(sandbox.cli('install', agent, ...installOptions).status).toBe(0);
      installed = settingsNow();
      expect(sandbox.cli('install', agent, ...installOptions).status).toBe(0);
      installedAgain = settingsNow();
      expect(sandbox.cli('uninstall', agent).status).toBe(0);
      uninstalled = settingsNow();
      expect(sandbox.cli('install', agent, ...installOptions).status).toBe(0);
      const { id } = JSON.parse(
        sandbox.unattended({}, 'remember', 'The walrus feeds at noon.', '--json').stdout,
      ) as { id: string };
      const main = `${process.execPath} ${join(inject('installedPackage'), 'dist/main.js')}`;
      writeFileSync(
        script,
        `env -i HOME="$HOME" PATH="$PATH" ${main} edit --pin ${id} >${sandbox.home}/out 2>&1\n${main} edit --pin ${id} >>${sandbox.home}/out 2>&1\necho broken\nexit 3\n`,
      );
      runAgent(driver, sandbox, model, first);
      settle(sandbox);
      // A hook that the agent does not wait for may start its own drain only later.
      sandbox.cli('drain', '--project', basename(sandbox.projectFolder()));
      settle(sandbox);
      const count = model.requests().length;
      runAgent(driver, sandbox, model, 'What about the cache?');
      second = model
        .requests()
        .slice(count)
        .filter(({ body }) => (body.tools ?? []).length > 0)
        .filter(({ body }) => !sideRequests.some((sign) => JSON.stringify(body).includes(sign)));
      settle(sandbox);
    });
    afterAll(() => {
      model?.stop();
      sandbox?.remove();
    });

    it('[agent-capture] prompts and answers are captured once, and nothing that Backstory said', () => {
      expect(recalled(sandbox, 'prompt')).toEqual(['What about the cache?', first].sort());
      expect(recalled(sandbox, 'answer')).toEqual(['Moved the cache.', 'Understood.']);
      const events = soundEvents(sandbox);
      expect(new Set(events.map((event) => event.agent).filter((name) => name !== 'backstory'))).toEqual(
        new Set([agent]),
      );
    });

    it('[agent-edits] edits and commands are captured with their lines and exit status', () => {
      const events = soundEvents(sandbox);
      const edits = events.flatMap((event) => (event.kind === 'edit' ? [event.body] : []));
      expect(edits.map(({ path }) => path).sort()).toEqual(['cache.ts', 'docs/cache.md']);
      expect(edits.find(({ path }) => path === 'cache.ts')?.hunks).toMatchObject([
        { added: [expect.any(String)], removed: [expect.any(String)] },
      ]);
      expect(edits.find(({ path }) => path === 'docs/cache.md')?.hunks[0]?.added).toHaveLength(1);
      const commands = events.flatMap((event) => (event.kind === 'command' ? [event.body] : []));
      expect(commands).toMatchObject([{ ok: false, exit: 3, output: expect.stringContaining('broken') }]);
      const prompt = events.findLast((event) => event.kind === 'prompt' && event.body.text === first);
      const turns = [prompt?.body, ...edits, ...commands].map((body) => body && 'turn' in body && body.turn);
      expect(new Set(turns).size).toBe(1);
    });

    it('[agent-prelude] the next session has the decision of this one', () => {
      const opening = JSON.stringify(second[driver.prelude === 'at once' ? 0 : 1]?.body);
      // Qwen Code escapes the bracket.
      expect(/(?:<|&lt;)backstory-memory/.test(opening)).toBe(true);
      expect(opening.includes(decision)).toBe(true);
    });

    it('[agent-recall] the model can call recall and gets the decision with its source', () => {
      const answer = JSON.stringify(second.at(-1)?.body);
      expect(answer.includes(`${agent} session`)).toBe(true);
    });

    it('[agent-shell] a command of the agent cannot approve a note, with or without its environment', () => {
      const output = readFileSync(join(sandbox.home, 'out'), 'utf8');
      expect(
        output.match(
          new RegExp(`needs a person, but this command was started by an agent \\(${agent}:`, 'g'),
        ),
      ).toHaveLength(2);
    });

    it('[agent-doctor] doctor finds nothing to repair', () => {
      const { status, stdout } = sandbox.cli('doctor');
      expect(stdout).not.toContain('FAIL');
      expect(stdout).toContain(`${agent} sessions: last captured`);
      expect(stdout).not.toContain('unknown types');
      expect(status).toBe(0);
    });

    it('[agent-import] sessions from before the installation are imported', () => {
      rmSync(join(sandbox.home, '.backstory', 'projects'), { recursive: true });
      rmSync(join(sandbox.home, '.backstory', 'paths'), { recursive: true });
      expect(sandbox.cli('import', agent).status).toBe(0);
      expect(recalled(sandbox, 'prompt')).toEqual(['What about the cache?', first].sort());
      expect(recalled(sandbox, 'answer')).toEqual(['Moved the cache.', 'Understood.']);
      const edits = soundEvents(sandbox).flatMap((event) => (event.kind === 'edit' ? [event.body.path] : []));
      expect(edits.sort()).toEqual(['cache.ts', 'docs/cache.md']);
    });

    it('[agent-uninstall] uninstall restores the settings byte for byte', () => {
      expect(installed).not.toEqual(before);
      expect(installedAgain).toEqual(installed);
      expect(uninstalled).toEqual(before);
      expect(sandbox.cli('uninstall', agent).status).toBe(0);
      for (const settings of settingsNow().values())
        expect(settings ?? '').not.toContain(inject('installedPackage'));
    });
  });
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
