import { join } from 'node:path';
import { installAgents } from '../../scripts/install-agents.ts';
import { AppError } from '../../src/base/errors.ts';
import { type Bar, type Evaluation, exactly } from '../../test/harness/evaluation.ts';
import { installPackage } from '../../test/harness/package.ts';
import { timeLimitProblem } from './agent-reports.ts';
import { type Agent, agents, connectionOf } from './agents.ts';
import { type Arm, arms } from './prepare.ts';
import { readTasks, type Task, type TaskSet } from './read-tasks.ts';
import { openResults, type ResultRow, summaryOf, summaryTable } from './results.ts';
import { type Row, runTask } from './run-task.ts';

const sampleTasks = join(import.meta.dirname, 'sample-tasks');

/**
 * Real agents work on tasks that depend on a decision of the past, with Backstory and without. With a real model it
 * measures the benefit. Offline, a scripted model shows that the harness works and that the past reaches the model.
 */
export const benefit: Evaluation = {
  name: 'benefit',
  summary:
    'Real agents solve tasks with and without Backstory: --agent, --tasks DIR; offline by default. See docs/internals/evaluations.md.',
  options: {
    agent: { type: 'string' },
    tasks: { type: 'string' },
    task: { type: 'string' },
    arms: { type: 'string' },
    offline: { type: 'boolean' },
    model: { type: 'string' },
    runs: { type: 'string' },
    minutes: { type: 'string' },
    corrections: { type: 'string' },
    out: { type: 'string' },
  },
  async run({ data, own }) {
    const given = (name: string): string | undefined => own[name] as string | undefined;
    // Without a folder of tasks, it is the smoke test.
    const isSmoke = given('tasks') === undefined;
    const isOffline = isSmoke || own.offline === true;
    const chosenAgents = chosen('agent', given('agent'), agents, ({ name }) => name);
    const chosenArms = chosen('arms', given('arms'), arms, (arm) => arm);
    const sets = isSmoke ? smokeSets(data) : [filtered(taskSet(given('tasks') as string), given('task'))];
    for (const agent of chosenAgents) if (!isOffline) connectionOf(agent, process.env);
    const results = openResults(given('out'));
    installAgents(chosenAgents.map(({ folder }) => folder));
    const { folder: installed } = installPackage();
    const rows: ResultRow[] = [];
    for (const { agent, set, task, arm, run } of trialsOf(
      chosenAgents,
      sets,
      chosenArms,
      Number(given('runs') ?? 1),
    )) {
      const model = given('model') ?? (isOffline ? 'scripted' : 'default');
      const key = { agent: agent.name, model, task: task.id, arm, run };
      const known = results.find(key);
      const outcome =
        known ??
        (await runTask(task, set, arm, {
          agent,
          installed,
          isOffline,
          connection: isOffline ? {} : connectionOf(agent, process.env),
          ...modelOf(agent, given('model'), isOffline),
          maxCorrections: Number(given('corrections') ?? 5),
          limitMs: Number(given('minutes') ?? 20) * 60_000,
        }));
      if (outcome === undefined) {
        console.log(`${task.id}: skipped, it has no offline.json`);
        continue;
      }
      // A model that cannot be reached would fail every task.
      if (outcome.problem !== '' && outcome.problem !== timeLimitProblem && outcome.tokensOut === 0)
        throw new AppError(
          'BACKEND_FAILURE',
          `${agent.name} got no answer from its model: ${outcome.problem}`,
          {
            hint: 'check the variables in docs/internals/evaluations.md',
          },
        );
      const row = { ...key, ...outcome };
      if (known === undefined) results.add(row);
      rows.push(row);
      console.log(lineOf(row, known !== undefined));
    }
    console.log(`\n${summaryTable(rows)}\n\nEvery row: ${results.path}\n`);
    return {
      n: rows.length,
      figures: { model: given('model') ?? (isOffline ? 'scripted' : 'default'), ...summaryOf(rows) },
      bars: isOffline ? offlineBars(rows, isSmoke) : {},
    };
  },
};

interface Trial {
  agent: Agent;
  set: TaskSet;
  task: Task;
  arm: Arm;
  run: number;
}

const trialsOf = (chosenAgents: Agent[], sets: TaskSet[], chosenArms: Arm[], runs: number): Trial[] =>
  chosenAgents.flatMap((agent) =>
    Array.from({ length: runs }, (_, at) => at + 1).flatMap((run) =>
      sets.flatMap((set) =>
        set.tasks.flatMap((task) => chosenArms.map((arm) => ({ agent, set, task, arm, run }))),
      ),
    ),
  );

function chosen<T>(option: string, value: string | undefined, known: T[], nameOf: (one: T) => string): T[] {
  if (value === undefined) return known;
  return value.split(',').map((name) => {
    const found = known.find((one) => nameOf(one) === name);
    if (found === undefined)
      throw new AppError('INVALID_ARGUMENT', `--${option} ${name} is unknown`, {
        hint: `choose from ${known.map(nameOf).join(', ')}`,
      });
    return found;
  });
}

function taskSet(folder: string): TaskSet {
  const set = readTasks(folder);
  if (set === undefined)
    throw new AppError('NOT_FOUND', `${folder} has no tasks: no */tasks/main/task.json`, {
      hint: 'docs/internals/evaluations.md describes the folder',
    });
  return set;
}

function filtered(set: TaskSet, ids: string | undefined): TaskSet {
  if (ids === undefined) return set;
  const tasks = ids.split(',').map((id) => {
    const task = set.tasks.find((candidate) => candidate.id === id);
    if (task === undefined)
      throw new AppError('NOT_FOUND', `--task ${id}: no such task in ${set.folder}`, {
        hint: 'give the task_id of its task.json',
      });
    return task;
  });
  return { ...set, tasks };
}

/** The committed task, and the first task of sde-bench whose decision is in a chat, if the benchmark is there. */
function smokeSets(data: string | undefined): TaskSet[] {
  const sample = taskSet(sampleTasks);
  const benchmark = data === undefined ? undefined : readTasks(data);
  if (benchmark === undefined) return [sample];
  const tasks = benchmark.tasks.filter(({ source }) => source === 'conversation').slice(0, 1);
  return [sample, { ...benchmark, tasks }];
}

/** Codex offers its patch tool, which the scripts use, only to models that it knows. */
const modelOf = ({ name }: Agent, model: string | undefined, isOffline: boolean): { model?: string } => {
  if (model !== undefined) return { model };
  return isOffline && name === 'codex' ? { model: 'gpt-5.5' } : {};
};

function lineOf(row: Row & { agent: string }, isKnown: boolean): string {
  const told = Object.entries(row.told).map(([source, lines]) => `${source} ${lines}`);
  const parts = [
    row.isSolvedAtFirstTry ? 'first try' : row.isSolved ? 'solved' : 'NOT SOLVED',
    `${row.corrections} corrections, ${row.toolCalls} calls, ${row.recalls} recalls, ${row.seconds} s`,
    ...(told.length === 0 ? [] : [`told: ${told.join(', ')}`]),
    ...(row.decisionToldBy.length === 0 ? [] : [`decision by ${row.decisionToldBy.join(', ')}`]),
    ...(row.leaks === 0 ? [] : ['left out: looked into the tasks']),
    ...(row.problem === '' ? [] : [row.problem]),
    ...(isKnown ? ['from the results file'] : []),
  ];
  return `${row.agent} ${row.arm}, ${row.task}: ${parts.join('; ')}`;
}

/** A scripted model solves every task. In the smoke test, it knows the decision exactly if Backstory tells it. */
function offlineBars(rows: Row[], isSmoke: boolean): Record<string, Bar> {
  const count = (is: (row: Row) => boolean): number => rows.filter(is).length;
  const solved = exactly(
    count(({ isSolved }) => isSolved),
    rows.length,
  );
  if (!isSmoke) return { solved };
  const firstTryIn = (arm: Arm): number => count((row) => row.arm === arm && row.isSolvedAtFirstTry);
  const withBackstory = count(({ arm }) => arm === 'with');
  return {
    solved,
    'with: solved at first try': exactly(firstTryIn('with'), withBackstory),
    'with: decision told': exactly(
      count(({ decisionToldBy }) => decisionToldBy.length > 0),
      withBackstory,
    ),
    'without: solved at first try': exactly(firstTryIn('without'), 0),
  };
}
