import {
  committed,
  created,
  edited,
  failed,
  ran,
  replied,
  said,
  turn,
  turnOfAgent,
} from '../../retrieval/story.ts';
import { scenario } from './scenario.ts';

/** An upgrade that was discussed long before it happened: the discussion does not answer "when". */
export const upgraded = scenario(
  'upgraded',
  [
    {
      what: 'Node',
      from: '20',
      to: '24',
      file: '.nvmrc',
      trouble: 'two tests relied on the old order of microtasks',
      wordings: [
        'when did we upgrade node',
        'when was node moved to 24',
        'since when are we on the newer javascript runtime',
        'date of the switch away from node 20',
      ],
    },
    {
      what: 'Python',
      from: '3.9',
      to: '3.12',
      file: '.python-version',
      trouble: 'distutils is gone and setup needed another import',
      wordings: [
        'when did we upgrade python',
        'when was python raised to 3.12',
        'since when can we use the new interpreter',
        'which day did we leave 3.9 behind',
      ],
    },
    {
      what: 'Postgres',
      from: '14',
      to: '17',
      file: 'docker-compose.yml',
      trouble: 'one view had to be created again because of a changed catalog column',
      wordings: [
        'when did we upgrade postgres',
        'when did postgres 17 come in',
        'when was the database server brought to a newer major version',
        'how long have we been on the current database release',
      ],
    },
    {
      what: 'TypeScript',
      from: '5.4',
      to: '5.9',
      file: 'package.json',
      trouble: 'eleven places compared an enum with a number',
      wordings: [
        'when did we upgrade typescript',
        'when was typescript 5.9 introduced',
        'since when does the compiler complain about enums',
        'moment we moved the compiler forward',
      ],
    },
    {
      what: 'React',
      from: '17',
      to: '19',
      file: 'package.json',
      trouble: 'the tests counted renders and strict mode doubles them',
      wordings: [
        'when did we upgrade react',
        'when was react brought to 19',
        'since when do components render twice in tests',
        'when did the ui library get its major bump',
      ],
    },
    {
      what: 'OpenSSL',
      from: '1.1',
      to: '3.2',
      file: 'Dockerfile',
      trouble: 'an old partner still needs a cipher that is off by default now',
      wordings: [
        'when did we upgrade openssl',
        'when did we go to openssl 3',
        'since when is the weak cipher disabled in our image',
        'day the tls library changed',
      ],
    },
  ],
  ({ what, from, to, file, trouble, wordings }, { source, testCommand }) => ({
    turns: [
      turn(
        0,
        said(`Should we upgrade ${what} soon? We are on ${from}.`),
        replied(
          `There is no hurry: ${what} ${from} gets security fixes for some time. I would wait until the release is out.`,
        ),
      ),
      turn(
        40,
        said(`Let's do it now: ${what} from ${from} to ${to}.`, 'when'),
        edited(file),
        edited(source),
        failed(testCommand, `2 failed, 310 passed`),
        ran(testCommand, `312 passed`),
        replied(`${what} is at ${to}. It was mostly smooth: ${trouble}. All tests pass.`, 'when'),
        committed(`Move ${what} from ${from} to ${to}\n\nOn the way: ${trouble}.`, [file, source], 'when'),
      ),
    ],
    asked: [{ intent: 'when', mark: 'when', wordings }],
  }),
);

/** Two agents changed two numbers in the same file. */
export const tuned = scenario(
  'tuned',
  [
    {
      what: 'the connection pool',
      from: '10',
      to: '40',
      because: 'requests queued for a connection at noon',
      beside: 'the statement timeout',
      who: [
        'which agent changed the pool size',
        'who changed the size of the connection pool',
        'who raised the number of database connections',
        'which assistant touched the amount of pooled connections',
      ],
      value: [
        'what is the pool size now and why',
        'how large did we make the connection pool',
        'how many database connections do we keep open',
        'to what number were pooled connections raised',
      ],
    },
    {
      what: 'the upload limit',
      from: '20 MB',
      to: '250 MB',
      because: 'architects send whole floor plans',
      beside: 'the number of parallel uploads',
      who: [
        'who raised the upload limit',
        'which agent changed the upload limit',
        'who made bigger attachments possible',
        'which assistant allowed larger files',
      ],
      value: [
        'what upload limit did we set',
        'how large may an upload be',
        'biggest file a customer can send us',
        'allowed attachment size after the change',
      ],
    },
    {
      what: 'the session lifetime',
      from: '30 minutes',
      to: '8 hours',
      because: 'warehouse staff were logged out between two scans',
      beside: 'the cookie domain',
      who: [
        'who changed the session lifetime',
        'which agent extended sessions',
        'who made logins last longer',
        'which assistant altered how long people stay signed in',
      ],
      value: [
        'how long does a session last',
        'what session lifetime did we choose',
        'after what time is a user logged out',
        'until when does a login stay valid for warehouse people',
      ],
    },
    {
      what: 'the batch size of the exporter',
      from: '100',
      to: '2,000',
      because: 'each batch costs a round trip of 80 ms',
      beside: 'the compression level',
      who: [
        'who changed the batch size',
        'which agent raised the exporter batch size',
        'who made the export write more rows at a time',
        'which assistant tuned rows per round trip',
      ],
      value: [
        'what batch size does the exporter use',
        'which batch size did we settle on',
        'how many records go out in one go',
        'rows per round trip when exporting',
      ],
    },
    {
      what: 'the cache lifetime of product pages',
      from: 'one hour',
      to: 'five minutes',
      because: 'sold out articles stayed visible',
      beside: 'the maximum number of cached pages',
      who: [
        'who shortened the cache lifetime',
        'which agent changed product page caching',
        'who made the catalogue refresh more often',
        'which assistant reduced the ttl in the shop',
      ],
      value: [
        'how long are product pages cached',
        'what cache lifetime did we set',
        'after which time does the catalogue show fresh stock',
        'ttl of article pages',
      ],
    },
  ],
  ({ what, from, to, because, beside, who, value }, { source, other }) => ({
    turns: [
      turnOfAgent(
        'claude-code',
        0,
        said(`Make ${beside} configurable in ${source}.`),
        edited(source),
        replied(`Now ${beside} can be set; the default is unchanged. I left ${what} next to it as it is.`),
      ),
      turnOfAgent(
        'codex',
        12,
        said(`Change ${what} from ${from} to ${to}.`, 'who', 'value'),
        edited(source),
        replied(`Set ${what} to ${to} (it was ${from}), because ${because}.`, 'who', 'value'),
      ),
      turnOfAgent(
        'claude-code',
        19,
        said(`Did ${beside} change anything for the better?`),
        edited(other),
        replied(
          `Hardly. I added a line to the metrics in \`${other}\` so that we can see it for ${what} too.`,
        ),
      ),
    ],
    asked: [
      { intent: 'who', mark: 'who', wordings: who },
      { intent: 'value', mark: 'value', wordings: value },
    ],
  }),
);

/** A feature that was built across several files. The question is which files they were. */
export const built = scenario(
  'built',
  [
    {
      feature: 'dark mode',
      files: ['web/theme/palette.ts', 'web/theme/use-theme.ts', 'web/settings/appearance.tsx'],
      wordings: [
        'which files did we touch for dark mode',
        'what files belong to dark mode',
        'where was the night theme implemented',
        'files involved in switching colours',
      ],
    },
    {
      feature: 'two-factor login',
      files: ['server/auth/totp.ts', 'server/auth/enroll.ts', 'web/login/second-step.tsx'],
      wordings: [
        'which files did we touch for two-factor login',
        'what did we edit for 2FA login',
        'where does the one-time code check live',
        'source files of the second login step',
      ],
    },
    {
      feature: 'CSV export of invoices',
      files: ['server/invoices/export.ts', 'server/routes/invoices.ts', 'web/invoices/export-button.tsx'],
      wordings: [
        'which files did we change for the csv export of invoices',
        'files of the invoice export',
        'where is downloading bills as a spreadsheet done',
        'what was modified so accountants can get comma separated data',
      ],
    },
    {
      feature: 'audit log',
      files: ['server/audit/record.ts', 'server/audit/query.ts', 'sql/0042-audit.sql'],
      wordings: [
        'which files did we add for the audit log',
        'where is the audit log',
        'what source keeps track of who did what',
        'files that came with recording user actions',
      ],
    },
    {
      feature: 'rate limits per key',
      files: ['server/limits/bucket.ts', 'server/limits/middleware.ts', 'server/keys/plan.ts'],
      wordings: [
        'which files did we touch for rate limits per key',
        'files for rate limiting',
        'where is the throttling of api keys implemented',
        'what did we write against clients that call too often',
      ],
    },
    {
      feature: 'offline drafts',
      files: ['web/drafts/store.ts', 'web/drafts/sync.ts', 'web/editor/editor.tsx'],
      wordings: [
        'which files did we change for offline drafts',
        'what files make drafts work offline',
        'where is unsent text kept without a connection',
        'source of saving locally and syncing later',
      ],
    },
  ],
  ({ feature, files, wordings }, { source, test, testCommand }) => ({
    turns: [
      turn(
        0,
        said(`Sketch how ${feature} could work, no code yet.`),
        replied(
          `For ${feature} I would start with the data, then one route, then the screen. Two days, I think.`,
        ),
      ),
      turn(
        3,
        said(`Go ahead with ${feature}.`),
        ...files.map((path) => created(path, 'files')),
        edited(source),
        ran(`${testCommand} ${test}`, '48 passed'),
        replied(`${feature} works end to end:\n${files.map((path) => `- \`${path}\``).join('\n')}`, 'files'),
        committed(`Add ${feature}`, files, 'files'),
      ),
      turn(
        17,
        said(`Write release notes for ${feature}.`),
        edited('CHANGELOG.md'),
        replied(`The changelog has two sentences on ${feature} now.`),
      ),
    ],
    asked: [{ intent: 'files', mark: 'files', wordings }],
  }),
);

/** Something was left for later. */
export const unfinished = scenario(
  'unfinished',
  [
    {
      work: 'the import wizard',
      done: 'uploading and mapping columns work',
      open: 'dates in the American order are still read as European, and there is no undo',
      wordings: [
        'what is left to do on the import wizard',
        'what was not finished in the import wizard',
        'known gaps when customers bring in their spreadsheets',
        'where did we stop with column mapping',
      ],
    },
    {
      work: 'the permission editor',
      done: 'roles can be created and given to people',
      open: 'groups inside groups are not resolved, and deleting a role in use gives a bare error',
      wordings: [
        'what is still open in the permission editor',
        'what remains for the permission editor',
        'unsolved cases of nested groups',
        'where did we leave off with roles',
      ],
    },
    {
      work: 'the new billing run',
      done: 'invoices are computed and match the old ones',
      open: 'credit notes are skipped, and nobody is told when a mandate has expired',
      wordings: [
        'what is missing in the new billing run',
        'what is left for the billing run',
        'which cases does invoicing not handle yet',
        'open points about credit notes',
      ],
    },
    {
      work: 'the move to the new queue',
      done: 'mail and exports go through the new one',
      open: 'thumbnails are still made by the old workers, and the dashboard counts both',
      wordings: [
        'what is left before the new queue is complete',
        'what still uses the old queue',
        'which jobs have not been migrated yet',
        'remaining work before we can switch the former workers off',
      ],
    },
    {
      work: 'keyboard navigation',
      done: 'menus and dialogs can be used without a mouse',
      open: 'the focus is lost after a row is deleted, and the date picker traps it',
      wordings: [
        'what is unfinished in keyboard navigation',
        'what remains for keyboard support',
        'accessibility problems we postponed',
        'known issues for people without a mouse',
      ],
    },
  ],
  ({ work, done, open, wordings }, { source, other }) => ({
    turns: [
      turn(
        0,
        said(`Start on ${work} today.`),
        edited(source),
        replied(`I started on ${work}: the outline stands and nothing is wired yet.`),
      ),
      turn(
        4,
        said(`I have to stop here. Sum up ${work} for whoever goes on.`),
        edited(other),
        replied(`State of ${work}: ${done}. Still open: ${open}.`, 'open'),
      ),
      turn(
        21,
        said(`A customer praised ${work}, tell me in one sentence what it does.`),
        replied(`In one sentence: ${done}.`),
      ),
    ],
    asked: [{ intent: 'left', mark: 'open', wordings }],
  }),
);
