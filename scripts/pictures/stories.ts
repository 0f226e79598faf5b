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

/** The decision that the pictures and the recording are about. */
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
  question(
    86,
    '09:20',
    'claude-code',
    'How does the importer decide which product a row belongs to?',
    'By the article number, and by the name if the number is missing.',
  ),
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
  question(
    80,
    '14:40',
    'codex',
    'Why does the checkout test fail on the first of a month?',
    'The fixture uses the current date, so the discount has expired on the first.',
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
  question(
    73,
    '11:30',
    'claude-code',
    'Which queries are slow on the product page?',
    'The one for related products: it sorts forty thousand rows without an index.',
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
  question(69, '16:02', 'codex', 'Write a test for a product name with an umlaut.', 'Added, and it passes.'),
  question(
    65,
    '09:41',
    'claude-code',
    'The nightly report takes eleven minutes. Where does the time go?',
    'In the join with the old order table. A materialized view would take it away.',
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
  question(58, '15:25', 'claude-code', 'Rename the discount codes to vouchers.', 'Renamed in 14 files.'),
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
  question(
    50,
    '14:30',
    'claude-code',
    'What happens to a job when its worker is killed?',
    'Its row lock ends with the connection, and another worker takes the job.',
  ),
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
  question(38, '13:40', 'claude-code', 'Update the dependencies.', 'Updated nine packages. All tests pass.'),
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
  question(
    27,
    '09:30',
    'claude-code',
    'Which tests are flaky?',
    'Two in checkout. Both depend on the time zone.',
  ),
  question(24, '11:20', 'pi', 'Fix the two flaky tests in checkout.', 'Both set the time zone now.'),
  question(
    22,
    '14:05',
    'claude-code',
    'Explain the voucher rules to me.',
    'A voucher is valid once per customer.',
  ),
  question(
    18,
    '10:45',
    'codex',
    'Shorten the start of the tests.',
    'The database is created once: 40 s less.',
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
  question(
    13,
    '16:20',
    'claude-code',
    'Is the cart page readable with a screen reader?',
    'Two buttons had no name.',
  ),
  question(
    9,
    '10:15',
    'codex',
    'Load test the checkout with 200 users.',
    'The median is 80 ms, the worst 410 ms.',
  ),
  question(8, '13:30', 'claude-code', 'Draw the states of an order.', 'New, paid, packed, sent, returned.'),
  question(
    6,
    '09:10',
    'claude-code',
    'Which jobs failed this week?',
    'Twelve payment jobs, all after the failover.',
  ),
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
  question(
    2,
    '14:20',
    'codex',
    'Why is the image of the shop 900 MB?',
    'It contains the test database. Without it, the image has 140 MB.',
  ),
  question(
    1,
    '10:25',
    'claude-code',
    'The voucher page shows a price of NaN. Find out why.',
    'The form sends a comma. toCents expects a point.',
  ),
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

/** Short sessions, so that some days have more work than others. */
const short: [daysAgo: number, at: string, agent: AgentName, prompt: string, answer: string][] = [
  [84, '15:30', 'claude-code', 'Check the report for May with the new amounts.', 'It agrees with the bank.'],
  [84, '16:10', 'codex', 'Format amounts with two decimals in mails.', 'Done, in three templates.'],
  [
    77,
    '11:15',
    'claude-code',
    'Show the number of items beside the cart.',
    'Added, with a label for screen readers.',
  ],
  [70, '14:50', 'claude-code', 'Rank exact matches of a name first.', 'Exact matches come first now.'],
  [70, '16:40', 'codex', 'Measure the search with all products.', 'Nine milliseconds, 40 at most.'],
  [66, '10:20', 'claude-code', 'Which pages still use the old footer?', 'Two: imprint and returns.'],
  [
    62,
    '11:35',
    'opencode',
    'Retry a mail that the provider rejected.',
    'It is sent again after ten minutes.',
  ],
  [52, '11:30', 'claude-code', 'Write a test with eight workers.', 'Added. It fails without skip locked.'],
  [
    52,
    '14:15',
    'codex',
    'Refund the customer who paid twice.',
    'The refund is booked; the mail is in the outbox.',
  ],
  [51, '09:25', 'claude-code', 'Add an index for due jobs.', 'The query uses it: 0.2 ms.'],
  [
    45,
    '13:20',
    'claude-code',
    'Sign out everywhere after a new password.',
    'All sessions of the customer are deleted.',
  ],
  [44, '10:00', 'claude-code', 'Delete sessions that are over.', 'A job deletes them every night.'],
  [
    34,
    '11:20',
    'codex',
    'Show long jobs on the status page.',
    'It lists jobs that run longer than a minute.',
  ],
  [
    28,
    '16:00',
    'claude-code',
    'Move the returns form to the new layout.',
    'Moved; the old template is gone.',
  ],
  [15, '10:40', 'claude-code', 'Draw the delays of ten attempts.', 'From 2 seconds to 17 minutes.'],
  [15, '13:05', 'codex', 'Count rejected payments per hour.', 'There is a graph on the status page.'],
  [14, '09:35', 'claude-code', 'Raise the timeout of the payment provider.', 'It is 8 seconds now.'],
  [7, '10:50', 'claude-code', 'List everything that uses Redis.', 'Only the retries and one rate limit.'],
  [6, '11:05', 'codex', 'Write a test that fails over Redis.', 'Added: 486 of 500 jobs arrive.'],
  [3, '10:30', 'claude-code', 'Remove the retry set from Redis.', 'Removed, after the last entry was moved.'],
  [3, '14:10', 'codex', 'Document the retries in the runbook.', 'There is a section with the queries.'],
  [2, '15:05', 'codex', 'Build the image without the test database.', 'The image has 140 MB.'],
];
work.push(...short.map((each) => question(...each)));

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
  kind: 'decision' | 'convention' | 'gotcha' | 'knowledge';
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
    kind: 'gotcha',
    text: 'Call retryLater in the transaction that records the failure. A crash between the two would lose the job.',
    on: [shownFile, 'export async function retryLater', 'await tx.update('],
  },
  {
    daysAgo: 1,
    by: 'agent',
    kind: 'convention',
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
