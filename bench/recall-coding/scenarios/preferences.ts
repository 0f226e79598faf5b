import { edited, noted, replied, said, turn } from '../../retrieval/story.ts';
import { scenario } from './scenario.ts';

/** A preference that the user told the agent once and does not want to repeat. */
export const told = scenario(
  'told',
  [
    {
      rule: 'Name booleans as claims: isOpen, hasRows, never openFlag or rowCheck.',
      task: 'a switch for the archive view',
      wordings: [
        'what did I tell you about naming booleans',
        'how should boolean variables be named',
        'which naming did I ask for with true false values',
        'my wish about flags in variable names',
      ],
    },
    {
      rule: 'Never use abbreviations in public names, write configuration and not cfg, message and not msg.',
      task: 'the options of the client',
      wordings: [
        'what did I say about abbreviations',
        'naming rule for public names',
        'may I shorten words in the exported api',
        'did I object to cfg and msg',
      ],
    },
    {
      rule: 'Commit messages start with the area, then what changes for the user, in the present tense.',
      task: 'the pending changes',
      wordings: [
        'how do I want commit messages written',
        'what did I tell you about commit messages',
        'format of the first line when we check something in',
        'preferred tense for describing a change in git',
      ],
    },
    {
      rule: 'Do not add a dependency without asking me first, not even a dev dependency.',
      task: 'left-padding of the invoice numbers',
      wordings: [
        'what did I say about adding dependencies',
        'may you add a dependency',
        'rule about pulling in third party packages',
        'is installing another library allowed without a question',
      ],
    },
    {
      rule: 'Always show me the plan before you edit more than three files.',
      task: 'splitting the settings module',
      wordings: [
        'when do I want to see a plan first',
        'what did I ask about plans before editing',
        'how big may a change be before you have to check with me',
        'approval for larger edits',
      ],
    },
    {
      rule: 'Tests go next to the source file, never into a separate tree.',
      task: 'tests for the tokenizer',
      wordings: [
        'where do I want tests to live',
        'what did I tell you about the location of tests',
        'which folder should specs be put in',
        'is a separate directory for testing ok',
      ],
    },
    {
      rule: 'In SQL I want keywords in lower case and one condition per line.',
      task: 'the query for open invoices',
      wordings: [
        'how should sql be formatted',
        'what did I say about sql style',
        'upper or lower case for select and where',
        'layout I asked for in database queries',
      ],
    },
    {
      rule: 'When something takes longer than a minute, tell me what you are waiting for.',
      task: 'the full build',
      wordings: [
        'what should you do when something takes long',
        'what did I say about long waits',
        'my expectation while a slow job is under way',
        'do I want status messages during lengthy steps',
      ],
    },
    {
      rule: 'Error texts speak to the user: what happened, what to do, no stack trace and no blame.',
      task: 'the message for a full disk',
      wordings: [
        'how should error messages be written',
        'what did I tell you about error texts',
        'tone of what customers read when things go wrong',
        'guideline for failure messages in the interface',
      ],
    },
    {
      rule: 'Use the word workspace everywhere, tenant is only for the database.',
      task: 'the labels of the admin pages',
      wordings: [
        'workspace or tenant, which word',
        'what did I say about the word tenant',
        'terminology for customers accounts in the interface',
        'which term is reserved for storage',
      ],
    },
    {
      rule: 'Answer in German when I write German, but keep code and comments in English.',
      task: 'a comment above the retry loop',
      wordings: [
        'which language should comments be in',
        'what did I tell you about german and english',
        'in what language do you reply to me',
        'rule on languages in conversation versus source',
      ],
    },
    {
      rule: 'Never touch the generated files under gen, change the schema and run the generator.',
      task: 'a new field on the invoice type',
      wordings: [
        'may generated files be edited',
        'what did I say about the gen folder',
        'how do I want changes to machine-written code to be made',
        'what is off limits for manual edits',
      ],
    },
  ],
  ({ rule, task, wordings }, { source }) => ({
    turns: [
      turn(
        0,
        said(`Please do ${task} in ${source}.`),
        edited(source),
        replied(`Done: ${task} is in \`${source}\`.`),
      ),
      turn(
        0,
        said(`Not like that. ${rule}`, 'rule'),
        edited(source),
        replied(`Sorry. I changed it and will keep to that from now on.`),
      ),
    ],
    asked: [{ intent: 'told', mark: 'rule', wordings }],
  }),
);

/** A fact that somebody wrote as a note. */
export const knowledge = scenario(
  'knowledge',
  [
    {
      kind: 'gotcha' as const,
      text: 'The sandbox of the payment provider answers 200 for declined cards; look at `status` in the body, never at the HTTP code.',
      wordings: [
        'what is odd about the payment sandbox',
        'gotcha with declined cards',
        'how do I detect a refused payment in the test environment',
        'why can I not trust the response code of the billing partner',
      ],
    },
    {
      kind: 'gotcha' as const,
      text: 'Node keeps DNS answers for the life of a keep-alive socket: after a failover restart the workers or set maxSockets.',
      wordings: [
        'gotcha about dns and keep-alive',
        'what happens to dns after a failover',
        'why do we still talk to the old host after switching over',
        'stale addresses with persistent connections',
      ],
    },
    {
      kind: 'convention' as const,
      text: 'Money is kept in minor units as integers with the currency beside it; no floating point anywhere, not even in tests.',
      wordings: [
        'how do we store money',
        'convention for amounts of money',
        'are prices floats',
        'what type do we represent cents with',
      ],
    },
    {
      kind: 'convention' as const,
      text: 'Every timestamp in the API is ISO-8601 in UTC with a Z; the client formats it in the zone of the user.',
      wordings: [
        'which format do timestamps have in the api',
        'convention for timestamps',
        'do we send local times to the frontend',
        'how are dates serialised between server and browser',
      ],
    },
    {
      kind: 'knowledge' as const,
      text: 'The staging database is rebuilt from an anonymised copy every Sunday at 04:00; whatever you put there by hand is lost then.',
      wordings: [
        'when is the staging database rebuilt',
        'what happens to staging on sundays',
        'my test records disappeared over the weekend',
        'how long does hand-made data survive in the pre-production environment',
      ],
    },
    {
      kind: 'knowledge' as const,
      text: 'Only Ines and Tomasz can approve a production rollout; the on-call phone is in the wiki under "Bereitschaft".',
      wordings: [
        'who is able to approve rollouts to production',
        'who approves deployments',
        'whose permission do I need to go live',
        'where is the emergency number',
      ],
    },
    {
      kind: 'gotcha' as const,
      text: 'Our load balancer drops headers with an underscore, so X_Request_Id never arrives; use X-Request-Id.',
      wordings: [
        'what does the load balancer do to headers',
        'gotcha with header names',
        'why is the correlation id missing behind the proxy',
        'underscore trouble with requests',
      ],
    },
    {
      kind: 'failed-path' as const,
      text: 'Partitioning the events table by month was tried in spring and rolled back: the unique key would have needed the month in it.',
      wordings: [
        'did we ever partition the events table',
        'why was partitioning rolled back',
        'has splitting the big table by time been attempted',
        'what prevented monthly tables',
      ],
    },
    {
      kind: 'knowledge' as const,
      text: 'The legacy importer runs on the old machine under the desk of accounting; it sends the file at 06:30 and has no retry.',
      wordings: [
        'where does the legacy importer run',
        'when does the legacy file arrive',
        'what is that computer in accounting for',
        'morning data delivery from the old system',
      ],
    },
    {
      kind: 'decision' as const,
      text: 'We do not support Internet-facing self-hosting: licences are checked against our own server and there is no offline mode before 3.0.',
      wordings: [
        'do we support self-hosting',
        'what is decided about offline mode',
        'can a customer run it without reaching our servers',
        'on-premises installation, is that possible',
      ],
    },
  ],
  ({ kind, text, wordings }, { source, area }) => ({
    turns: [
      turn(0, noted(kind, text, 'note')),
      turn(
        3,
        said(`Have a look at ${area}, is anything there out of date?`),
        replied(`\`${source}\` is fine; two comments were older than the code and I corrected them.`),
      ),
    ],
    asked: [{ intent: 'known', mark: 'note', wordings }],
  }),
);
