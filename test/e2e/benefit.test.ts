import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { agents, connectionOf } from '../../bench/benefit/agents.ts';
import { decisionPhrases } from '../../bench/benefit/decision-phrases.ts';
import { grade } from '../../bench/benefit/grade.ts';
import { toScript } from '../../bench/benefit/offline-script.ts';
import { createTaskHome } from '../../bench/benefit/prepare.ts';
import { readTasks, type Task, type TaskSet } from '../../bench/benefit/read-tasks.ts';
import { runProgram } from '../../bench/benefit/run-program.ts';
import { runTask } from '../../bench/benefit/run-task.ts';
import { sleep } from '../harness/program.ts';
import { noClaude } from '../support/claude.ts';
import { noCodex } from '../support/codex.ts';
import { startModel } from '../support/fake-model.ts';

const missing = noClaude ?? noCodex;
if (missing !== undefined && process.env.BACKSTORY_REQUIRE_ALL === '1') throw new Error(missing);

const set = readTasks('bench/benefit/sample-tasks') as TaskSet;
const task = set.tasks[0] as Task;

describe('checks of a task', () => {
  it('apply the work of the agent, but not what it did to tests', async () => {
    const { sandbox, pristine, remove } = createTaskHome(task, set.decoys, inject('installedPackage'));
    const { repo, env } = sandbox;
    try {
      expect(await grade(task, { repo, pristine, env })).toMatchObject({ isSolved: false });
      for (const path of [...task.checks.visible, ...task.checks.hidden]) writeFileSync(join(repo, path), '');
      expect(await grade(task, { repo, pristine, env })).toMatchObject({
        isSolved: false,
        output: expect.stringContaining('an order at four in the afternoon'),
      });
      const right = join(task.folder, 'right.js');
      await runProgram('cp', [right, join(repo, 'shipping/dispatch-day.js')], {
        cwd: repo,
        env,
        limitMs: 5_000,
      });
      expect(await grade(task, { repo, pristine, env })).toMatchObject({ isSolved: true });
    } finally {
      remove();
    }
  });

  it('at the time limit, a program and all it started are killed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'backstory-limit-'));
    try {
      const { isTimedOut } = await runProgram('sh', ['-c', '(sleep 3; touch late) & wait'], {
        cwd: folder,
        env: { PATH: process.env.PATH ?? '' },
        limitMs: 1_000,
      });
      expect(isTimedOut).toBe(true);
      await sleep(3_000);
      expect(existsSync(join(folder, 'late'))).toBe(false);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

it('the agent gets only the variables that it needs to reach its model, and needs a key', () => {
  for (const agent of agents) {
    expect(() => connectionOf(agent, { PATH: '/bin', HTTPS_PROXY: 'x' })).toThrow('has no model');
    const [key = ''] = agent.variables;
    expect(connectionOf(agent, { PATH: '/bin', [key]: 'k' })).toEqual({ [key]: 'k' });
  }
});

describe.skipIf(missing !== undefined)(
  `a task with a real agent${missing === undefined ? '' : ` (skipped: ${missing})`}`,
  () => {
    for (const agent of agents) {
      it(`is solved by ${agent.name} at the first try once Backstory told the decision, and looking into the tasks is noticed`, async () => {
        const fix = (name: string) => ({ run: `cp '${join(task.folder, name)}' '${task.module}'` });
        const script = {
          steps: [
            { recall: task.bugReport },
            {
              ifTold: decisionPhrases(task, set.decoys),
              action: fix('right.js'),
              otherwise: fix('naive.js'),
            },
            { say: 'Done.' },
          ],
        };
        const home = mkdtempSync(join(tmpdir(), 'backstory-model-'));
        const model = await startModel({ home }, toScript(script, agent, ''), agent.api);
        try {
          const row = await runTask(task, set, 'with', {
            agent,
            installed: inject('installedPackage'),
            isOffline: false,
            connection: agent.connectTo(model.port),
            // Codex offers its tools by model.
            ...(agent.name === 'codex' ? { model: 'gpt-5.5' } : {}),
            maxCorrections: 1,
            limitMs: 120_000,
          });
          expect(row).toMatchObject({
            problem: '',
            isSolvedAtFirstTry: true,
            corrections: 0,
            recalls: 1,
            told: { prelude: expect.any(Number), recall: expect.any(Number) },
            decisionToldBy: expect.arrayContaining(['recall']),
            leaks: 1,
          });
          expect(row?.tokensIn).toBeGreaterThan(0);
        } finally {
          model.stop();
          rmSync(home, { recursive: true });
        }
      });
    }
  },
);
