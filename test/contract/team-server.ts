import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { createTeamMcp } from '../../src/cmd/team-mcp.ts';
import type { Role, Scope } from '../../src/domain/memory.ts';
import { notePartsOf } from '../../src/memory/notes/note-parts.ts';
import { rememberNote, reviseNote, saveNote } from '../../src/memory/notes/remember.ts';
import { composePrelude } from '../../src/memory/prelude/prelude.ts';
import { createRedactor } from '../../src/memory/redact/redact.ts';
import type { Embedder } from '../../src/models/embed.ts';
import { loadStaticModel } from '../../src/models/static-embed.ts';
import { interactiveBounds, syncNotes } from '../../src/remote/sync.ts';
import type { ClientAddress } from '../../src/team/http/client-address.ts';
import { createLimits, type LimitOptions } from '../../src/team/http/limits.ts';
import { createMetrics } from '../../src/team/http/metrics.ts';
import { type RunningTeamServer, startTeamServer } from '../../src/team/http/server.ts';
import type { TeamParts } from '../../src/team/parts.ts';
import { hashOfToken, makeToken } from '../../src/team/people/token.ts';
import { connect, type Database } from '../../src/team/postgres/connect.ts';
import { readMigrations } from '../../src/team/postgres/migrate.ts';
import { createTeamOperation } from '../../src/team/postgres/team-operation.ts';
import { createTeamStore } from '../../src/team/postgres/team-store.ts';
import { appRole } from '../../src/team/postgres/tenant.ts';
import type { TeamStore, TokenHash } from '../../src/team/store/team-store.ts';
import { createBroadcast } from '../../src/team/sync/broadcast.ts';
import { checkAnswer } from '../support/check-answer.ts';
import { createMemoryHome, type MemoryHome } from '../support/memory-home.ts';
import { hangMs } from '../support/until.ts';
import { type FreshDatabase, migrationFolder } from './postgres-server.ts';

export interface TestPerson {
  id: string;
  token: string;
  hash: TokenHash;
}

export interface TestTeam {
  org: string;
  project(name: string): Promise<string>;
  person(name: string, roles: Record<string, Role>, scopes?: Scope[]): Promise<TestPerson>;
  device(name: string, person: TestPerson, scopes?: Scope[]): Promise<TestPerson>;
  token(principal: string, scopes?: Scope[], expires?: string): Promise<TestPerson>;
  join(project: string, person: TestPerson): Promise<unknown>;
  revoke(principal: string): Promise<unknown>;
}

/** An organisation with members, created through the operator's functions. */
export async function aTeam(database: Database, name: string): Promise<TestTeam> {
  const operation = createTeamOperation(database, systemClock);
  const org = await operation.createOrg(name);
  const token = async (id: string, scopes: Scope[] = ['read', 'write'], expires?: string) => {
    const made = makeToken();
    const hash = hashOfToken(made);
    await operation.createToken(org, id, { hash, scopes, expires });
    return { id, token: made, hash };
  };
  return {
    org,
    token,
    project: (projectName) => operation.createProject(org, projectName),
    async person(personName, roles, scopes) {
      const id = await operation.createPrincipal(org, { name: personName, orgRole: 'member' });
      for (const [project, role] of Object.entries(roles)) await operation.setRole(org, project, id, role);
      return token(id, scopes);
    },
    device: async (deviceName, person, scopes) =>
      token(await operation.createDevice(org, person.id, deviceName), scopes),
    join: (project, person) => operation.setRole(org, project, person.id, 'member'),
    revoke: (principal) => operation.revokeTokens(org, principal),
  };
}

/** Opens the store as the server does, without owner privileges. */
export function openTeamStore(url: string, connections = 4): { store: TeamStore; database: Database } {
  const database = connect(url, () => {}, connections, appRole);
  return { database, store: createTeamStore(database, readMigrations(migrationFolder).length) };
}

/** The dependencies of a server with this store. Its redactor knows no secret values. */
export function teamPartsOf(store: TeamStore, embedder: Embedder): TeamParts {
  const known = {
    version: '0',
    clock: systemClock,
    store,
    embedder,
    redactor: createRedactor({ values: [] }),
    broadcast: createBroadcast(store.outbox, () => {}),
  };
  return { ...known, mcp: createTeamMcp(known) };
}

export const roomy: LimitOptions = { perSecond: 10_000, burst: 10_000, atOnce: 4, waiting: 100 };

export const startTestServer = (
  parts: TeamParts,
  {
    limits = roomy,
    clientAddress,
    onFailure,
  }: {
    limits?: LimitOptions;
    clientAddress?: ClientAddress | undefined;
    onFailure(error: unknown, where: string): void;
  },
): Promise<RunningTeamServer> =>
  startTeamServer({
    parts,
    limits: createLimits(limits, systemClock),
    metrics: createMetrics(),
    clientAddress,
    onAnswer: checkAnswer,
    onFailure,
    host: '127.0.0.1',
    port: 0,
  });

/** A running server, an organisation in it, its project `queue` and a member of the project. */
export interface ServedTeam {
  server: RunningTeamServer;
  store: TeamStore;
  team: TestTeam;
  project: string;
  ann: TestPerson;
}

/**
 * Serves a team for the tests of a block and passes it to `ready` before they start. The block fails if the server
 * reported a failure.
 */
export function useTeamServer(
  fresh: FreshDatabase,
  ready: (served: ServedTeam) => void | Promise<void>,
): void {
  const failures: string[] = [];
  let close = async (): Promise<void> => {};
  beforeAll(async () => {
    const { store, database } = openTeamStore(fresh.url);
    const team = await aTeam(fresh.database, 'ours');
    const project = await team.project('queue');
    const ann = await team.person('ann', { [project]: 'member' });
    const server = await startTestServer(teamPartsOf(store, loadStaticModel('assets/static-en.bin')), {
      onFailure: (error, where) => failures.push(`${where}: ${String(error)}`),
    });
    close = async () => {
      await server.close();
      await database.close();
    };
    await ready({ server, store, team, project, ann });
  });
  afterAll(async () => {
    await close();
    expect(failures).toEqual([]);
  });
}

/** Laptops of a team: each has its own home, in which the note functions of the product run. */
export function useLaptops() {
  const homes: MemoryHome[] = [];
  afterEach(() => {
    for (const home of homes.splice(0)) home.remove();
  });
  return async (url: string, team: TestTeam, project: string, person: TestPerson, actor: string) => {
    const home = createMemoryHome();
    homes.push(home);
    home.clock.set(Date.now());
    const { token, id: device } = await team.device(`${actor}-${Math.random()}`, person);
    const open = () => ({ ...home.open(), actor });
    const desk = () => notePartsOf(open());
    const membership = { v: 1 as const, url, project, name: 'queue' };
    return {
      home,
      open,
      desk,
      membership,
      token,
      device,
      notes: () => open().notes.list(),
      sync: (...chosen: string[]) =>
        syncNotes({ parts: open(), membership, token, chosen }, { ...interactiveBounds, timeoutMs: hangMs }),
      async share(text: string) {
        const about = { kind: 'decision' as const, concepts: [], files: [], trust: 3 as const };
        const note = await rememberNote(desk(), { text, ...about, author: actor });
        await saveNote(desk(), reviseNote(desk(), note, { visibility: 'team' }), 'edit');
        return note;
      },
      async prelude() {
        await home.drain();
        const reading = open().access.forReading();
        if (reading === undefined) throw new Error('there is no index');
        try {
          const about = { code: undefined, now: 0, project: '' };
          const { lines } = await composePrelude(reading.index, open().notes, about);
          return lines.map(({ text }) => text).join('\n');
        } finally {
          await reading.close();
        }
      },
    };
  };
}
