import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { claudeBinary, claudeEnvironment, noClaude } from '../support/claude.ts';
import { type FakeModel, startModel, text } from '../support/fake-model.ts';
import { typeAtTerminal } from '../support/person.ts';
import { createSandbox, type Sandbox, settle } from '../support/sandbox.ts';
import { pageAsRun } from '../support/typed-page.ts';

if (noClaude !== undefined && process.env.BACKSTORY_REQUIRE_ALL === '1') throw new Error(noClaude);

/** `npx vitest run test/e2e/tutorial.test.ts -u` writes the current output into the page. */
const page = '../../docs/tutorial.md';

describe.skipIf(noClaude !== undefined)(
  `The tutorial${noClaude === undefined ? '' : ` (skipped: ${noClaude})`}`,
  () => {
    let sandbox: Sandbox;
    let model: FakeModel;
    let env: Record<string, string>;
    let shop: string;

    beforeEach(async () => {
      sandbox = createSandbox(inject('installedPackage'));
      shop = join(sandbox.home, 'shop');
      model = await startModel(sandbox, { steps: edit(join(shop, 'queue.js')) });
      env = userEnvironment();
    });

    afterEach(() => {
      model.stop();
      sandbox.remove();
    });

    // The comparison with the code is bounded in time, so on a busy machine a hit may be labelled "unchecked".
    it('[tutorial] shows the output of its commands', { retry: 1 }, async () => {
      let cwd = sandbox.home;
      const type = (command: string): string => {
        // The npm registry does not have this build; the sandbox already has it installed.
        if (command.startsWith('npm install -g')) return '';
        // It asks whether the tools that only read may be called without asking.
        const answer = command.startsWith('backstory install') ? { input: 'y\n' } : {};
        const { stdout, status } = typeAtTerminal(command, { cwd, env, ...answer });
        expect(status, `${command}\n${stdout}`).toBe(0);
        if (command.includes('cd shop')) cwd = shop;
        if (command.startsWith('claude')) settle(sandbox);
        // The terminal shows what is typed ahead before the question, and again behind it.
        return asSeenBy('you', stdout).replace(/^y\n/, '');
      };
      const before = readFileSync(new URL(page, import.meta.url), 'utf8');
      await expect(pageAsRun(before, { type })).toMatchFileSnapshot(page);
    });

    /** Replaces the sandbox's paths by those of a user with this name, and removes control sequences. */
    const asSeenBy = (user: string, shown: string): string =>
      shown
        .replaceAll('\r', '')
        .replaceAll(/\x1b\[[?\d;]*[a-zA-Z]/g, '')
        .replaceAll(sandbox.home, `/home/${user}`);

    function userEnvironment(): Record<string, string> {
      const programs = join(sandbox.home, 'bin');
      mkdirSync(programs);
      symlinkSync(join(inject('installedPackage'), 'dist/main.js'), join(programs, 'backstory'));
      symlinkSync(claudeBinary, join(programs, 'claude'));
      writeFileSync(join(sandbox.home, '.gitconfig'), '[user]\nname = You\nemail = you@example.org\n');
      return {
        ...claudeEnvironment(sandbox, model),
        PATH: `${programs}:${sandbox.env.PATH}`,
      };
    }
  },
);

/** Steps of the scripted model. */
const edit = (path: string) => [
  [{ type: 'tool_use', name: 'Read', input: { file_path: path } }],
  [
    {
      type: 'tool_use',
      name: 'Edit',
      input: {
        file_path: path,
        old_string: "  return redis.rpush('retries', job.id);",
        new_string:
          "  const delay = 2 ** job.attempt;\n  return postgres.insert('retries', { id: job.id, delay });",
      },
    },
  ],
  text('Retries are now rows in Postgres, with exponential backoff.'),
];
