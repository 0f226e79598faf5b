import { spawnSync } from 'node:child_process';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { pastSessionCount, writePastSessions } from '../support/past-sessions.ts';
import { createSandbox, type Sandbox } from '../support/sandbox.ts';

/** The commands at the top of the README, in order. */
const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(readFileSync('README.md', 'utf8')) ?? [];
const commands = block.trim().split('\n');

/** npm puts global commands elsewhere on Windows. */
describe.skipIf(process.platform === 'win32')('the quick start of the README', () => {
  let sandbox: Sandbox;
  afterEach(() => sandbox.remove());

  it('[quick-start] answers from the past sessions within a minute; only its optional line asks something', () => {
    sandbox = createSandbox(inject('installedPackage'));
    expect(readdirSync(sandbox.home)).toEqual(['repo']);
    writePastSessions(sandbox);
    expect(commands).toHaveLength(4);
    expect(commands[2]).toMatch(/^backstory learn .*optional/);
    expect(commands[0]).toMatch(/^npm install -g backstory && backstory install claude-code\b/);
    // The packed package instead of the published one, into a folder of this test.
    const packed = globSync(join(inject('installedPackage'), '../../..', '*.tgz'))[0] as string;
    const prefix = join(sandbox.home, 'global');
    const env = {
      ...sandbox.env,
      npm_config_prefix: prefix,
      PATH: `${join(prefix, 'bin')}:${dirname(process.execPath)}:${sandbox.env.PATH}`,
    };
    let cpuSeconds = 0;
    const outputs = commands.toSpliced(2, 1).map((command) => {
      const line = command.replace('install -g backstory', `install -g --offline --silent ${packed}`);
      // Closed input: a command that asks something would fail.
      const ran = spawnSync('bash', ['-c', `trap 'times >&2' EXIT; ${line}`], {
        cwd: sandbox.repo,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
        encoding: 'utf8',
      });
      expect(ran.status, `${command}: ${ran.stdout}${ran.stderr}`).toBe(0);
      // The second line of `times` is the CPU time of the programs, which is the same on a busy machine.
      const [, minutes, seconds] = /\n(\d+)m([\d.]+)s \d+m[\d.]+s\n$/.exec(ran.stderr) ?? [];
      cpuSeconds += 60 * Number(minutes) + Number(seconds);
      return ran.stdout;
    });
    expect(outputs[1]).toContain(`from ${pastSessionCount} transcripts of 1 project`);
    expect(outputs[2]?.split('\n').slice(0, 2).join('\n')).toContain('because Redis lost jobs on failover');
    expect(cpuSeconds).toBeLessThan(60);
  });
});
