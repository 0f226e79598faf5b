import { projectConfig, readOverrides, resolveConfig } from '../base/config.ts';
import { AppError } from '../base/errors.ts';
import { writeJson } from '../base/files.ts';
import { overheadTokens, parseChoice } from '../domain/writer-choice.ts';
import { drain } from '../memory/drain.ts';
import { distilWithModel, knownOf } from '../memory/notes/distil-with-model.ts';
import {
  beginRun,
  type LearnChoice,
  type LearnPlan,
  learn,
  learnedIn,
  periodOf,
  planLearning,
  undoRun,
} from '../memory/notes/learn.ts';
import { planDigests } from '../memory/notes/learn-from-digests.ts';
import { readRuns } from '../memory/notes/learning-runs.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import { momentOf } from '../recall/parse-filter.ts';
import { priceOf, spentOn } from '../spend/budget.ts';
import { harmlessLine } from '../text/fence.ts';
import { plural } from '../text/plural.ts';
import type { App, Command, Outcome, ParsedArgs } from './command.ts';
import { isSet, stringOf } from './command.ts';
import { wholeNumber } from './filters.ts';
import { chooseModel, destinationOf, labelled } from './models.ts';
import { offerReview } from './review.ts';
import { tokens, usd } from './spend-lines.ts';

/** Number of sessions without an option: what one sitting reads, and most people pay without a second thought. */
const defaultSessions = 60;

export const learnCommand: Command = {
  name: 'learn',
  usage:
    'learn [--since 90d|DATE] [--sessions N] [--budget TOKENS|$USD] | --agent [N] | --retry | --undo RUN',
  summary: `Let your model read past sessions, newest first. Shows what is sent and what it costs, and asks. Default: ${defaultSessions} sessions.`,
  group: 'Memory',
  options: {
    since: { about: 'Only sessions after this time: a date, or 90d.', value: 'TIME' },
    sessions: { about: 'At most this many sessions.', value: 'N' },
    budget: { about: "At most this much: 500k tokens, or '$3'.", value: 'AMOUNT' },
    agent: { about: 'Let the agent that you talk to read them instead; by default 20.' },
    retry: { about: 'Read no past: only new sessions, and those that the model failed on.' },
    undo: { about: 'Delete what a run learned: its id, or last.', value: 'RUN' },
  },
  needsPerson: ({ values: { retry, undo } }) =>
    undo !== undefined ? 'Undoing a run' : retry === true ? undefined : 'Reading past sessions',
  async run(app, args) {
    app.ensureActive();
    const undone = stringOf(args, 'undo');
    if (undone !== undefined) return undo(app, undone);
    if (isSet(args, 'retry')) return retry(app);
    if (isSet(args, 'agent')) {
      const values = { sessions: args.positionals[0] ?? '20', ...args.values };
      return permitAgent(app, choiceOf(app, { ...args, values }));
    }
    return learnPast(app, args);
  },
};

async function learnPast(app: App, args: ParsedArgs): Promise<Outcome> {
  const amount = parseAmount(stringOf(args, 'budget'));
  const choice = choiceOf(app, args);
  if (settings(app).write !== 'off') return confirmAndRead(app, choice, amount, () => {});
  // To choose a model and to let it read the past are two consents. Without the second the first is taken back, because
  // a model that stays chosen reads every session from now on.
  const before = readOverrides(app.paths.config);
  let isKept = false;
  await chooseModel(app);
  try {
    return await confirmAndRead(app, choice, amount, () => {
      isKept = true;
    });
  } finally {
    if (!isKept) {
      writeJson(app.paths.config, before);
      app.printError('No model is chosen.');
    }
  }
}

async function confirmAndRead(
  app: App,
  choice: LearnChoice,
  amount: { tokens?: number; usd?: number },
  onConsent: () => void,
): Promise<Outcome> {
  const parts = app.open();
  if (parts.write === undefined)
    throw new AppError('CONFLICT', 'no model may be called here', { hint: 'backstory models' });
  await drain(parts);
  const plan = await planWithin(app, parts, choice, amount);
  const value = { sessions: plan.sessions.length, tokens: plan.tokens, usd: plan.usd };
  if (plan.sessions.length === 0)
    return { value, text: 'Every session of that time was read. Nothing was sent.' };
  app.printError(consentText(app, plan));
  if (!(await app.confirm(`Send ${plural(plan.sessions.length, 'past session')}?`)))
    return { value, text: 'Nothing was sent.', exitCode: 1 };
  onConsent();
  return read(app, parts, plan);
}

/** Lets the agent that the person talks to read past sessions. The agent reads them later, through its tools. */
async function permitAgent(app: App, choice: LearnChoice): Promise<Outcome> {
  const parts = app.open();
  await drain(parts);
  const plan = await planDigests(parts, choice);
  const { sessions } = plan;
  const value = { sessions: sessions.length, tokens: plan.tokens };
  if (sessions.length === 0)
    return { value, text: 'Your agent may already read every session of that time.' };
  const count = plural(sessions.length, 'past session');
  app.printError(
    `${app.style.bold(`${count} of ${app.place().name}`)}, ${periodOf(plan)}: about ${tokens(plan.tokens)} for the agent that you talk to.
It sees, after redaction, your prompts, its own last answers, paths of edited files, and commands with their status. It sees no output of tools.
What it learns waits for your review: nothing is told, and nothing ends, before that.`,
  );
  if (!(await app.confirm(`Let your agent read ${count}?`)))
    return { value, text: 'Nothing was permitted.', exitCode: 1 };
  const run = beginRun(parts, plan, 'agent');
  return {
    value: { run: run.id, ...value },
    text: `Now say to your agent: learn from our past sessions. Then run: backstory review\n${app.style.dim(`To take it back: backstory learn --undo ${run.id}`)}`,
  };
}

const settings = (app: App) => projectConfig(app.paths, app.place().project);

function choiceOf(app: App, args: ParsedArgs): LearnChoice {
  const since = stringOf(args, 'since');
  const isBounded = since !== undefined || stringOf(args, 'budget') !== undefined;
  const sessions = wholeNumber(args, 'sessions') ?? (isBounded ? undefined : defaultSessions);
  return {
    ...(since === undefined ? {} : { since: momentOf(since, app.clock.now()) }),
    ...(sessions === undefined ? {} : { sessions }),
  };
}

/** Parses `$3`, `500k` or `500000`. */
function parseAmount(given: string | undefined): { tokens?: number; usd?: number } {
  if (given === undefined) return {};
  const [, dollar, digits, thousand] = /^(\$?)(\d{1,9}(?:\.\d{1,2})?)(k?)$/i.exec(given) ?? [];
  const value = Number(digits ?? 0) * (thousand ? 1_000 : 1);
  if (value === 0)
    throw new AppError('INVALID_ARGUMENT', `${given} is not an amount`, {
      hint: "backstory learn --budget 500k, or --budget '$3'",
    });
  return dollar === '$' ? { usd: value } : { tokens: Math.floor(value) };
}

async function planWithin(
  app: App,
  parts: OpenProject,
  choice: LearnChoice,
  amount: { tokens?: number; usd?: number },
): Promise<LearnPlan> {
  const { provider, price } = modelOf(app);
  const cost = { overheadTokens: overheadTokens[provider], price };
  const planned = (max: { tokens?: number }): Promise<LearnPlan> =>
    planLearning(parts, { ...choice, ...max }, cost);
  if (amount.tokens !== undefined) return planned({ tokens: amount.tokens });
  const plan = await planned({});
  if (amount.usd === undefined || plan.usd <= amount.usd) return plan;
  // The share of the output is about the same in all sessions.
  return planned({ tokens: Math.floor((plan.tokens * amount.usd) / plan.usd) });
}

function modelOf(app: App) {
  const config = settings(app);
  const provider = parseChoice(config.write)?.provider ?? 'claude';
  return { ...config, provider, ...priceOf(config.writer.price, provider) };
}

function consentText(app: App, plan: LearnPlan): string {
  const { style } = app;
  const { sessions, ...cost } = plan;
  const { write, writer, isAssumed } = modelOf(app);
  const { dailyTokens } = resolveConfig(readOverrides(app.paths.config));
  const share =
    dailyTokens === 0 ? '' : `, ${Math.round((100 * cost.tokens) / dailyTokens)} % of a day's cap`;
  const price = isAssumed ? ' at $5/$25 per million; with a subscription, it is part of your quota' : '';
  return [
    `${style.bold(`${plural(sessions.length, 'past session')} of ${app.place().name}`)}, ${periodOf(plan)}, newest first`,
    ...labelled(style.dim, [
      ['to', destinationOf(write, writer)],
      [
        'cost',
        `at most ${tokens(cost.tokens)}${share}: ${usd(cost.usd)}${price}. It does not use up the cap.`,
      ],
      [
        'sent',
        'after redaction: prompts, answers, commands with the end of their output, paths of edited files, statements of this project',
      ],
      [
        'not sent',
        'files, diffs, other sessions, notes of teammates, anything excluded, forgotten or private',
      ],
    ]),
  ].join('\n');
}

async function read(app: App, parts: OpenProject, plan: LearnPlan): Promise<Outcome> {
  const run = beginRun(parts, plan, 'model');
  const bar = app.progress('Learning');
  const of = run.sessions.length;
  const learned = async () => learnedIn(run, await parts.notes.list());
  const show = async (asked: number): Promise<void> => {
    const notes = await learned();
    const last = notes.reduce((a, b) => (a.created > b.created ? a : b), { created: '', text: '' }).text;
    bar.update(
      asked,
      of,
      `${asked}/${of} sessions, ${plural(notes.length, 'statement')}  ${harmlessLine(last, 120)}`,
    );
  };
  const signal = app.interrupted();
  const { failed, refused } = await learn(parts, run, {
    signal,
    onSession: ({ asked }) => void show(asked),
  }).finally(bar.end);
  const known = knownOf(parts);
  const done = run.sessions.filter((session) => (known.get(session)?.doneUntil ?? 0) > 0).length;
  const notes = await learned();
  const told = notes.filter(({ state }) => state === 'active').length;
  const attempts = parts.modelCalls?.ledger.read().attempts ?? [];
  const spent = spentOn(attempts.filter(({ purpose }) => purpose.run === run.id));
  const why = refused ?? (signal.aborted ? 'you interrupted it' : `${plural(failed, 'call')} failed`);
  const lines = [
    `Read ${done} of ${plural(of, 'session')}: ${plural(notes.length, 'statement')}. ${told} are told from now on, ${notes.length - told} wait for: backstory review`,
    ...(done < of ? [`Not all were read: ${why}. What was learned is kept. To go on: backstory learn`] : []),
    app.style.dim(
      `${tokens(spent.tokens)}, ${usd(spent.usd)}. To take it back: backstory learn --undo ${run.id}`,
    ),
  ];
  const value = { run: run.id, of, read: done, statements: notes.length, told, failed, ...spent };
  const found = lines.join('\n');
  const waiting = notes.length - told;
  // Most of what waits is right, and no session is told it.
  const which = waiting === 1 ? 'the one that waits' : `the ${waiting} that wait`;
  const decided =
    waiting === 0 || signal.aborted ? undefined : await offerReview(app, app.place(), { found, which });
  return { value, text: decided ?? found, exitCode: done < of ? 1 : 0 };
}

async function undo(app: App, wanted: string): Promise<Outcome> {
  const parts = app.open();
  const runs = readRuns(parts.paths.project(parts.project)).filter(({ undoneAt }) => undoneAt === undefined);
  const run = wanted === 'last' ? runs.at(-1) : runs.find(({ id }) => id === wanted);
  if (run === undefined)
    throw new AppError('NOT_FOUND', `there is no run ${wanted}`, {
      hint: runs.length === 0 ? 'backstory learn' : 'backstory learn --undo last',
    });
  const notes = await undoRun(parts, run);
  if (notes === undefined)
    throw new AppError('INDEX_UNAVAILABLE', 'another process is writing notes', {
      hint: `backstory learn --undo ${run.id}`,
      retryable: true,
    });
  return { value: { run: run.id, notes }, text: `Deleted ${plural(notes, 'statement')} of this run.` };
}

/** Extracts notes from new sessions now, and from those that the model failed on. The consent to a model covers it. */
async function retry(app: App): Promise<Outcome> {
  const parts = app.open();
  await drain(parts);
  const report = await distilWithModel(parts, { retries: true });
  const value = { model: parts.write === undefined ? 'off' : 'on', ...report };
  if (parts.write === undefined)
    return {
      value,
      text: 'Extracted notes without a model. None is configured. To choose one: backstory models',
    };
  const { asked, notes, failed, refused } = report;
  const lines = [
    asked + failed === 0
      ? 'No new session to process.'
      : `Processed ${plural(asked, 'session')}: ${plural(notes, 'note')}, ${failed} failed.${failed === 0 ? '' : ' See: backstory models'}`,
    ...(refused === undefined ? [] : [`Stopped: ${refused}. See: backstory models`]),
  ];
  const text = (asked + failed === 0 && refused !== undefined ? lines.slice(1) : lines).join('\n');
  return { value, text, exitCode: failed > 0 ? 1 : 0 };
}
