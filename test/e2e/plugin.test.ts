import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { claude, claudeBinary, noClaude } from '../support/claude.ts';
import { codex, codexBinary, configureCodex, noCodex } from '../support/codex.ts';
import { type FakeModel, startModel, text } from '../support/fake-model.ts';
import { configureOpenCode, noOpenCode, openCode } from '../support/opencode.ts';
import { configurePi, noPi, pi, piProgram } from '../support/pi.ts';
import { createSandbox, type Sandbox, settle } from '../support/sandbox.ts';

const missing = noClaude ?? noCodex ?? noOpenCode ?? noPi('1.5.0');
if (missing !== undefined && process.env.BACKSTORY_REQUIRE_ALL === '1') throw new Error(missing);

const marketplace = resolve('.');
const versionIn = (path: string) => (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;

describe.skipIf(missing !== undefined)(
  `the plugin directory${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    let sandbox: Sandbox;
    let model: FakeModel | undefined;
    afterEach(() => {
      model?.stop();
      sandbox.remove();
    });

    /** npm would put both commands on PATH. */
    const start = () => {
      sandbox = createSandbox(inject('installedPackage'));
      const commands = join(sandbox.home, 'commands');
      mkdirSync(commands);
      const dist = join(inject('installedPackage'), 'dist');
      symlinkSync(join(dist, 'main.js'), join(commands, 'backstory'));
      symlinkSync(join(dist, 'hook.cjs'), join(commands, 'backstory-hook'));
      sandbox.env.PATH = `${commands}:${sandbox.env.PATH}`;
    };
    /** A program of the checkout, in the folder that npm puts first in PATH. Returns the file that it would create. */
    const plantImpostor = (): string => {
      const folder = join(sandbox.repo, 'node_modules/.bin');
      const trace = join(sandbox.home, 'impostor-ran');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'backstory-hook'), `#!/bin/sh\ntouch '${trace}'\n`, { mode: 0o755 });
      sandbox.env.PATH = `${folder}:${sandbox.env.PATH}`;
      return trace;
    };
    const run = (program: string, ...args: string[]): string => {
      const { status, stdout, stderr } = spawnSync(program, args, {
        cwd: sandbox.repo,
        env: { ...sandbox.env, CODEX_HOME: join(sandbox.home, '.codex') },
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(`${args.join(' ')}: ${stdout}${stderr}`);
      return stdout;
    };
    const kinds = () => sandbox.events().map(({ kind }) => kind);

    it("[plugin-valid] passes Claude Code's validation and has the version of this package", () => {
      start();
      expect(run(claudeBinary, 'plugin', 'validate', '--strict', marketplace)).toContain('Validation passed');
      const plugin = join(marketplace, 'plugins/backstory');
      expect(run(claudeBinary, 'plugin', 'validate', '--strict', plugin)).toContain('Validation passed');
      const version = versionIn('package.json');
      expect(versionIn(join(plugin, '.claude-plugin/plugin.json'))).toBe(version);
    });

    it('[plugin-captures] gives Claude Code its hooks and tool once the user has agreed, and nothing before', async () => {
      start();
      run(claudeBinary, 'plugin', 'marketplace', 'add', marketplace);
      run(claudeBinary, 'plugin', 'install', 'backstory@backstory');
      model = await startModel(sandbox, { steps: [text('first answer'), text('second answer')] });
      claude(sandbox, model, 'before any word was given');
      expect(() => sandbox.projectFolder()).toThrow();
      expect(sandbox.cli('install', 'claude-code').status).toBe(0);
      expect(sandbox.cli('install', 'claude-code', '--plugin').status).toBe(0);
      expect(readFileSync(join(sandbox.home, '.claude/settings.json'), 'utf8')).not.toContain('hook.cjs');
      claude(sandbox, model, 'a question through the plugin');
      settle(sandbox);
      expect(kinds()).toEqual(expect.arrayContaining(['session', 'prompt', 'answer']));
      expect(kinds().filter((kind) => kind === 'session')).toHaveLength(2);
      const { tools = [] } =
        model.requests().findLast(({ body }) => (body.tools ?? []).length > 0)?.body ?? {};
      expect(tools.map(({ name }) => name)).toContain('mcp__plugin_backstory_backstory__recall');
    });

    it('[plugin-codex] gives Codex the same', async () => {
      start();
      model = await startModel(sandbox, { steps: [text('codex answer')] }, 'openai');
      configureCodex(sandbox, model);
      run(codexBinary, 'plugin', 'marketplace', 'add', marketplace);
      run(codexBinary, 'plugin', 'add', 'backstory@backstory');
      expect(sandbox.cli('install', 'codex', '--plugin').status).toBe(0);
      codex(sandbox, ['a question through the plugin']);
      settle(sandbox);
      expect(kinds()).toEqual(expect.arrayContaining(['session', 'prompt', 'answer']));
    });

    it('[package-opencode] is also the npm package, which gives OpenCode capture and the tools', async () => {
      start();
      model = await startModel(sandbox, { steps: [text('opencode answer')] }, 'openai');
      configureOpenCode(sandbox, model);
      const settings = join(sandbox.home, '.config/opencode/opencode.jsonc');
      const before = readFileSync(settings, 'utf8');
      const plugin = JSON.stringify(`file://${inject('installedPackage')}`);
      writeFileSync(settings, before.replace('"autoupdate"', `"plugin": [${plugin}],\n  "autoupdate"`));
      expect(sandbox.cli('install', 'opencode', '--plugin').status).toBe(0);
      const trace = plantImpostor();
      openCode(sandbox, 'a question through the package');
      expect(existsSync(trace)).toBe(false);
      settle(sandbox);
      expect(kinds()).toEqual(expect.arrayContaining(['session', 'prompt', 'answer']));
      expect(JSON.stringify(model.requests().map(({ body }) => body.tools))).toContain('backstory_recall');
    });

    it('[package-pi] is also the npm package, which gives Pi capture, the recall tool and the skill', async () => {
      start();
      model = await startModel(sandbox, { steps: [text('pi answer')] }, 'openai');
      configurePi(sandbox, model);
      expect(run(process.execPath, piProgram('1.5.0'), 'install', inject('installedPackage'))).toContain(
        'Installed',
      );
      expect(sandbox.cli('install', 'pi', '--plugin').status).toBe(0);
      const trace = plantImpostor();
      pi(sandbox, '1.5.0', 'a question through the package');
      expect(existsSync(trace)).toBe(false);
      settle(sandbox);
      expect(kinds()).toEqual(expect.arrayContaining(['session', 'prompt', 'answer']));
      const asked = JSON.stringify(model.requests().map(({ body }) => body));
      expect(asked).toContain('Search the memory of this project');
      expect(asked).toContain('skills/backstory/SKILL.md');
    });
  },
);
