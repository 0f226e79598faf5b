import { committed, edited, ran, replied, said, turn } from '../../retrieval/story.ts';
import { scenario } from './scenario.ts';

/** Something was removed, and the reason was given at the time. */
export const dropped = scenario(
  'dropped',
  [
    {
      gone: 'Redis',
      job: 'rate limiting',
      reason: 'it was the only thing we ran it for, and the failover in March lost every counter',
      instead: 'an upsert into a Postgres table with a window column',
      wordings: [
        'why did we drop redis',
        'reason we got rid of redis',
        'why is throttling stored in the database instead of an in-memory cache',
        'what went wrong with the cache server we used for request limits',
      ],
    },
    {
      gone: 'Kafka',
      job: 'the audit trail',
      reason: 'nobody on call could debug a consumer lag at night and we write forty messages a minute',
      instead: 'an outbox table that a worker polls every two seconds',
      wordings: [
        'why did we drop kafka',
        'what was the argument against keeping kafka',
        'why do audit records go through a table and not a message broker',
        'reason for moving off the broker for auditing',
      ],
    },
    {
      gone: 'Webpack',
      job: 'the front end build',
      reason: 'a cold build took 94 seconds and the config had grown to 600 lines no one dared touch',
      instead: 'Vite with two plugins',
      wordings: [
        'why did we leave webpack',
        'why was webpack removed',
        'what made us switch the bundler for the UI',
        'how come the frontend tooling was replaced',
      ],
    },
    {
      gone: 'Moment',
      job: 'date formatting',
      reason: 'it put 290 kB into the bundle and its dates can be changed from anywhere',
      instead: 'Intl.DateTimeFormat and six lines of our own',
      wordings: [
        'why did we stop using moment',
        'reason for removing moment',
        'why are dates rendered without a library',
        'what was the objection to the time library',
      ],
    },
    {
      gone: 'Sentry',
      job: 'error reports',
      reason: 'legal does not want stack traces with customer names to leave our own machines',
      instead: 'structured error lines that the log collector counts',
      wordings: [
        'why did we remove sentry',
        'what was the problem with sentry',
        'why are crash reports no longer sent to a hosted service',
        'compliance reason for keeping exceptions on our own servers',
      ],
    },
    {
      gone: 'GraphQL',
      job: 'the mobile API',
      reason: 'there is one client, its queries never changed, and every N+1 took a day to find',
      instead: 'seven plain JSON endpoints',
      wordings: [
        'why did we give up on graphql',
        'why was graphql thrown out',
        'why does the phone app talk to simple REST endpoints',
        'what speaks against a query language for the app backend',
      ],
    },
    {
      gone: 'Celery',
      job: 'nightly exports',
      reason: 'workers kept a database connection each and we ran out of them every time we deployed',
      instead: 'a systemd timer that starts one process and lets it end',
      wordings: [
        'why did we drop celery',
        'what made us abandon celery',
        'why are the nightly exports started by the operating system',
        'reason background workers were removed from the export job',
      ],
    },
  ],
  ({ gone, job, reason, instead, wordings }, { source, other }) => ({
    turns: [
      turn(
        0,
        said(`I keep wondering whether ${gone} is still worth it for ${job}. What would we lose?`),
        replied(
          `Today ${gone} is touched in \`${source}\` and \`${other}\` only, both for ${job}. Taking it out is a day of work; I have changed nothing yet.`,
        ),
      ),
      turn(
        2,
        said(`Ok, take ${gone} out. We replace it by ${instead}, because ${reason}.`, 'why'),
        edited(source),
        edited(other),
        replied(
          `Done. ${gone} is gone; ${job} now uses ${instead}. The reason you gave (${reason}) stands in the commit message.`,
          'why',
        ),
        committed(`Replace ${gone}\n\nFor ${job} we now have ${instead}: ${reason}.`, [source, other], 'why'),
      ),
      turn(
        9,
        said(`Is there anything left that mentions ${gone}?`),
        ran(`grep -rni ${gone.toLowerCase()} .`, `docs/setup.md:14: start ${gone} first`),
        replied(`One line in docs/setup.md still told people to start ${gone}; I removed it.`),
      ),
    ],
    asked: [{ intent: 'why', mark: 'why', wordings }],
  }),
);

/** One of two options was chosen; later somebody asks for the reasons. */
export const chosen = scenario(
  'chosen',
  [
    {
      taken: 'cursor pagination',
      left: 'page numbers',
      where: 'the list endpoints',
      reason: 'rows are inserted at the top all day, so page two repeats what page one showed',
      wordings: [
        'why cursor pagination and not page numbers',
        'why did we choose cursors over pages',
        'how did we decide to walk through long result lists',
        'reason listing uses an opaque marker rather than an offset',
      ],
    },
    {
      taken: 'ULIDs',
      left: 'serial integers',
      where: 'public ids',
      reason: 'a competitor could read our order count off the invoice address',
      wordings: [
        'why ULIDs instead of integers',
        'why are public ids ULIDs',
        'why can customers not see sequential numbers',
        'reason identifiers are not counted up',
      ],
    },
    {
      taken: 'SQLite',
      left: 'LevelDB',
      where: 'the local cache',
      reason: 'we want to look into it with a tool everybody has, and a crash left LevelDB unreadable twice',
      wordings: [
        'why is the local cache sqlite',
        'why sqlite over leveldb',
        'why did we pick a relational file to store things offline',
        'which embedded database did we prefer and for what reason',
      ],
    },
    {
      taken: 'server-sent events',
      left: 'WebSockets',
      where: 'progress updates',
      reason: 'traffic goes one way and the proxy at our largest customer closes upgraded connections',
      wordings: [
        'why server-sent events rather than websockets',
        'why no websockets for progress',
        'how is progress streamed to the browser and for what reason',
        'which push technique did we settle on because of a customer proxy',
      ],
    },
    {
      taken: 'argon2id',
      left: 'bcrypt',
      where: 'password storage',
      reason: 'bcrypt cuts off after 72 bytes and our passphrases are longer',
      wordings: [
        'why argon2id',
        'why not bcrypt',
        'which hash do we keep credentials with and what decided it',
        'reason for changing how passphrases are hashed',
      ],
    },
    {
      taken: 'one repository',
      left: 'five repositories',
      where: 'the SDKs',
      reason: 'a change of the protocol needed five pull requests in the right order',
      wordings: [
        'why are the SDKs in one repository',
        'why did we merge the SDK repositories',
        'what convinced us to go monorepo with the client libraries',
        'reason client packages live together',
      ],
    },
  ],
  ({ taken, left, where, reason, wordings }, { source }) => ({
    turns: [
      turn(
        0,
        said(`For ${where}: ${taken} or ${left}? Give me both sides before I decide.`),
        replied(
          `For ${left}: everybody knows it and there is less to write. For ${taken}: it is the sounder choice in the long run, with more work at the start. Both fit into \`${source}\`.`,
        ),
      ),
      turn(
        1,
        said(`We go with ${taken} for ${where}, not ${left}: ${reason}.`, 'why'),
        edited(source),
        replied(`Understood and written that way: ${taken} for ${where}, since ${reason}.`, 'why'),
      ),
      turn(
        14,
        said(`Write the page about ${where} for the docs.`),
        replied(
          `I added a page on ${where}; it describes ${taken} with two examples and says nothing about how we came to it.`,
        ),
      ),
    ],
    asked: [{ intent: 'why', mark: 'why', wordings }],
  }),
);

/** A decision that was later reversed: the old one is still in memory and must not be given as the answer. */
export const reversed = scenario(
  'reversed',
  [
    {
      subject: 'retries of outgoing calls',
      first: 'retry three times with a fixed pause of one second',
      second: 'retry five times with exponential backoff and jitter, at most thirty seconds in all',
      because: 'all clients came back at the same second after the outage and took the service down again',
      now: [
        'what did we decide about retries',
        'what is our current retry policy',
        'how many attempts do we make when a request to another service fails',
        'how long do we wait between attempts nowadays',
      ],
      before: [
        'what was the retry policy before the backoff',
        'how did we retry at first',
        'original rule for repeating failed calls',
        'what did we do about repeating calls before we changed our minds',
      ],
    },
    {
      subject: 'feature flags',
      first: 'keep flags in a YAML file that is read at start',
      second: 'keep flags in the database with a one minute cache',
      because: 'switching a flag off needed a deployment while customers were waiting',
      now: [
        'where do feature flags live now',
        'what do we do about feature flags today',
        'how can I toggle something in production without shipping',
        'which place are switches for unfinished features kept in currently',
      ],
      before: [
        'where were feature flags kept at the beginning',
        'how did feature flags work originally',
        'first version of toggles configuration',
        'how were switches configured before they moved',
      ],
    },
    {
      subject: 'database migrations',
      first: 'run migrations when the server starts',
      second: 'run migrations as a separate job before the rollout',
      because: 'two instances started at once and each held the lock the other wanted',
      now: [
        'when are migrations run now',
        'what is the rule for running migrations',
        'how do schema changes get applied during a deploy today',
        'which step of the rollout upgrades the tables',
      ],
      before: [
        'how were migrations run at first',
        'what did we do with migrations originally',
        'did the application ever change its own schema when booting',
        'initial approach to applying schema changes',
      ],
    },
    {
      subject: 'log levels',
      first: 'log every request at info',
      second: 'log one line in a hundred at info and all failures',
      because: 'the log bill was higher than the one for the servers',
      now: [
        'how do we log requests now',
        'what is decided about request logging',
        'which share of traffic ends up in the logs',
        'are successful calls still written down',
      ],
      before: [
        'how did we log requests at the start',
        'what was the first logging rule',
        'did we once write down everything that came in',
        'logging policy before sampling',
      ],
    },
    {
      subject: 'branch names',
      first: 'name branches after the ticket number',
      second: 'name branches after what they do, in two or three words',
      because: 'nobody could tell at a glance what a list of numbers was about',
      now: [
        'how do we name branches',
        'what is the branch naming rule now',
        'what should I call the thing I push my work to',
        'current agreement on how to call a topic branch',
      ],
      before: [
        'how did we name branches before',
        'what was the old branch naming',
        'did branches once carry ticket ids',
        'earlier agreement on calling branches',
      ],
    },
    {
      subject: 'the minimum supported browser',
      first: 'support the last two versions of every browser',
      second: 'support Safari 15 and everything newer',
      because: 'eleven percent of the orders came from old iPads in shops',
      now: [
        'which browsers do we support now',
        'what is the minimum browser version',
        'how far back do we go for apple tablets',
        'oldest safari that must work',
      ],
      before: [
        'which browsers did we support in the beginning',
        'what was the earlier browser policy',
        'what did we promise about browser versions at first',
        'browser support before the tablets complaint',
      ],
    },
  ],
  ({ subject, first, second, because, now, before }, { source, other }) => ({
    turns: [
      turn(
        0,
        said(`About ${subject}: let's ${first}. That is good enough for now.`, 'before'),
        edited(source),
        replied(`Decided and done: we ${first}.`, 'before'),
      ),
      turn(
        11,
        said(`Somebody asked me about ${subject}. Show me where it is handled.`),
        replied(`It is handled in \`${source}\`; \`${other}\` only passes the settings through.`),
      ),
      turn(
        31,
        said(`I changed my mind on ${subject}. From today on we ${second}: ${because}.`, 'now'),
        edited(source),
        edited(other),
        replied(`Changed. We ${second} now, because ${because}.`, 'now'),
      ),
    ],
    asked: [
      { intent: 'now', mark: 'now', wordings: now },
      { intent: 'why', mark: 'before', wordings: before },
    ],
  }),
);

/** A proposal was rejected; nobody should propose it again. */
export const refused = scenario(
  'refused',
  [
    {
      idea: 'caching the permission check for a minute',
      no: 'a fired employee must be out at once, not sixty seconds later',
      wordings: [
        'did we consider caching the permission check',
        'why do we not cache permissions',
        'what is wrong with remembering access rights for a short while',
        'was there an objection to keeping authorization results around',
      ],
    },
    {
      idea: 'generating the client from the OpenAPI file',
      no: 'the generator renames methods between its own versions and breaks everybody who upgrades',
      wordings: [
        'did we think about generating the client from openapi',
        'why is the client not generated',
        'why do we write the SDK by hand',
        'objection against code generation for the API wrapper',
      ],
    },
    {
      idea: 'one big transaction around the import',
      no: 'it held locks for eleven minutes in the trial run and the shop stood still',
      wordings: [
        'why not one transaction around the import',
        'did we try or reject a single transaction for importing',
        'why may a partially finished import be visible',
        'what happened to the all-or-nothing idea when loading data',
      ],
    },
    {
      idea: 'letting users write their own SQL in reports',
      no: 'a cross join of one customer would slow down all the others, whatever limit we set',
      wordings: [
        'why can users not write sql in reports',
        'was custom sql in reporting rejected',
        'why is there no free query box for analysts',
        'what is the danger of letting customers run queries themselves',
      ],
    },
    {
      idea: 'storing uploads in the database',
      no: 'the backup would go from ten minutes to four hours',
      wordings: [
        'why do uploads not go into the database',
        'did we decide against uploads inside the database',
        'why are attachments kept on disk',
        'what about blobs in tables, was that discussed',
      ],
    },
    {
      idea: 'a second language for the hot path',
      no: 'only one of us could maintain it and profiling showed that we wait for the disk anyway',
      wordings: [
        'why not rewrite the hot path in another language',
        'was a rewrite of the hot path in a second language refused',
        'did anyone suggest rust for speed and what came of it',
        'what spoke against a native module for performance',
      ],
    },
  ],
  ({ idea, no, wordings }, { source, area }) => ({
    turns: [
      turn(
        0,
        said(`What do you think could make ${area} better? Just ideas.`),
        replied(
          `Three ideas for ${area}: smaller functions in \`${source}\`, a test for the error path, or ${idea}. The last one brings the most and costs the most.`,
        ),
      ),
      turn(
        0,
        said(`No to ${idea}: ${no}. Don't bring it up again, the other two are fine.`, 'no'),
        edited(source),
        replied(`Understood, ${idea} is off the table, because ${no}. I did the other two.`, 'no'),
      ),
    ],
    asked: [{ intent: 'why', mark: 'no', wordings }],
  }),
);
