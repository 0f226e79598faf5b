import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import type { Note } from '../../src/domain/note.ts';
import { readRuns } from '../../src/memory/notes/learning-runs.ts';
import { openLedger } from '../../src/spend/ledger.ts';
import { parseNote } from '../../src/store/notes/note-file.ts';
import { onEnd } from '../../test/harness/cleanup.ts';
import {
  atLeast,
  atMost,
  type Evaluation,
  exactly,
  type Outcome,
  round,
  showProgress,
} from '../../test/harness/evaluation.ts';
import { installPackage } from '../../test/harness/package.ts';
import { sleep } from '../../test/harness/program.ts';
import { createRandom, type Random } from '../../test/harness/random.ts';
import { claude, claudeBinary, claudeEnvironment, noClaude } from '../../test/support/claude.ts';
import { type FakeModel, startModel, text } from '../../test/support/fake-model.ts';
import { runAsPerson, startAsPerson } from '../../test/support/person.ts';
import { createSandbox, type Sandbox } from '../../test/support/sandbox.ts';
import { copyPast, type Past, writePast } from './past.ts';

const module = resolve(import.meta.dirname, 'answers.ts');

interface Day {
  sandbox: Sandbox;
  model: FakeModel;
  past: Past;
  main: string;
  /** Types a command at a terminal, and yes to these questions, or what is after `=`. */
  type(args: string[], questions?: string[]): string;
}

/**
 * The first day of a user who has worked with Claude Code before: an empty home, the packed product, and the real
 * Claude Code offline. Its model answers from a stored exchange. A second home has past sessions, too; there `learn` is
 * killed over and over, with the same model over HTTP.
 */
export const firstDay: Evaluation = {
  name: 'first-day',
  summary:
    'install, import, learn: what the next session of the real Claude Code is told, and what kills lose',
  file: import.meta.filename,
  measures: [
    'src/memory/notes',
    'src/memory/capture/import-transcripts.ts',
    'src/memory/capture/past-transcripts.ts',
    'src/memory/capture/read-transcripts.ts',
    'src/memory/prelude',
    'src/distil',
    'src/spend',
    'src/models/ask-writer.ts',
    'src/models/http-write.ts',
    'src/models/claude-write.ts',
    'src/models/write.ts',
    'src/cmd/choose-writer.ts',
    'src/cmd/guard-call.ts',
    'src/cli/install.ts',
    'src/cli/import.ts',
    'src/cli/learn.ts',
    'src/cli/models.ts',
    'src/agents/claude-code',
    'src/hooks/session-start.ts',
  ],
  async run({ isShort, seed, data, allowSkip }) {
    if (noClaude !== undefined) {
      // A run without the agent proves nothing.
      const bars: Outcome['bars'] = allowSkip
        ? {}
        : { agent: { goal: 'Claude Code', value: noClaude, ok: false } };
      return { n: 0, figures: { skipped: noClaude }, bars };
    }
    const installed = installPackage().folder;
    const sessions = isShort ? 9 : 60;
    const day = await beginDay(installed, sessions, data);
    const started = performance.now();
    const commands: [string[], string[]?][] = [
      [['install', 'claude-code'], ['only read=n']],
      [['import'], ['one key each?=n']],
      [['learn'], ['that ends?', 'Send ']],
    ];
    const said = commands.map(([args, questions]) => day.type(args, questions)).join('\n');
    const minutes = (performance.now() - started) / 60_000;
    const lines = toldBy(day);
    const right = lines.filter((line) => day.past.isRight(line) === true);
    const wrong = lines.filter((line) => day.past.isRight(line) === false);
    const learned = learnedIn(day.sandbox).map((note) => `${note.state}: ${note.text}`);
    const killed = await killLearning(
      await beginDay(installed, sessions, data),
      createRandom(seed),
      isShort ? 5 : 100,
    );
    return {
      n: day.past.sessions,
      figures: {
        sessions: day.past.sessions,
        'lines told': lines.length,
        minutes: round(minutes),
        'calls of the model': requestsOf(day.model),
        'answered calls of the killed runs': killed.answered,
        'killed during a call': killed.inCall,
        ...(wrong.length === 0 ? {} : { 'first wrong line': wrong[0] ?? '' }),
        ...(right.length === 0 ? { output: said.slice(-300) } : {}),
      },
      bars: {
        'right lines': atLeast(right.length, isShort ? 5 : 20),
        'wrong lines %': atMost(round((100 * wrong.length) / Math.max(1, lines.length)), 8),
        commands: atMost(commands.length, 3),
        // Most of them pass while the agent and its model work, so only a full run judges them.
        ...(isShort ? {} : { minutes: atMost(round(minutes), 10) }),
        kills: atLeast(killed.kills, isShort ? 5 : 100),
        'notes lost by a kill': exactly(killed.lost, 0),
        'answered calls repeated': exactly(killed.repeated, 0),
        'statements missing in the end': exactly(
          learned.filter((one) => !killed.learned.includes(one)).length,
          0,
        ),
      },
    };
  },
};

async function beginDay(installed: string, sessions: number, data: string | undefined): Promise<Day> {
  const sandbox = createSandbox(installed);
  onEnd(sandbox.remove);
  const folder = data === undefined ? '' : resolve(data, 'requests');
  const model = await startModel(sandbox, { steps: [text('Done.')], answers: { module, folder } });
  onEnd(() => model.stop());
  symlinkSync(claudeBinary, join(sandbox.home, 'claude'));
  const past = data === undefined ? writePast(sandbox, sessions) : copyPast(sandbox, data);
  const env = { ...claudeEnvironment(sandbox, model), PATH: `${sandbox.home}:${sandbox.env.PATH}` };
  const main = join(installed, 'dist', 'main.js');
  // Each answer is typed when its question is on the screen.
  const typing = (questions: string[]): string[] =>
    questions.map((question) => {
      const [words, key = 'y'] = question.split('=');
      return `until grep -q '${words}' screen; do sleep .1; done; echo ${key}`;
    });
  const type = (args: string[], questions: string[] = []): string =>
    runAsPerson([main, ...args], {
      cwd: sandbox.repo,
      env,
      onScreen: true,
      inTerminal: (line) =>
        `{ (${[':', ...typing(questions)].join('; ')}) | script -qc '${line}' /dev/null; }`,
    }).stdout;
  return { sandbox, model, past, main, type };
}

/** The lines about what was said that the real agent sends to its model in a new session. */
function toldBy({ sandbox, model }: Day): string[] {
  claude(sandbox, model, 'Say hello.');
  const asked = JSON.stringify(model.requests().at(-1)?.body.messages ?? '');
  const [memory = ''] = /<backstory-memory.*?<\/backstory-memory/.exec(asked) ?? [];
  const lines = memory.split('\\n').filter((line) => / \[\w+\]$/.test(line));
  // The recap of the last session refers to a statement that is told above it.
  return lines.filter((line) => !/^- (?:the user asked|asked later) \[\w+\]$/.test(line));
}

const requestsOf = (model: FakeModel): number =>
  model.requests().filter(({ body }) => (body.tools ?? []).length === 0).length;

/** Kills `learn` at random moments, most of them while it waits for an answer or stores one. Then it runs to its end. */
async function killLearning(day: Day, random: Random, wanted: number) {
  const { sandbox, model, main } = day;
  const { home, repo: cwd, env } = sandbox;
  day.type(['install', 'claude-code'], ['only read=n']);
  day.type(['import'], ['one key each?=n']);
  day.type(['models', 'use', 'anthropic:scripted', '--url', `http://127.0.0.1:${model.port}`]);
  let [kills, lost] = [0, 0];
  while (kills < wanted) {
    const [before, asked] = [learnedIn(sandbox), requestsOf(model)];
    let isOver = false;
    const learning = startAsPerson([main, 'learn'], { cwd, env, input: 'y\n' }).finally(() => {
      isOver = true;
    });
    const calls = random.whole(0, 2);
    while (!isOver && requestsOf(model) - asked < calls) await sleep(5);
    await sleep(random.whole(0, calls === 0 ? 2_500 : 250));
    const pid = isOver ? undefined : pidOf(home);
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
    const { stdout, stderr } = await learning;
    const after = new Set(learnedIn(sandbox).map(({ id }) => id));
    lost += before.filter(({ id }) => !after.has(id)).length;
    if (pid !== undefined) showProgress(++kills, wanted);
    else if (stdout.includes('Nothing was sent')) day.type(['learn', '--undo', 'last']);
    else if (!stdout.startsWith('Read ')) throw new Error(`${stdout}${stderr}`);
  }
  day.type(['learn', '--sessions', '1000'], ['Send ']);
  const { attempts } = openLedger(join(home, '.backstory/ledger.jsonl'), systemClock).read();
  const undone = readRuns({ learning: join(sandbox.projectFolder(), 'learning.json') }).filter(
    ({ undoneAt }) => undoneAt !== undefined,
  );
  const answered = attempts.filter(
    ({ end, kept, purpose }) =>
      (kept !== undefined || end?.outcome === 'written') && !undone.some(({ id }) => id === purpose.run),
  );
  const calls = answered.map(({ purpose: { kind, agentSession } }) => `${kind} ${agentSession}`);
  return {
    kills,
    lost,
    answered: answered.length,
    inCall: attempts.filter(({ end, kept }) => kept === undefined && end?.outcome === 'lost').length,
    repeated: calls.length - new Set(calls).size,
    learned: learnedIn(sandbox).map(({ text, state }) => `${state}: ${text}`),
  };
}

/** The notes of past sessions, also those that are history. */
function learnedIn(sandbox: Sandbox): Note[] {
  const folder = join(sandbox.projectFolder(), 'notes');
  const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.md')) : [];
  const notes = files.map((file) => parseNote(readFileSync(join(folder, file), 'utf8'), file));
  return notes.filter(({ learnedIn: run }) => run !== undefined);
}

/** The process of `learn` in this home. It is no child of this process. */
const pidOf = (home: string): number | undefined =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find((pid) => {
      try {
        const [args = '', env = ''] = ['cmdline', 'environ'].map((file) =>
          readFileSync(`/proc/${pid}/${file}`, 'utf8'),
        );
        return /main\.js\0learn/.test(args) && args.includes('node') && env.includes(`HOME=${home}\0`);
      } catch {
        return false;
      }
    });
