import type { Scope } from '../../../src/domain/memory.ts';
import { teamRoutes } from '../../../src/team/http/routes.ts';
import { hashOfToken, makeBrowserSession, makeToken } from '../../../src/team/people/token.ts';
import { type Evaluation, exactly, showProgress } from '../../harness/evaluation.ts';
import { createRandom, type Random } from '../../harness/random.ts';
import { openTeamApp, publicUrl, type TeamApp } from '../../harness/team/app.ts';
import {
  addPerson,
  addToken,
  type Person,
  type TeamDatabase,
  withTeamDatabase,
} from '../../harness/team/database.ts';
import { matrix } from './matrix.ts';
import { deliverWrongly, makeWebhooks } from './webhooks.ts';

const nowhere = {
  project: '0198f2c4-0000-7000-8000-0000000000aa',
  memory: '0198f2c4-0000-8000-a000-0000000000bb',
};

/**
 * Tenant isolation: every route with every wrong credential gives the same response for existing and missing objects
 * and changes nothing, and many tenants on few connections each see only their own data.
 */
export const teamIsolation: Evaluation = {
  name: 'team-isolation',
  summary: 'Every route of the team server with wrong credentials, and many tenants on few connections.',
  file: import.meta.filename,
  measures: ['src/team', 'sql', 'src/api', 'src/domain/memory.ts'],
  run: ({ isShort, seed }) =>
    withTeamDatabase('isolation', async (team) => {
      const app = await openTeamApp(team.openStore(4));
      const refused = await tryMatrix(team, app);
      const mixed = await tryTenants(team, app, isShort ? 1_000 : 10_000, createRandom(seed));
      return {
        n: refused.tried + mixed.tried,
        figures: {
          routes: teamRoutes.length,
          'wrong credentials tried': refused.tried,
          'interleaved requests': mixed.tried,
          tenants: mixed.tenants,
          ...Object.fromEntries(
            [...refused.examples, ...mixed.examples, ...app.failures]
              .slice(0, 10)
              .map((example, at) => [`example ${at + 1}`, example]),
          ),
        },
        bars: {
          'routes without a case': exactly(refused.missing, 0),
          'wrongly answered': exactly(refused.wrong, 0),
          'existence told': exactly(refused.told, 0),
          'rows changed by strangers': exactly(refused.changed, 0),
          'foreign rows': exactly(mixed.foreign, 0),
          'own rows missed': exactly(mixed.missed, 0),
          failures: exactly(app.failures.length, 0),
        },
      };
    }),
};

interface Credential {
  name: string;
  authorization: string | undefined;
  headers?: Record<string, string>;
  /** Expected status if the request is about another tenant's project or memory. */
  status: 401 | 403 | 404;
}

/** Headers of a browser with this session on a page of this origin. */
const cookie = (session: string, origin = publicUrl): Record<string, string> => ({
  cookie: `backstory-session=${session}`,
  origin,
});

const bearer = ({ token }: Pick<Person, 'token'>): string => `Bearer ${token}`;

/** Our tenant has data to protect; the others have various kinds of wrong credentials. */
async function tryMatrix({ operation, owner }: TeamDatabase, app: TeamApp) {
  const ours = await operation.createOrg('ours');
  const project = await operation.createProject(ours, 'secret');
  const elsewhere = await operation.createProject(ours, 'elsewhere');
  const owning = await addPerson(operation, ours, 'owning', { [project]: 'owner' });
  const saved = await app.ask({
    method: 'POST',
    path: `/api/projects/${project}/memory`,
    body: { text: 'The secret marker of ours, in shared words.' },
    authorization: bearer(owning),
  });
  const memory = (JSON.parse(saved.body) as { documentId: string }).documentId;
  const theirs = await operation.createOrg('theirs');
  const theirProject = await operation.createProject(theirs, 'theirs');
  const foreign = await addPerson(operation, theirs, 'foreign', { [theirProject]: 'owner' });
  const neighbour = await addPerson(operation, ours, 'neighbour', { [elsewhere]: 'owner' });
  const gone = await addPerson(operation, ours, 'gone', { [project]: 'owner' });
  await operation.revokeTokens(ours, gone.id);
  const late = await addToken(operation, ours, owning.id, ['read', 'write'], '2020-01-01T00:00:00Z');
  const disabled = await addPerson(operation, ours, 'disabled', { [project]: 'owner' });
  await operation.disable(ours, disabled.id);
  const sessionFor = async (org: string, id: string, expires?: string): Promise<string> => {
    const session = makeBrowserSession();
    const hash = hashOfToken(session);
    await operation.createToken(org, id, { hash, scopes: ['read', 'write'], expires });
    return session;
  };
  const signedIn = await sessionFor(ours, owning.id);
  const ended = await sessionFor(ours, owning.id, '2020-01-01T00:00:00Z');
  const elsewhereSignedIn = await sessionFor(theirs, foreign.id);
  const strangers: Credential[] = [
    { name: 'none', authorization: undefined, status: 401 },
    { name: 'malformed', authorization: `Basic ${owning.token}`, status: 401 },
    { name: 'made up', authorization: `Bearer ${makeToken()}`, status: 401 },
    { name: 'expired', authorization: bearer(late), status: 401 },
    { name: 'revoked', authorization: bearer(gone), status: 401 },
    { name: 'disabled', authorization: bearer(disabled), status: 401 },
    { name: 'another tenant', authorization: bearer(foreign), status: 404 },
    { name: 'another project', authorization: bearer(neighbour), status: 404 },
    { name: 'ended session', authorization: undefined, headers: cookie(ended), status: 401 },
    {
      name: 'two sessions',
      authorization: undefined,
      headers: { ...cookie(signedIn), cookie: `backstory-session=${signedIn}; backstory-session=${ended}` },
      status: 401,
    },
    { name: 'session as a token', authorization: `Bearer ${signedIn}`, status: 401 },
    {
      name: 'revoked token as a session',
      authorization: undefined,
      headers: cookie(gone.token),
      status: 401,
    },
    { name: 'made-up session', authorization: undefined, headers: cookie(makeBrowserSession()), status: 401 },
    { name: 'bad token beside a session', authorization: 'Bearer x', headers: cookie(signedIn), status: 401 },
    {
      name: 'session of another tenant',
      authorization: undefined,
      headers: cookie(elsewhereSignedIn),
      status: 404,
    },
  ];
  const reader = await addPerson(operation, ours, 'reader', { [project]: 'reader' });
  const looking = await addPerson(operation, ours, 'looking', { [project]: 'owner' }, ['read'] as Scope[]);
  const insiders: Credential[] = [
    { name: 'reader', authorization: bearer(reader), status: 403 },
    { name: 'read-only token', authorization: bearer(looking), status: 403 },
    {
      name: 'session from another page',
      authorization: undefined,
      headers: cookie(signedIn, 'https://evil.example'),
      status: 403,
    },
  ];
  const outcome = { tried: 0, missing: 0, wrong: 0, told: 0, changed: 0, examples: [] as string[] };
  const webhooks = await makeWebhooks(
    operation,
    { org: ours, project },
    { org: theirs, project: theirProject },
  );
  const before = await digestOf(owner);
  const own = ['The secret marker', ours, project, memory, owning.id];
  for (const { method, path } of teamRoutes) {
    const entry = matrix[`${method} ${path}`];
    if (entry === undefined) {
      outcome.missing += 1;
      outcome.examples.push(`no case for ${method} ${path}`);
      continue;
    }
    for (const credential of [...strangers, ...(entry.writes ? insiders : [])]) {
      const { name, authorization, headers, status } = credential;
      const there = await app.ask({ method, authorization, headers, ...entry.request({ project, memory }) });
      const absent = await app.ask({ method, authorization, headers, ...entry.request(nowhere) });
      outcome.tried += 2;
      const expected = entry.about === 'asker' && status === 404 ? 200 : status;
      const isLeak =
        status !== 403 &&
        own.some((text) => there.body.includes(text) && !(name === 'another project' && text === ours));
      if (there.status !== expected || isLeak) {
        outcome.wrong += 1;
        outcome.examples.push(`${method} ${path}, ${name}: ${there.status} ${there.body.slice(0, 80)}`);
      }
      if (status !== 403 && JSON.stringify(there) !== JSON.stringify(absent)) {
        outcome.told += 1;
        outcome.examples.push(
          `${method} ${path}, ${name}: ${there.body.slice(0, 60)} ≠ ${absent.body.slice(0, 60)}`,
        );
      }
    }
  }
  const delivered = await deliverWrongly(app, webhooks);
  outcome.tried += delivered.tried;
  outcome.told += delivered.told;
  outcome.wrong += delivered.wrong;
  outcome.examples.push(...delivered.examples);
  if ((await digestOf(owner)) !== before) outcome.changed += 1;
  return outcome;
}

const watchedTables = [
  'memory',
  'chunk',
  'vector',
  'edge',
  'outbox',
  'job',
  'token',
  'membership',
  'project',
  'source_state',
  'webhook',
  'webhook_delivery',
  'note_dispute',
];

/** A digest of everything that a foreign request could have changed. */
async function digestOf(owner: TeamDatabase['owner']): Promise<string> {
  const parts = await Promise.all(
    watchedTables.map((table) =>
      owner.query<{ digest: string | null }>(
        `select md5(string_agg(t::text, '|' order by t::text)) as digest from backstory.${table} t`,
      ),
    ),
  );
  return JSON.stringify(parts);
}

interface Tenant {
  project: string;
  person: Person;
  marker: string;
  saved: string[];
}

/** Routes that read a project and end by themselves. */
const readings = Object.keys(matrix).filter(
  (name) => /^GET \/api\/projects\/:id\//.test(name) && !/\/(?:events|live)$/.test(name),
);

const tenantCount = 50;
const atOnce = 12;

/** All tenants send the same request at once. Each response may contain only the mark of its own tenant. */
async function tryTenants({ operation }: TeamDatabase, app: TeamApp, tried: number, random: Random) {
  const tenants: Tenant[] = [];
  for (let number = 0; number < tenantCount; number++) {
    const org = await operation.createOrg(`tenant ${number}`);
    const project = await operation.createProject(org, 'main');
    const person = await addPerson(operation, org, 'person', { [project]: 'owner' });
    tenants.push({ project, person, marker: `mark${'abcdefghij'[number % 10]}${number}x`, saved: [] });
  }
  const outcome = { tried, tenants: tenantCount, foreign: 0, missed: 0, examples: [] as string[] };
  let done = 0;
  const one = async (): Promise<void> => {
    const tenant = random.pick(tenants);
    const authorization = bearer(tenant.person);
    const base = `/api/projects/${tenant.project}/memory`;
    const dice = random.next();
    let answer: { status: number; body: string };
    if (tenant.saved.length === 0 || dice < 0.2) {
      const text = `${tenant.marker} keeps the shared words of the common queue, number ${done}.`;
      answer = await app.ask({ method: 'POST', path: base, body: { text }, authorization });
      const { documentId } = JSON.parse(answer.body) as { documentId?: string };
      if (documentId !== undefined) tenant.saved.push(documentId);
    } else if (dice < 0.25) {
      answer = await app.ask({ method: 'DELETE', path: `/api/memory/${tenant.saved.pop()}`, authorization });
    } else if (dice < 0.4) {
      const { project } = tenant;
      const { request } = matrix[random.pick(readings)] as (typeof matrix)[string];
      answer = await app.ask({ method: 'GET', authorization, ...request({ project, memory: '' }) });
    } else if (dice < 0.45) {
      const { request } = matrix['POST /mcp/:id'] as (typeof matrix)[string];
      answer = await app.ask({
        method: 'POST',
        authorization,
        ...request({ project: tenant.project, memory: '' }),
      });
      if (!answer.body.includes('shared words')) {
        outcome.missed += 1;
        outcome.examples.push(`${tenant.marker} over MCP: ${answer.status} ${answer.body.slice(0, 80)}`);
      }
    } else {
      const had = tenant.saved.length;
      answer = await app.ask({
        method: 'GET',
        path: `${base}/search?q=shared+words+of+the+common+queue`,
        authorization,
      });
      if (had > 3 && !answer.body.includes(tenant.marker)) {
        outcome.missed += 1;
        outcome.examples.push(`${tenant.marker} found nothing: ${answer.body.slice(0, 80)}`);
      }
    }
    const marks = answer.body.match(/mark[a-j]\d+x/g) ?? [];
    if (marks.some((mark) => mark !== tenant.marker)) {
      outcome.foreign += 1;
      outcome.examples.push(`${tenant.marker} got ${marks.join(' ')}`);
    }
    if (answer.status >= 500) outcome.examples.push(`${answer.status} ${answer.body.slice(0, 80)}`);
  };
  const lane = async () => {
    while (done < tried) {
      done += 1;
      await one();
      showProgress(done, tried);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return outcome;
}
