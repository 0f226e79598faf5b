import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { embedded, type Hostile } from '../faults/provenance/placements.ts';
import { workInClone } from '../faults/provenance/real-claude.ts';
import { noClaude } from '../support/claude.ts';
import { hookCalls } from '../support/hook-calls.ts';
import { plantPrograms } from '../support/hostile-config.ts';
import { createSandbox, filesUnder, git, type Sandbox } from '../support/sandbox.ts';

if (noClaude !== undefined && process.env.BACKSTORY_REQUIRE_ALL === '1') throw new Error(noClaude);

const remote = 'git@example.org:acme/app.git';
const secret = 'We decided to keep the code name Bluebird out of invoices because legal asked.';

describe('a clone with a folder that looks like a git directory', () => {
  let sandbox: Sandbox;
  afterEach(() => sandbox.remove());

  /** The user's own project with a decision, and a hostile clone that names its remote. */
  function start() {
    sandbox = createSandbox(inject('installedPackage'));
    git(sandbox.repo, 'commit', '-q', '--allow-empty', '-m', 'one');
    git(sandbox.repo, 'remote', 'add', 'origin', remote);
    expect(sandbox.cli('install', 'claude-code').status).toBe(0);
    expect(sandbox.cli('remember', secret).status).toBe(0);
    const [folder, programs] = ['hostile', 'programs'].map((name) => join(sandbox.home, name)) as [
      string,
      string,
    ];
    for (const path of [folder, programs]) mkdirSync(path);
    const traps = plantPrograms(programs);
    const hostile: Hostile = {
      folder,
      victim: sandbox.repo,
      url: remote,
      email: 't@example.org',
      mark: 'HOSTILE-MARK',
      traps,
      without: /^$/,
    };
    return { docs: embedded.make(hostile), traps };
  }

  it('[git-embedded] runs no program, reads nothing of another project and writes nothing to it', () => {
    const { docs, traps } = start();
    const outputs = hookCalls(docs).map((call) => sandbox.hook(call).stdout);
    const drained = sandbox.cliIn(docs, 'drain');
    const received = [
      'status',
      'prelude',
      'recall code name',
      'why a.ts:2',
      'brief',
      'pack charge',
      'import git',
    ].map((command) => sandbox.cliIn(docs, ...command.split(' ')).stdout);
    expect(drained.status, drained.stderr).toBe(0);
    expect(traps.programsRun()).toEqual([]);
    expect([...outputs, ...received].join('\n')).not.toContain('Bluebird');
    expect(received[0]).toContain(dirname(docs));
    for (const { path, bytes } of filesUnder(join(sandbox.home, '.backstory', 'projects')))
      expect(bytes.includes('HOSTILE-MARK'), path).toBe(false);
    expect(sandbox.cli('prelude').stdout).toContain('Bluebird');
    expect(sandbox.cli('prelude').stdout).not.toContain('retries in Postgres');
  });

  it.skipIf(noClaude !== undefined)(
    `[git-embedded] stays harmless when the real Claude Code goes into it${noClaude === undefined ? '' : ` (skipped: ${noClaude})`}`,
    async () => {
      const { docs, traps } = start();
      const { told } = await workInClone(sandbox, docs);
      const drained = sandbox.cliIn(docs, 'drain');
      expect(drained.status, drained.stderr).toBe(0);
      expect(traps.programsRun().filter(({ by }) => by.includes('backstory/dist'))).toEqual([]);
      expect(told).toContain('Which documents are there?');
      expect(told).not.toContain('Bluebird');
      expect(sandbox.cli('prelude').stdout).not.toContain('HOSTILE-MARK');
    },
  );

  it('[project-shared-commit] is reported as a separate project if it names the remote of another', () => {
    start();
    const stranger = join(sandbox.home, 'stranger');
    mkdirSync(stranger);
    git(stranger, 'init', '-q');
    git(stranger, 'commit', '-q', '--allow-empty', '-m', 'other');
    git(stranger, 'remote', 'add', 'origin', remote);
    const { stdout } = sandbox.cliIn(stranger, 'status');
    const command = /backstory project link (\w+) (\w+)/.exec(stdout);
    expect(stdout).toContain('same remote URL as app');
    sandbox.cliIn(stranger, 'remember', 'Invoices are sent on Mondays.');
    expect(sandbox.cliIn(stranger, 'recall', 'code name').stdout).not.toContain('Bluebird');
    expect(sandbox.cliIn(stranger, 'project', 'link', command?.[1] ?? '', command?.[2] ?? '').status).toBe(0);
    expect(sandbox.cliIn(stranger, 'recall', 'code name').stdout).toContain('Bluebird');
    expect(sandbox.cliIn(stranger, 'status').stdout).not.toContain('project link');
  });
});
