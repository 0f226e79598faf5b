import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { minNodeVersion } from '../../src/base/node-version.ts';
import { commandNames } from '../../src/cli/commands.ts';
import { claude, noClaude } from '../support/claude.ts';
import { startModel, text } from '../support/fake-model.ts';
import { createSandbox, type Sandbox, storedFiles } from '../support/sandbox.ts';

const dist = join(inject('installedPackage'), 'dist');
let sandbox: Sandbox;
beforeEach(() => {
  sandbox = createSandbox(inject('installedPackage'));
});
afterEach(() => sandbox.remove());

const nodeOf = (major: number): string =>
  join(homedir(), '.cache/backstory-tools', `node-${major}`, 'node_modules/node/bin/node');

/** The first version with ES modules, and the last two majors below the minimum. */
for (const major of [12, 18, 20]) {
  const node = nodeOf(major);
  const missing = existsSync(node) ? undefined : `Node ${major} is not installed; .ci/run installs it`;
  if (missing !== undefined && process.env.BACKSTORY_REQUIRE_ALL === '1') throw new Error(missing);

  describe.skipIf(missing !== undefined)(
    `On Node ${major}${missing === undefined ? '' : ` (${missing})`}`,
    () => {
      const run = (program: string, args: string[], input = '') =>
        spawnSync(node, [join(dist, program), ...args], {
          cwd: sandbox.repo,
          env: sandbox.env,
          input,
          encoding: 'utf8',
        });
      const line = new RegExp(
        `^Backstory needs Node ${minNodeVersion} or newer, but ${node} is v${major}\\.\\d+\\.\\d+\\. Install Node 24, then run: [^\\n]*\\n$`,
      );

      it('[old-node] every command says so in one line and does nothing, install included', () => {
        // Loading is the same for all commands, so one version is enough for the whole list.
        const calls =
          major === 20 ? commandNames.map((name) => [name]) : [['status'], ['mcp'], ['team', 'serve']];
        for (const args of [...calls, ['install', 'claude-code'], ['--version'], []]) {
          const { status, stdout, stderr } = run('main.js', args);
          expect([status, stdout, stderr], args.join(' ')).toEqual([1, '', expect.stringMatching(line)]);
        }
        expect(readdirSync(sandbox.home)).toEqual(['repo']);
      });

      it('[old-node] the MCP server that agents start says so', () => {
        expect(run('mcp.js', [])).toMatchObject({
          status: 1,
          stdout: '',
          stderr: expect.stringMatching(line),
        });
      });

      it('[old-node] the hook says so, exits 0 and writes nothing, and says nothing if it is not installed', () => {
        const input = JSON.stringify({ hook_event_name: 'SessionStart', session_id: 's', cwd: sandbox.repo });
        expect(run('hook.cjs', [], input)).toMatchObject({ status: 0, stdout: '', stderr: '' });
        expect(sandbox.cli('install', 'claude-code').status).toBe(0);
        const before = storedFiles(sandbox);
        const { status, stdout, stderr } = run('hook.cjs', [], input);
        expect([status, stderr]).toEqual([0, expect.stringMatching(line)]);
        expect(JSON.parse(stdout)).toEqual({ systemMessage: stderr.trimEnd() });
        const other = run('hook.cjs', [], input.replace('SessionStart', 'Stop'));
        expect([other.status, other.stdout, other.stderr]).toEqual([0, '', stderr]);
        expect(storedFiles(sandbox)).toEqual(before);
      });

      it('[old-node] doctor shows the line if the installed hook starts the old Node', () => {
        expect(sandbox.cli('install', 'claude-code').status).toBe(0);
        const records = join(sandbox.home, '.backstory/installs.json');
        const old = storedFiles(sandbox).get(records) as string;
        writeFileSync(records, old.replaceAll(process.execPath, node));
        const { status, stdout } = sandbox.cli('doctor');
        expect(status).toBe(1);
        expect(stdout).toContain(
          `FAIL Capture: Backstory needs Node ${minNodeVersion} or newer, but ${node}`,
        );
      });
    },
  );
}

describe.skipIf(noClaude !== undefined || !existsSync(nodeOf(20)))('The real Claude Code', () => {
  it('[old-node] shows its user that the hook runs on an old Node', async () => {
    expect(sandbox.cli('install', 'claude-code').status).toBe(0);
    const settings = join(sandbox.home, '.claude/settings.json');
    writeFileSync(settings, readFileSync(settings, 'utf8').replaceAll(process.execPath, nodeOf(20)));
    const model = await startModel(sandbox, { steps: [text('an answer')] });
    try {
      expect(claude(sandbox, model, 'hello').result).toBe('an answer');
      const transcripts = globSync(join(sandbox.home, '.claude/projects/*/*.jsonl'));
      const entries = transcripts.map((path) => readFileSync(path, 'utf8')).join('');
      expect(entries).toContain(
        `{"type":"hook_system_message","content":"Backstory needs Node ${minNodeVersion}`,
      );
    } finally {
      model.stop();
    }
  });
});
