import { failed, ran, replied, said, turn } from '../../retrieval/story.ts';
import { scenario } from './scenario.ts';

/** A command that took a while to get right; weeks later only its purpose is remembered. */
export const commandFound = scenario(
  'command-found',
  [
    {
      purpose: 'run the migrations',
      wrong: 'npm run migrate',
      error: 'Missing script: "migrate"',
      right: 'npx knex migrate:latest --env staging',
      wordings: [
        'what was the command to run migrations',
        'how do I run the migrations',
        'how did we bring the staging schema up to date',
        'shell line for upgrading the tables with knex',
      ],
    },
    {
      purpose: 'roll back the last migration',
      wrong: 'npx knex migrate:down --all',
      error: 'refusing to roll back 41 migrations',
      right: 'npx knex migrate:down --env staging',
      wordings: [
        'command to roll back a migration',
        'how do I undo the last migration',
        'reverting a schema change on staging, what do I type',
        'step one schema version back',
      ],
    },
    {
      purpose: 'start only the API without the workers',
      wrong: 'docker compose up --no-deps',
      error: 'service "api" depends on undefined service "bus"',
      right: 'docker compose --profile api up --scale worker=0',
      wordings: [
        'how do I start only the api',
        'command to start the api without workers',
        'bring up the backend alone with compose',
        'docker invocation that leaves background processing out',
      ],
    },
    {
      purpose: 'record the HTTP fixtures again',
      wrong: 'pytest --record',
      error: 'error: unrecognized arguments: --record',
      right: 'pytest tests/api --record-mode=rewrite -p no:xdist',
      wordings: [
        'how do I record the fixtures again',
        'command for re-recording http fixtures',
        'refresh the cassettes of the api tests',
        'which pytest flags rewrite stored responses',
      ],
    },
    {
      purpose: 'profile the server for thirty seconds',
      wrong: 'perf record -p 1',
      error: 'perf_event_open: Operation not permitted',
      right: 'node --cpu-prof --cpu-prof-dir=/tmp/prof dist/server.js & sleep 30; kill -INT %1',
      wordings: [
        'how did we profile the server',
        'what is the command for profiling',
        'get a cpu flame graph of the running backend',
        'find out where time goes, which invocation did we use',
      ],
    },
    {
      purpose: 'publish a release candidate',
      wrong: 'npm publish',
      error: 'You cannot publish over the previously published versions',
      right: 'npm version prerelease --preid rc && npm publish --tag next',
      wordings: [
        'how do we publish a release candidate',
        'command for publishing an rc',
        'push a prerelease to the registry without making it the default',
        'steps for a next tag on npm',
      ],
    },
    {
      purpose: 'load the anonymised production dump',
      wrong: 'psql app < dump.sql',
      error: 'invalid command \\restrict',
      right: 'pg_restore --clean --no-owner -d app_dev anonymised.dump',
      wordings: [
        'how do I load the production dump',
        'command to restore the anonymised dump',
        'get realistic data into my local database',
        'import the scrubbed copy of live data',
      ],
    },
    {
      purpose: 'find out which process holds the port',
      wrong: 'netstat -tulpn',
      error: 'netstat: command not found',
      right: "ss -ltnp 'sport = :8080'",
      wordings: [
        'how do I see what process has the port',
        'command to find what is listening',
        'address already in use, how did we find the culprit',
        'who occupies 8080',
      ],
    },
    {
      purpose: 'run one test with the debugger',
      wrong: 'npm test -- --inspect',
      error: 'Unknown option --inspect',
      right: 'node --inspect-brk node_modules/.bin/vitest run --no-file-parallelism src/session.test.ts',
      wordings: [
        'how do I debug a single test',
        'command for one test under the debugger',
        'step through a failing spec, what did we type',
        'attach devtools to vitest',
      ],
    },
    {
      purpose: 'rebuild the search index of one tenant',
      wrong: 'bin/reindex acme',
      error: 'usage: reindex --tenant SLUG [--from DATE]',
      right: 'bin/reindex --tenant acme --from 2026-01-01 --batch 500',
      wordings: [
        'how do I rebuild the search index for a tenant',
        'command to reindex a tenant',
        'search results of a single customer are outdated, what to run',
        'regenerate lookup data for acme only',
      ],
    },
    {
      purpose: 'renew the development certificate',
      wrong: 'openssl req -x509',
      error: 'unable to find distinguished_name in config',
      right: 'mkcert -cert-file certs/dev.pem -key-file certs/dev-key.pem localhost 127.0.0.1',
      wordings: [
        'how do I renew the development certificate',
        'command for the dev certificate',
        'local https expired, how was it recreated',
        'make a trusted tls file for localhost',
      ],
    },
  ],
  ({ purpose, wrong, error, right, wordings }) => ({
    turns: [
      turn(
        0,
        said(`I want to ${purpose}. ${wrong} does not do it any more.`),
        failed(wrong, error),
        ran(right, 'done', 'command'),
        replied(
          `This works to ${purpose}:\n\n\`\`\`\n${right}\n\`\`\`\n\nThe other one failed with "${error}".`,
          'command',
        ),
      ),
      turn(
        6,
        said(
          `Add a section on how to ${purpose} to the README, without the flags, people should read the help.`,
        ),
        replied(`Added: it says what it is good for and points to the help.`),
      ),
    ],
    asked: [{ intent: 'command', mark: 'command', wordings }],
  }),
);
