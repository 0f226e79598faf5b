import { onEnd } from '../../test/harness/cleanup.ts';
import { startModel } from '../../test/support/fake-model.ts';
import type { AgentRun } from './agent-reports.ts';
import type { Agent } from './agents.ts';
import { decisionPhrases } from './decision-phrases.ts';
import { grade } from './grade.ts';
import { offlineScriptOf, toScript } from './offline-script.ts';
import { type Arm, createTaskHome, installBackstory } from './prepare.ts';
import type { Task, TaskSet } from './read-tasks.ts';
import { type Told, toldIn } from './told.ts';

/** The result of one task in one arm. */
export interface Row {
  task: string;
  source: string;
  arm: Arm;
  isSolved: boolean;
  isSolvedAtFirstTry: boolean;
  /** How often the user had to say what was wrong. */
  corrections: number;
  tokensIn: number;
  tokensCached: number;
  tokensOut: number;
  costUsd: number;
  toolCalls: number;
  /** Calls of the recall tool that it answered, or of the command. */
  recalls: number;
  /** Texts of Backstory that reached the model, by the way they came. */
  told: Told['counts'];
  /** The ways by which words of the deciding chat reached the model. */
  decisionToldBy: string[];
  /** Tool calls that named the folder of the tasks, where the hidden checks are. The row does not count then. */
  leaks: number;
  seconds: number;
  /** Why the agent was ended or failed; empty if it ended by itself. */
  problem: string;
}

export interface TaskOptions {
  agent: Agent;
  installed: string;
  isOffline: boolean;
  /** Environment with the address and key of the model; not used offline. */
  connection: Record<string, string>;
  model?: string;
  maxCorrections: number;
  /** For all prompts of the task together. */
  limitMs: number;
}

/** Lets the agent work on a task until its checks pass or the corrections are used up. Undefined if it has no script. */
export async function runTask(
  task: Task,
  set: TaskSet,
  arm: Arm,
  options: TaskOptions,
): Promise<Row | undefined> {
  const { agent } = options;
  const started = performance.now();
  const ending: (() => void)[] = [];
  // Also if the evaluation is interrupted.
  const endWith = (end: () => void): void => {
    ending.push(end);
    onEnd(end);
  };
  try {
    const { sandbox, pristine, remove } = createTaskHome(task, set.decoys, options.installed);
    endWith(remove);
    const script = options.isOffline ? offlineScriptOf(task, set, sandbox.repo) : undefined;
    if (options.isOffline && script === undefined) return undefined;
    let { connection } = options;
    if (script !== undefined) {
      const model = await startModel(sandbox, toScript(script, agent, sandbox.repo), agent.api);
      endWith(model.stop);
      connection = agent.connectTo(model.port);
    }
    agent.configure(sandbox, connection);
    // Nothing else differs between the arms.
    if (arm === 'with') installBackstory(sandbox, agent);
    const runs: AgentRun[] = [];
    const worked = performance.now();
    let prompt = task.bugReport;
    let graded = { isSolved: false, output: '' };
    for (let corrections = 0; corrections <= options.maxCorrections; corrections++) {
      const left = options.limitMs - (performance.now() - worked);
      const session = runs[0]?.session;
      const run = await agent.run(sandbox, {
        prompt,
        connection,
        limitMs: Math.max(1_000, left),
        ...(session === undefined || session === '' ? {} : { session }),
        ...(options.model === undefined ? {} : { model: options.model }),
      });
      runs.push(run);
      graded = await grade(task, { repo: sandbox.repo, pristine, env: sandbox.env });
      if (graded.isSolved || run.problem !== '') break;
      prompt = task.corrections[corrections] ?? `${askAgain}\n\n${graded.output}`;
    }
    const told = toldIn(sandbox, decisionPhrases(task, set.decoys));
    const calls = runs.flatMap((run) => run.calls);
    const sum = (field: 'tokensIn' | 'tokensCached' | 'tokensOut' | 'costUsd'): number =>
      // Codex reports the totals of the session.
      agent.reportsTotals ? (runs.at(-1)?.[field] ?? 0) : runs.reduce((total, run) => total + run[field], 0);
    return {
      task: task.id,
      source: task.source,
      arm,
      isSolved: graded.isSolved,
      isSolvedAtFirstTry: graded.isSolved && runs.length === 1,
      corrections: runs.length - 1,
      tokensIn: sum('tokensIn'),
      tokensCached: sum('tokensCached'),
      tokensOut: sum('tokensOut'),
      costUsd: sum('costUsd'),
      toolCalls: calls.length,
      recalls: calls.filter(isRecall).length,
      told: told.counts,
      decisionToldBy: told.decisionToldBy,
      leaks: calls.filter(({ input }) => input.includes(set.folder) || input.includes(pristine)).length,
      seconds: Math.round((performance.now() - started) / 1000),
      problem: runs.at(-1)?.problem ?? '',
    };
  } finally {
    for (const end of ending.reverse()) end();
  }
}

const askAgain = 'That is not right yet. These checks fail; fix it without changing tests:';

const isRecall = ({ tool, input, isFailed }: AgentRun['calls'][number]): boolean =>
  (tool === 'mcp__backstory__recall' && !isFailed) || /\bbackstory(?:['"\s]+)recall\b/.test(input);
