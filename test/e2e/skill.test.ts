import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { skillFiles } from '../../src/agents/skill-files.ts';
import { hashId } from '../../src/base/hash.ts';
import { claude, noClaude } from '../support/claude.ts';
import { type FakeModel, startModel, text } from '../support/fake-model.ts';
import { listing } from '../support/listing.ts';
import { typeAtTerminal } from '../support/person.ts';
import { createSandbox, type Sandbox, settle } from '../support/sandbox.ts';

if (noClaude !== undefined && process.env.BACKSTORY_REQUIRE_ALL === '1') throw new Error(noClaude);

const folders = {
  'claude-code': '.claude/skills',
  codex: '.codex/skills',
  opencode: '.config/opencode/skills',
  pi: '.pi/agent/skills',
  cursor: '.cursor/skills',
};
type Agent = keyof typeof folders;

describe('the skill', () => {
  let sandbox: Sandbox;
  let model: FakeModel | undefined;
  afterEach(() => {
    model?.stop();
    sandbox.remove();
  });
  const start = (): void => {
    sandbox = createSandbox(inject('installedPackage'));
  };
  const home = () => listing(sandbox.home, { except: ['.backstory', 'repo/.git'], times: false });
  const done = (...args: string[]): string => {
    const { status, stdout, stderr } = sandbox.cli(...args);
    if (status !== 0) throw new Error(`${args.join(' ')}: ${stdout}${stderr}`);
    return stdout;
  };
  const pathOf = (agent: Agent, file = 'backstory/SKILL.md') => join(sandbox.home, folders[agent], file);

  it.each(Object.keys(folders) as Agent[])(
    '[skill-install] is complete for %s after install, and removed completely by uninstall',
    (agent) => {
      start();
      const before = home();
      const output = done('install', agent);
      expect(output.match(/skills\/backstory/g), 'each named once').toHaveLength(2);
      for (const file of skillFiles) {
        const ours = readFileSync(join('skills', file), 'utf8').replace(/^Command: .*$/m, '');
        const theirs = readFileSync(pathOf(agent, file), 'utf8').replace(/^Command: .*$/m, '');
        expect(theirs.startsWith(ours), file).toBe(true);
      }
      expect(readFileSync(pathOf(agent), 'utf8')).toContain(
        `"${process.execPath}" "${join(inject('installedPackage'), 'dist/main.js')}"`,
      );
      expect(existsSync(join(sandbox.home, folders[agent], 'backstory/triggers'))).toBe(false);
      const installed = home();
      done('install', agent);
      expect(home()).toEqual(installed);
      done('uninstall', agent);
      expect(home()).toEqual(before);
    },
  );

  it('[skill-install] never overwrites a skill of somebody else', () => {
    start();
    mkdirSync(dirname(pathOf('claude-code')), { recursive: true });
    writeFileSync(pathOf('claude-code'), '---\nname: backstory\ndescription: mine\n---\n');
    const before = home();
    const { status, stderr } = sandbox.cli('install', 'claude-code');
    expect(status).toBe(1);
    expect(stderr).toContain('--surface mcp');
    expect(home()).toEqual(before);
    done('install', 'claude-code', '--surface', 'mcp');
    done('uninstall', 'claude-code');
    expect(home()).toEqual(before);
  });

  it('[skill-install] with a missing part is reported by doctor and restored by --repair', () => {
    start();
    done('install', 'claude-code');
    expect(sandbox.cli('doctor').stdout).toMatch(/Skill: listed for about \d+ tokens/);
    rmSync(pathOf('claude-code', 'backstory/operations/timeline.md'));
    const { stdout } = sandbox.cli('doctor');
    expect(stdout).toContain('FAIL claude-code skill');
    expect(stdout).toContain('--repair');
    done('install', 'claude-code', '--repair');
    expect(sandbox.cli('doctor').stdout).toContain('ok   claude-code skill');
  });

  it('[install-surface] installs tools, the skill or both, with the chosen set of tools, and remembers the choice', () => {
    start();
    const server = () =>
      existsSync(join(sandbox.home, '.claude.json')) &&
      readFileSync(join(sandbox.home, '.claude.json'), 'utf8').includes('mcp.js');
    const before = home();
    done('install', 'claude-code', '--surface', 'skill');
    expect([server(), existsSync(pathOf('claude-code'))]).toEqual([false, true]);
    expect(sandbox.cli('doctor').stdout).not.toContain('Tools:');
    done('install', 'claude-code', '--surface', 'mcp', '--tools', 'all');
    expect([server(), existsSync(pathOf('claude-code'))]).toEqual([true, false]);
    expect(readFileSync(join(sandbox.home, '.claude.json'), 'utf8')).toMatch(/"--tools",\s*"all"/);
    done('install', 'claude-code', '--repair');
    expect(existsSync(pathOf('claude-code'))).toBe(false);
    expect(readFileSync(join(sandbox.home, '.claude.json'), 'utf8')).toContain('"all"');
    done('install', 'claude-code', '--surface', 'both', '--tools', 'core');
    expect([server(), existsSync(pathOf('claude-code'))]).toEqual([true, true]);
    expect(readFileSync(join(sandbox.home, '.claude.json'), 'utf8')).not.toContain('--tools');
    expect(sandbox.cli('install', 'claude-code', '--surface', 'poem').status).toBe(2);
    expect(sandbox.cli('install', 'claude-code', '--tools', 'poem').status).toBe(2);
    done('uninstall', 'claude-code');
    expect(home()).toEqual(before);
  });

  it.skipIf(noClaude !== undefined)(
    '[skill-forked] runs in a separate context in Claude Code, with only the backstory command',
    async () => {
      start();
      done('install', 'claude-code', '--surface', 'skill');
      done('config', 'tell', 'prompt,rules');
      done('remember', 'Retries stay in Postgres, because Redis lost jobs on failover.');
      const program = join(inject('installedPackage'), 'dist/main.js');
      const command = `"${process.execPath}" "${program}" recall "retries" --limit 5`;
      model = await startModel(sandbox, {
        matches: [
          {
            match: 'Redis lost jobs',
            in: 'all',
            blocks: text('FORK-ANSWER: in Postgres, said by the user.'),
          },
          {
            match: 'what happened here before',
            in: 'all',
            once: true,
            blocks: [{ type: 'tool_use', name: 'Bash', input: { command } }],
          },
        ],
        steps: [
          [
            {
              type: 'tool_use',
              name: 'Skill',
              input: { skill: 'backstory', args: 'where do retries live?' },
            },
          ],
          text('They live in Postgres.'),
        ],
      });
      claude(sandbox, model, 'PARENT-ONLY: where do retries live?');
      const bodies = model
        .requests()
        .filter(({ body }) => (body.tools ?? []).length > 0)
        .map(({ body }) => JSON.stringify(body.messages));
      const forked = bodies.filter((body) => body.includes('what happened here before'));
      expect(forked.length, bodies.map((body) => body.slice(0, 300)).join('\n')).toBeGreaterThan(0);
      expect(forked.every((body) => body.includes('The question: where do retries live?'))).toBe(true);
      // It may return later as a memory, because the user has just said it.
      expect(forked[0]).not.toContain('PARENT-ONLY');
      const parent = bodies.filter((body) => body.includes('PARENT-ONLY')).at(-1) ?? '';
      expect(parent).toContain('FORK-ANSWER');
      expect(parent).not.toContain('Redis lost jobs');
    },
  );

  it.skipIf(noClaude !== undefined)(
    '[learn-agent] for learning reads what a person permitted, and sessions are told what it saves after the review',
    async () => {
      start();
      done('install', 'claude-code');
      done('config', 'distil', 'off');
      const use = (name: string, input: object) => [{ type: 'tool_use', name, input }];
      const quotes = ['Deploys go out with nomad, kubernetes was too much.', 'Uploads have at most 25 MB.'];
      const steps = [use('Bash', { command: 'echo LOUD' }), text('Noted.'), text('Noted, too.')];
      model = await startModel(sandbox, { steps });
      for (const prompt of quotes) claude(sandbox, model, prompt);
      settle(sandbox);
      model.stop();
      const permitting = `${process.execPath} ${join(inject('installedPackage'), 'dist/main.js')} learn --agent 2`;
      const { stdout } = typeAtTerminal(permitting, { cwd: sandbox.repo, env: sandbox.env, input: 'y\n' });
      expect(stdout).toContain('learn from our past sessions');
      const next = use('mcp__backstory__get_notes', { ids: ['learn'] });
      const save = (at: number) => {
        // The event of the transcript replaces that of the hook.
        const said = sandbox
          .events()
          .findLast(({ kind, body }) => kind === 'prompt' && body.text === quotes[at]);
        const prompt = `${hashId(said?.agentSession ?? '').slice(0, 4)}-${said?.id.slice(0, 6)}`;
        return use('mcp__backstory__remember', { topic: 'limits', quote: quotes[at], kind: 'rule', prompt });
      };
      const learning = [use('Skill', { skill: 'backstory-learn' }), next, save(1), next, save(0), next];
      model = await startModel(sandbox, { steps: [...learning, text('Two wait.'), text('Done.')] });
      claude(sandbox, model, 'learn from our past sessions');
      const asked = JSON.stringify(model.requests());
      for (const words of [
        '| echo LOUD (passed)',
        'All permitted sessions are read. Waiting for review: 2 statements.',
      ])
        expect(asked.includes(words), words).toBe(true);
      expect(asked.replaceAll('echo LOUD', '').includes('LOUD')).toBe(false);
      settle(sandbox);
      expect(done('prelude')).not.toMatch(/^- .*(?:nomad|25 MB)/m);
      expect(done('review')).toMatch(/^Learned from past sessions, run \w{8}: 2 statements$/m);
      const { candidates } = sandbox.json<{ candidates: { id: string }[] }>('review');
      done('review', ...candidates.flatMap(({ id }) => ['--accept', id]));
      model.stop();
      model = await startModel(sandbox, { steps: [text('Hello.')] });
      claude(sandbox, model, 'hello');
      const told = JSON.stringify(model.requests());
      expect(quotes.filter((words) => !told.includes(words))).toEqual([]);
    },
  );
});
