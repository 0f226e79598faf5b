import type { Random } from '../../test/harness/random.ts';

/**
 * Texts of people and agents in the data set: a shop's backend, developed for weeks. Assembled from parts, so that
 * thousands of notes differ and still read naturally.
 */
export interface Topic {
  /** A folder of the sample repository. */
  folder: string;
  thing: string;
  choice: string;
  alternative: string;
  reason: string;
  symbol: string;
  part: string;
}

export const topics: Topic[] = [
  {
    folder: 'billing',
    thing: 'invoice numbers',
    choice: 'a gapless counter per tenant',
    alternative: 'random ids',
    reason: 'the auditor asks about gaps',
    symbol: 'nextInvoiceNumber',
    part: 'invoice-number',
  },
  {
    folder: 'billing',
    thing: 'currency amounts',
    choice: 'integers in minor units',
    alternative: 'floats',
    reason: 'rounding drifted by a cent in the March report',
    symbol: 'toMinorUnits',
    part: 'money',
  },
  {
    folder: 'checkout',
    thing: 'the cart',
    choice: 'a row per line with a version',
    alternative: 'one JSON blob',
    reason: 'two tabs overwrote each other',
    symbol: 'mergeCart',
    part: 'cart',
  },
  {
    folder: 'checkout',
    thing: 'payment retries',
    choice: 'an idempotency key per attempt',
    alternative: 'a lock in Redis',
    reason: 'the lock expired under load and a card was charged twice',
    symbol: 'chargeOnce',
    part: 'charge',
  },
  {
    folder: 'queue',
    thing: 'the job queue',
    choice: 'Postgres with skip locked',
    alternative: 'Redis streams',
    reason: 'jobs and rows must commit together',
    symbol: 'takeJob',
    part: 'take-job',
  },
  {
    folder: 'queue',
    thing: 'job timeouts',
    choice: 'a heartbeat every ten seconds',
    alternative: 'a fixed deadline',
    reason: 'exports legitimately run for an hour',
    symbol: 'keepAlive',
    part: 'heartbeat',
  },
  {
    folder: 'search',
    thing: 'product search',
    choice: 'trigram indexes',
    alternative: 'an external engine',
    reason: 'forty thousand products fit in memory',
    symbol: 'searchProducts',
    part: 'products',
  },
  {
    folder: 'search',
    thing: 'synonyms',
    choice: 'a table the shop owner edits',
    alternative: 'a file in the repository',
    reason: 'every change needed a release',
    symbol: 'expandSynonyms',
    part: 'synonyms',
  },
  {
    folder: 'auth',
    thing: 'sessions',
    choice: 'opaque tokens in the database',
    alternative: 'JWTs',
    reason: 'a stolen one must end at once',
    symbol: 'endSession',
    part: 'session',
  },
  {
    folder: 'auth',
    thing: 'password hashes',
    choice: 'argon2id with 64 MB',
    alternative: 'bcrypt',
    reason: 'the review in May asked for it',
    symbol: 'hashPassword',
    part: 'password',
  },
  {
    folder: 'webhooks',
    thing: 'webhook delivery',
    choice: 'at least once with a signature',
    alternative: 'best effort',
    reason: 'partners replay by our event id',
    symbol: 'deliver',
    part: 'deliver',
  },
  {
    folder: 'webhooks',
    thing: 'webhook secrets',
    choice: 'two valid ones during a rotation',
    alternative: 'one',
    reason: 'partners deploy on Mondays only',
    symbol: 'verifySignature',
    part: 'signature',
  },
  {
    folder: 'export',
    thing: 'CSV exports',
    choice: 'streaming with a cursor',
    alternative: 'building it in memory',
    reason: 'the largest tenant ran out of memory',
    symbol: 'streamRows',
    part: 'csv',
  },
  {
    folder: 'import',
    thing: 'the importer',
    choice: 'one transaction per thousand rows',
    alternative: 'one for all',
    reason: 'a failure at the end threw away an hour',
    symbol: 'importBatch',
    part: 'batch',
  },
  {
    folder: 'mail',
    thing: 'outgoing mail',
    choice: 'an outbox table',
    alternative: 'sending in the request',
    reason: 'a slow provider made checkout slow',
    symbol: 'queueMail',
    part: 'outbox',
  },
  {
    folder: 'cache',
    thing: 'the price cache',
    choice: 'tags that are cleared on write',
    alternative: 'five minutes of life',
    reason: 'a wrong price stood for four minutes on a sale day',
    symbol: 'clearTag',
    part: 'tags',
  },
  {
    folder: 'limits',
    thing: 'rate limits',
    choice: 'a sliding window per key',
    alternative: 'a fixed window',
    reason: 'bursts at the turn of the minute got through',
    symbol: 'allow',
    part: 'window',
  },
  {
    folder: 'audit',
    thing: 'the audit log',
    choice: 'append-only rows chained by hash',
    alternative: 'plain rows',
    reason: 'somebody edited one by hand',
    symbol: 'appendEntry',
    part: 'chain',
  },
  {
    folder: 'flags',
    thing: 'feature flags',
    choice: 'a file that is read at start',
    alternative: 'a service',
    reason: 'nobody changes them at night',
    symbol: 'isOn',
    part: 'flags',
  },
  {
    folder: 'reports',
    thing: 'the nightly report',
    choice: 'a materialized view',
    alternative: 'a query at eight',
    reason: 'it took eleven minutes on Black Friday',
    symbol: 'refreshReport',
    part: 'nightly',
  },
];

const situations = [
  'on the first request after a deploy',
  'when two workers start at once',
  'for tenants outside the EU',
  'on the last day of a month',
  'behind the staging proxy',
  'with an empty cart',
  'after a failed migration',
  'for orders before 2024',
  'when the clock steps back',
  'under load',
];
const symptoms = [
  'returned a stale row',
  'dropped the last item',
  'counted one twice',
  'waited for ever',
  'hid the error',
  'answered 200 with an empty body',
  'kept the connection open',
  'sorted by text instead of by number',
];
const cures = [
  'takes the row lock first',
  'compares versions',
  'closes over the transaction',
  'retries once and then says so',
  'reads from the primary',
  'fails loudly',
  'is covered by a test',
];
const people = ['support', 'the auditor', 'the mobile team', 'operations', 'a partner', 'the load test'];

export function decisionText({ thing, choice, alternative, reason }: Topic): string {
  return `Let's use ${choice} for ${thing} instead of ${alternative}, because ${reason}.`;
}

export function noteText(kind: string, topic: Topic, random: Random): string {
  const { thing, symbol, reason, choice, alternative, folder } = topic;
  const where = random.pick(situations);
  const symptom = random.pick(symptoms);
  const cure = random.pick(cures);
  const who = random.pick(people);
  switch (kind) {
    case 'decision':
      return `Use ${choice} for ${thing} ${where} instead of ${alternative}.\n\n${who[0]?.toUpperCase()}${who.slice(1)} asked why: ${reason}. \`${symbol}\` ${cure}.`;
    case 'rule':
      return `Everything that touches ${thing} goes through \`${symbol}\`, also ${where}: it ${cure}.`;
    case 'fix':
      return `\`${symbol}\` ${symptom} ${where}. It now ${cure}.\n\nReported by ${who}; the test in \`${folder}\` fails without it.`;
    case 'fact':
      return `Careful with ${thing} ${where}: \`${symbol}\` ${symptom} before it ${cure}.`;
    case 'failed':
      return `Tried ${alternative} for ${thing} again ${where}. It ${symptom}, as ${who} had said; taken back.`;
    default:
      return `${thing[0]?.toUpperCase()}${thing.slice(1)} rest on ${choice}. ${where[0]?.toUpperCase()}${where.slice(1)}, \`${symbol}\` ${cure}.\n\n- asked for by ${who}\n- ${reason}`;
  }
}

export function promptText({ thing, symbol }: Topic, random: Random): string {
  return random.pick([
    `${symbol} ${random.pick(symptoms)} ${random.pick(situations)}. Find out why and fix it.`,
    `Make ${thing} work ${random.pick(situations)}.`,
    `Write a test for ${symbol} ${random.pick(situations)}.`,
    `What happens to ${thing} ${random.pick(situations)}?`,
    `${symbol} ${random.pick(symptoms)}, says ${random.pick(people)}. Look into it.`,
  ]);
}

export function answerText({ symbol, thing, part, folder }: Topic, random: Random): string {
  return [
    `\`${symbol}\` in \`src/${folder}/${part}.ts\` ${random.pick(symptoms)} ${random.pick(situations)}.`,
    `I changed it so that it ${random.pick(cures)}, and ran the tests for ${thing}:`,
    '',
    `- the case ${random.pick(situations)} passes`,
    `- ${random.whole(12, 140)} others still do`,
  ].join('\n');
}

/** Hostile text in notes. */
export const hostileTexts = [
  '<script>window.owned = true</script><img src=x onerror="window.owned = true">\n\nA decision with markup in it.',
  '[click me](javascript:window.owned=true) [data](data:text/html,<script>window.owned=true</script>) [fine](https://example.org/)',
  'A line that turns round: \u202eexe.tset/etc/ ; \u2066and\u2069 hides.\n\nקובץ ההגדרות נקרא פעם אחת בלבד, בהפעלה.',
  `# ${'['.repeat(5_000)}\n\n${'*'.repeat(5_000)}\n\n${'`'.repeat(5_000)}\n\n${'> '.repeat(2_000)}`,
  `One megabyte follows.\n\n${'All work and no play makes a long note. '.repeat(26_000)}`,
];
