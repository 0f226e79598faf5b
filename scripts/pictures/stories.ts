import type { AgentName } from '../../src/domain/event.ts';

/**
 * Three months of work on a small shop, for the pictures in the documentation. Dates count back from the Thursday on
 * which the pictures are made.
 */
export interface Work {
  daysAgo: number;
  /** Time of day, UTC. */
  at: string;
  agent: AgentName;
  turns: Turn[];
  /** Message of the commit that ends the session. Without one, the work is not committed. */
  commit?: string;
}

export interface Turn {
  prompt: string;
  /** Edits in order: the file, the text that is replaced (empty for a new end of the file), and the text after. */
  edits?: Edit[];
  command?: { line: string; failure?: string };
  /** Edits after the command, such as taking back what did not work. */
  editsAfter?: Edit[];
  answer: string;
}

export type Edit = [path: string, before: string, after: string];

/** The file that the pictures show. */
export const shownFile = 'src/queue/worker.ts';

export const firstCommit: { message: string; files: Record<string, string> } = {
  message: 'Add the job queue',
  files: {
    [shownFile]: `import { db, type Transaction } from '../db.ts';
import { redis } from '../redis.ts';
import type { Job } from './job.ts';

/** Takes the oldest job that is due. */
export async function takeJob(): Promise<Job | undefined> {
  return db.first('select * from jobs where due < now() limit 1');
}

/** Puts a failed job back. */
export async function retryLater(job: Job): Promise<void> {
  await redis.zadd('retries', Date.now() + 5_000, job.id);
}
`,
    'src/billing/money.ts': 'export const add = (a: number, b: number): number => a + b;\n',
    'src/search/products.ts': "export const index = 'products_by_name';\n",
    'src/auth/session.ts': "export const cookie = 'shop-session';\n",
    'src/mail/outbox.ts': "export const table = 'outbox';\n",
    'src/checkout/cart.ts': 'export const maxLines = 100;\n',
    'README.md': '# shop\n\nThe backend of a small shop.\n',
  },
};

const keepAlive = `
/** Reports that a long job is still running. */
export function keepAlive(job: Job): () => void {
  const report = () => db.touch('jobs', job.id);
  const timer = setInterval(report, 10_000);
  return () => clearInterval(timer);
}
`;

const retryInRedis = `/** Puts a failed job back. */
export async function retryLater(job: Job): Promise<void> {
  const due = Date.now() + backoff(job.attempt);
  await redis.zadd('retries', due, job.id);
}
`;

const retryWithReplica = `/** Puts a failed job back, and waits for a replica. */
export async function retryLater(job: Job): Promise<void> {
  const due = Date.now() + backoff(job.attempt);
  await redis.zadd('retries', due, job.id);
  await redis.wait(1, 50);
}
`;

const retryInPostgres = `/** Puts a failed job back, with the record of its failure. */
export async function retryLater(tx: Transaction, job: Job) {
  const delay = backoff(job.attempt);
  const attempt = job.attempt + 1;
  await tx.update('jobs', job.id, { attempt, delay });
}
`;

const noRedis: Edit = [shownFile, "import { redis } from '../redis.ts';\n", ''];

/** The decision that the pictures are about. */
export const decision =
  'We decided to keep retries in Postgres instead of Redis, because Redis lost jobs on failover.';

const question = (daysAgo: number, at: string, agent: AgentName, prompt: string, answer: string): Work => ({
  daysAgo,
  at,
  agent,
  turns: [{ prompt, answer, command: { line: 'pnpm test' } }],
});

const change = (
  daysAgo: number,
  at: string,
  agent: AgentName,
  [path, after]: [path: string, after: string],
  [prompt, answer, commit]: [prompt: string, answer: string, commit: string],
): Work => ({
  daysAgo,
  at,
  agent,
  turns: [{ prompt, answer, edits: [[path, '', after]], command: { line: 'pnpm test' } }],
  commit,
});

export const work: Work[] = [
  change(
    84,
    '10:05',
    'claude-code',
    [
      'src/billing/money.ts',
      'export const toCents = (euros: string): number => Math.round(Number(euros) * 100);\n',
    ],
    [
      'We decided to store amounts as integers in cents instead of floats, because the March report was off by a cent.',
      'Amounts are integers in cents now, from the form to the report.',
      'Store amounts in cents',
    ],
  ),
  change(
    77,
    '08:55',
    'claude-code',
    ['src/checkout/cart.ts', 'export const isEmpty = (lines: unknown[]): boolean => lines.length === 0;\n'],
    [
      'An empty cart can be paid. Forbid it.',
      'The checkout answers 409 for an empty cart, and there is a test for it.',
      'Refuse to pay an empty cart',
    ],
  ),
  change(
    70,
    '13:15',
    'claude-code',
    ['src/search/products.ts', "export const operator = '%';\n"],
    [
      "Let's use trigram indexes for the product search instead of a separate search server, because forty thousand products fit in memory.",
      'The search uses a trigram index. A query takes 9 ms.',
      'Search products with a trigram index',
    ],
  ),
  change(
    62,
    '10:10',
    'opencode',
    ['src/mail/outbox.ts', 'export const batch = 50;\n'],
    [
      'Send mail from an outbox table, never inside a request: a slow provider made the checkout slow.',
      'Mail goes through the outbox table, in batches of 50.',
      'Send mail from an outbox',
    ],
  ),
  question(57, '09:05', 'claude-code', 'Use pnpm in this project, never npm.', 'Understood.'),
  {
    daysAgo: 52,
    at: '10:20',
    agent: 'claude-code',
    turns: [
      {
        prompt:
          'Two workers took the same job, and a customer was charged twice. Use skip locked instead of an advisory lock, because the lock stays when a worker crashes.',
        edits: [
          [
            shownFile,
            `/** Takes the oldest job that is due. */
export async function takeJob(): Promise<Job | undefined> {
  return db.first('select * from jobs where due < now() limit 1');
}
`,
            `/** Takes the oldest job that is due and that nobody has. */
export async function takeJob(tx: Transaction) {
  const due = tx.from<Job>('jobs').where('due < now()');
  return due.forUpdate().skipLocked().first();
}
`,
          ],
        ],
        command: { line: 'pnpm test queue' },
        answer: 'takeJob takes the row with skip locked. The test with eight workers passes 200 times.',
      },
    ],
    commit: 'Take a job with skip locked',
  },
  change(
    45,
    '11:50',
    'claude-code',
    ['src/auth/session.ts', 'export const lifetimeDays = 30;\n'],
    [
      'Sessions are opaque tokens in the database instead of JWTs, because a stolen one must end at once.',
      'Sessions are rows with a random token. Signing out deletes the row.',
      'Keep sessions in the database',
    ],
  ),
  question(
    43,
    '09:15',
    'codex',
    'Never log request bodies: they contain card numbers. Remove the ones we have.',
    'Removed three log lines, and added a lint rule.',
  ),
  {
    daysAgo: 34,
    at: '10:35',
    agent: 'codex',
    turns: [
      {
        prompt: 'Exports that run longer than a minute are killed. Let a worker say that it is still alive.',
        edits: [[shownFile, '', keepAlive]],
        command: { line: 'pnpm test queue' },
        answer: 'keepAlive updates the row every ten seconds. The supervisor waits for three missed updates.',
      },
    ],
    commit: 'Report that a job is still running',
  },
  question(
    31,
    '15:10',
    'claude-code',
    'Always write a migration and its rollback in the same commit.',
    'I will. The last migration had no rollback; I added it.',
  ),
  {
    daysAgo: 15,
    at: '09:50',
    agent: 'claude-code',
    turns: [
      {
        prompt: 'The payment provider rejects our retries because they all arrive together. Spread them.',
        edits: [
          [shownFile, 'import { db,', "import { randomInt } from 'node:crypto';\nimport { db,"],
          [
            shownFile,
            `/** Puts a failed job back. */
export async function retryLater(job: Job): Promise<void> {
  await redis.zadd('retries', Date.now() + 5_000, job.id);
}
`,
            `/** Doubles with each attempt; jitter spreads the retries. */
const backoff = (attempt: number) =>
  2 ** attempt * 1_000 + randomInt(1_000);

${retryInRedis}`,
          ],
        ],
        command: { line: 'pnpm test queue' },
        answer: 'Each attempt waits twice as long as the one before, plus up to a second at random.',
      },
    ],
    commit: 'Spread retries over time',
  },
  {
    daysAgo: 3,
    at: '09:12',
    agent: 'claude-code',
    turns: [
      {
        prompt: 'We lose retries when Redis fails over. Can it wait for a replica?',
        edits: [[shownFile, retryInRedis, retryWithReplica]],
        command: {
          line: 'pnpm test failover',
          failure: 'FAIL  test/failover.test.ts\n  expected 500 retried jobs, got 486',
        },
        editsAfter: [[shownFile, retryWithReplica, retryInRedis]],
        answer:
          'I tried waiting for a replica, but the failover test still lost 14 of 500 jobs, so I reverted it.',
      },
      {
        prompt: `${decision} Change src/queue/worker.ts.`,
        edits: [noRedis, [shownFile, retryInRedis, retryInPostgres]],
        command: { line: 'pnpm test' },
        answer: 'A retry is now an update of its row in Postgres. The failover test finds all 500 jobs.',
      },
    ],
    commit: 'Keep retries in Postgres',
  },
  {
    daysAgo: 0,
    at: '09:40',
    agent: 'codex',
    turns: [
      {
        prompt: 'After five attempts, move a job to a table that support can see.',
        edits: [
          [
            shownFile,
            '  const delay = backoff(',
            '  if (job.attempt === maxAttempts) return bury(tx, job);\n  const delay = backoff(',
          ],
          [
            shownFile,
            '\n/** Reports that',
            `
const maxAttempts = 5;

/** Moves a job to the table that support works through. */
const bury = (tx: Transaction, job: Job) =>
  tx.move(job.id, { from: 'jobs', to: 'dead_jobs' });

/** Reports that`,
          ],
        ],
        command: {
          line: 'pnpm test queue',
          failure: 'FAIL  test/queue.test.ts\n  relation "dead_jobs" does not exist',
        },
        answer: 'A job that failed five times is moved to dead_jobs. Its migration is still missing.',
      },
    ],
  },
];

/** Days with ordinary work, some of them with several sessions. */
const ordinaryDays = [
  86, 84, 84, 80, 77, 73, 70, 70, 69, 66, 65, 62, 58, 52, 52, 51, 50, 45, 44, 38, 34, 28, 27, 24, 22, 18, 15,
  15, 14, 13, 9, 8, 7, 6, 6, 3, 3, 2, 2, 1,
];
const ordinary: [agent: AgentName, prompt: string, answer: string][] = [
  ['claude-code', 'Which queries are slow on the product page?', 'The one for related products.'],
  ['codex', 'Write a test for a product name with an umlaut.', 'Added, and it passes.'],
  ['claude-code', 'Explain the voucher rules to me.', 'A voucher is valid once per customer.'],
  ['claude-code', 'Update the dependencies.', 'Updated nine packages. All tests pass.'],
  ['pi', 'Fix the two flaky tests in checkout.', 'Both set the time zone now.'],
  ['claude-code', 'Draw the states of an order.', 'New, paid, packed, sent, returned.'],
  ['codex', 'Count rejected payments per hour.', 'There is a graph on the status page.'],
];
for (const [nth, daysAgo] of ordinaryDays.entries()) {
  const [agent, prompt, answer] = ordinary[nth % ordinary.length] as (typeof ordinary)[number];
  work.push(question(daysAgo, `1${3 + (nth % 4)}:2${nth % 10}`, agent, prompt, answer));
}

/** A change that a person made without an agent, after a note about the same lines. */
export const ownChange = {
  daysAgo: 20,
  edit: [shownFile, 'setInterval(report, 10_000)', 'setInterval(report, 30_000)'] as Edit,
  message: 'Report less often, the database was busy with it',
};

/** Notes of the user and of agents, with the text of the lines that they are about. */
export const notes: {
  daysAgo: number;
  by: 'user' | 'agent';
  kind: 'decision' | 'rule' | 'fact' | 'knowledge';
  text: string;
  on?: [path: string, first: string, last: string];
}[] = [
  {
    daysAgo: 33,
    by: 'user',
    kind: 'knowledge',
    text: 'A worker reports every ten seconds. Operations is called after three missed reports.',
    on: [shownFile, 'const timer = setInterval', 'const timer = setInterval'],
  },
  {
    daysAgo: 3,
    by: 'user',
    kind: 'fact',
    text: 'Call retryLater in the transaction that records the failure. A crash between the two would lose the job.',
    on: [shownFile, 'export async function retryLater', 'await tx.update('],
  },
  {
    daysAgo: 1,
    by: 'agent',
    kind: 'rule',
    text: 'Amounts from a form go through toCents, which expects a decimal point.',
    on: ['src/billing/money.ts', 'export const toCents', 'export const toCents'],
  },
  {
    daysAgo: 0,
    by: 'agent',
    kind: 'decision',
    text: 'Support sees a job after five failed attempts, in the table dead_jobs.',
    on: [shownFile, 'const maxAttempts', 'const maxAttempts'],
  },
];
