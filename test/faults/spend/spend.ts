import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isoTime } from '../../../src/base/clock.ts';
import { parseObject } from '../../../src/base/json.ts';
import { chargeOf, costOf, tokensOf } from '../../../src/spend/budget.ts';
import { openLedger } from '../../../src/spend/ledger.ts';
import { attemptsBySession } from '../../../src/spend/session-attempts.ts';
import { onEnd } from '../../harness/cleanup.ts';
import { atLeast, atMost, type Evaluation, exactly, round, showProgress } from '../../harness/evaluation.ts';
import { createRandom, type Random } from '../../harness/random.ts';
import { hangMs } from '../../support/until.ts';
import { startWritingServer, type WritingRequest } from '../../support/writing-server.ts';
import { behaviourOf, chooseFault, type ProviderFault, trueCost } from './behaviour.ts';
import type { CallingProcessInput, CallingProcessOutput } from './calling-process-io.ts';
import { createSessions } from './sessions.ts';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
/**
 * Mostly HTTP providers, which are faster to test. `claude` is a command-line program, which runs through the guard
 * process that kills it when its caller dies.
 */
const providers: CallingProcessInput['provider'][] = [
  'openai',
  'anthropic',
  'claude',
  'openai',
  'ollama',
  'anthropic',
];
const caps = { dailyTokens: 150_000, monthlyTokens: 2_000_000, dailyUsd: 3, monthlyUsd: 45 };
const price = { input: 5, output: 25 };
const beginWithinMs = 8_000;
/** Time limit of one call. It is longer for a command-line program, which needs time to start. */
const callMs = (provider: CallingProcessInput['provider']): number => (provider === 'claude' ? 3_000 : 700);
/**
 * Limit for the CPU time of one drain (background run). Its elapsed time depends on the load of the machine, so the
 * evaluation checks instead that it starts no call too late, how much CPU time it uses, and that it ends at all.
 */
const mostCpuMs = 10_000;
/** Tolerance for the time between reading the clock here and in the product. */
const lookMs = 250;

/**
 * Runs the model calls for a thousand agent sessions against a scripted model provider, reached over HTTP or through a
 * command-line program. The provider fails, hangs, sends endless output, reports wrong usage or has no capacity, and
 * some callers are killed during a call. Two callers run at a time. For every call, a real tokenizer counts what the
 * provider would charge. No day and no month of the simulated clock may exceed the spending caps.
 */
export const spend: Evaluation = {
  name: 'spend',
  summary:
    'a thousand sessions with a model that fails, hangs, floods, lies or loses its caller, and what they cost',
  file: import.meta.filename,
  measures: [
    'src/spend',
    'src/models/*write.ts',
    'src/models/run-program.ts',
    'src/memory/notes/distil-with-model.ts',
    'src/memory/notes/distil-mark.ts',
    'src/memory/notes/pending-answer.ts',
    'src/memory/notes/confirm-statements.ts',
    'src/distil/with-model.ts',
    'src/cmd/guard-call.ts',
    'src/store/sqlite/writer-lock.ts',
    'src/base/files.ts',
  ],
  async run({ isShort, seed }) {
    const random = createRandom(seed);
    const home = createSessions(isShort ? 40 : 1_000, isShort ? 2 : 5);
    const { paths } = home;
    const running = new Set<ChildProcess>();
    onEnd(() => {
      for (const child of running) child.kill('SIGKILL');
    });
    const books = {
      taken: new Map<string, { tokens: number; usd: number }>(),
      unwritten: 0,
      seen: new Map<ProviderFault, number>(),
    };
    const pending: Promise<void>[] = [];
    let now = home.now + 24 * hourMs;

    const server = await startWritingServer((request: WritingRequest) => {
      const mischief = chooseFault(random);
      books.seen.set(mischief, (books.seen.get(mischief) ?? 0) + 1);
      // The ledger line must be on disk before the request is sent.
      const lines = readFileSync(paths.ledger, 'utf8').split('"step":"begin"').length - 1;
      if (lines < server.requests.length) books.unwritten += 1;
      if (mischief === 'is not answered: killed')
        setTimeout(() => {
          for (const child of running) child.kill('SIGKILL');
        }, 30);
      const at = now;
      pending.push(
        trueCost(mischief, request).then(({ input, output }) => book(books.taken, at, input, output)),
      );
      return behaviourOf(mischief, request);
    });
    const ask = (project: string, provider: CallingProcessInput['provider']): Promise<Ended> => {
      const input: CallingProcessInput = {
        home: home.folder,
        backstory: paths.home,
        project,
        provider,
        url: server.url,
        at: now,
        caps,
        price,
        callMs: callMs(provider),
        beginWithinMs,
      };
      const started = performance.now();
      const child = spawn(
        process.execPath,
        [join(import.meta.dirname, 'calling-process.ts'), JSON.stringify(input)],
        {
          stdio: ['ignore', 'pipe', 'ignore'],
          timeout: hangMs,
          killSignal: 'SIGKILL',
        },
      );
      running.add(child);
      let output = '';
      child.stdout?.on('data', (piece) => {
        output += piece;
      });
      return new Promise((ended) =>
        child.on('close', () => {
          running.delete(child);
          const result = (parseObject(output) ?? {}) as Partial<CallingProcessOutput>;
          ended({
            refused: '',
            lastBegunMs: 0,
            cpuMs: 0,
            ...result,
            ms: performance.now() - started,
          });
        }),
      );
    };
    const ledger = openLedger(paths.ledger, { now: () => now });
    const settled = (): number =>
      home.projects.reduce(
        (sum, project) => sum + attemptsBySession(ledger.read().attempts, project).size,
        0,
      );

    const drains: Ended[] = [];
    for (let rounds = 0; rounds < 4_000 && settled() < home.sessions; rounds++) {
      const { attempts } = ledger.read();
      const left = home.projects.filter(
        (project) => attemptsBySession(attempts, project).size < home.sessions / home.projects.length,
      );
      const projects = random.shuffled(left).slice(0, random.chance(0.3) ? 2 : 1);
      const provider = providers[rounds % providers.length] as CallingProcessInput['provider'];
      const ended = await Promise.all(projects.map((project) => ask(project, provider)));
      drains.push(...ended);
      now = laterThan(now, ended, random);
      showProgress(settled(), home.sessions);
    }
    await Promise.all(pending);
    const { attempts, unreadable } = ledger.read();
    const mostOf = (length: number, of: 'tokens' | 'usd'): number =>
      Math.max(
        0,
        ...[...books.taken].filter(([period]) => period.length === length).map(([, taken]) => taken[of]),
      );
    const share = (part: number, whole: number): number => round((part / whole) * 100);
    const charged = attempts.reduce((sum, attempt) => sum + Math.min(tokensOf(chargeOf(attempt)), 1e6), 0);
    const taken = [...books.taken]
      .filter(([period]) => period.length === 7)
      .reduce((sum, [, each]) => sum + each.tokens, 0);
    await server.close();
    const kept = attempts.filter((attempt) => attempt.kept !== undefined);
    return {
      n: settled(),
      figures: {
        drains: drains.length,
        'drains told that a cap is reached': drains.filter(({ refused }) => refused.includes('cap')).length,
        'drains told that another asks': drains.filter(({ refused }) => refused.includes('under way')).length,
        calls: server.requests.length,
        attempts: attempts.length,
        'sessions whose notes were kept': kept.length,
        ...Object.fromEntries([...books.seen].map(([mischief, count]) => [`model ${mischief}`, count])),
        'lines of the ledger that cannot be read': unreadable,
        'charged for each token really taken': round(charged / taken),
        'longest drain, ms': Math.round(Math.max(...drains.map(({ ms }) => ms))),
        'latest call of a drain, ms after it began to ask': Math.max(
          ...drains.map(({ lastBegunMs }) => lastBegunMs),
        ),
      },
      bars: {
        'sessions asked about': atLeast(settled(), home.sessions),
        'really taken in a day, tokens, % of the cap': atMost(
          share(mostOf(10, 'tokens'), caps.dailyTokens),
          100,
        ),
        'really taken in a day, dollars, % of the cap': atMost(share(mostOf(10, 'usd'), caps.dailyUsd), 100),
        'really taken in a month, tokens, % of the cap': atMost(
          share(mostOf(7, 'tokens'), caps.monthlyTokens),
          100,
        ),
        'really taken in a month, dollars, % of the cap': atMost(
          share(mostOf(7, 'usd'), caps.monthlyUsd),
          100,
        ),
        'most calls in flight': exactly(server.mostInFlight, 1),
        'calls without a line in the ledger before them': exactly(books.unwritten, 0),
        'calls more than attempts': atMost(server.requests.length - attempts.length, 0),
        'sessions kept twice': exactly(
          kept.length - new Set(kept.map(({ purpose }) => purpose.agentSession)).size,
          0,
        ),
        'drains that began a call too late': exactly(
          drains.filter(({ lastBegunMs }) => lastBegunMs > beginWithinMs + lookMs).length,
          0,
        ),
        'most CPU time of a drain, ms': atMost(
          Math.round(Math.max(...drains.map(({ cpuMs }) => cpuMs))),
          mostCpuMs,
        ),
        'drains that did not end': exactly(drains.filter(({ ms }) => ms >= hangMs).length, 0),
      },
    };
  },
};

type Ended = CallingProcessOutput & { ms: number };

/**
 * Advances the clock to the end of a requested wait, to the next day or month if a cap is reached, or else by some
 * minutes. Sometimes the clock is set back by two hours.
 */
function laterThan(now: number, ended: Ended[], random: Random): number {
  const why = ended.map(({ refused }) => refused).join(' ');
  const month = new Date(now);
  if (why.includes('month')) return Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1, 1);
  if (why.includes('today')) return Math.ceil((now + 1) / dayMs) * dayMs + hourMs;
  const rest = Date.parse(/until (\S+)/.exec(why)?.[1] ?? '');
  const minutes = random.chance(0.05) ? -120 : random.whole(1, 20);
  const next = rest > now ? rest + 1_000 : now + minutes * 60_000;
  // Everything a process does in its few seconds must be on the day of its start.
  return next % dayMs > dayMs - 120_000 ? Math.ceil(next / dayMs) * dayMs : next;
}

function book(
  taken: Map<string, { tokens: number; usd: number }>,
  at: number,
  input: number,
  output: number,
): void {
  for (const length of [10, 7]) {
    const period = isoTime(at).slice(0, length);
    const before = taken.get(period) ?? { tokens: 0, usd: 0 };
    taken.set(period, {
      tokens: before.tokens + input + output,
      usd: before.usd + costOf(input, output, price),
    });
  }
}
