import { AppError } from '../../base/errors.ts';
import type { Member, MemorySource, Requester } from '../../domain/memory.ts';
import type { StatedDispute } from '../../remote/sync-request.ts';
import type { TeamProject } from '../../wire/answers/team.ts';
import type {
  MemoryPage,
  MemoryQuestion,
  ModelName,
  PreparedMemory,
  ProjectWork,
  TokenHash,
} from '../store/team-store.ts';
import { removeAs, saveAs, writableSources, writeMemberAudit } from './authorship.ts';
import { createBrowse } from './browse.ts';
import { createBrowserSessions } from './browser-sessions.ts';
import type { Database, Query } from './connect.ts';
import { isOwnIdentity } from './database-identity.ts';
import { createJobs, enqueue } from './jobs.ts';
import { listMemories } from './memories.ts';
import { recordDisputes, settleDisputes } from './note-disputes.ts';
import { createOutbox } from './outbox.ts';
import { searchMemories } from './search-memories.ts';
import { createSignIns } from './sign-ins.ts';
import { sourceWork } from './sources.ts';
import { noteChanges, noteStates, withdrawNotes } from './sync-notes.ts';
import { appRole, authorized, inOrg, inProject, requesterColumns } from './tenant.ts';
import { createWebhooks } from './webhooks.ts';

/**
 * The store of a team server. Access starts with the hash of a token: the store identifies the caller, throws NOT_FOUND
 * for anything that the caller may not see, and row-level security restricts the rest of the transaction to one project.
 */
export function createTeamStore(database: Database, newestMigration: number) {
  return {
    jobs: createJobs(database),
    outbox: createOutbox(database),
    signIns: createSignIns(database),
    webhooks: createWebhooks(database, projectWork),
    browserSessions: createBrowserSessions(database),
    async identify(token: TokenHash) {
      const [requester] = await authorized(() =>
        database.query<Requester>(`select ${requesterColumns} from backstory.identify($1)`, [token]),
      );
      return requester as Requester;
    },
    async member(token: TokenHash, project: string) {
      const [member] = await authorized(() =>
        database.query<Member>('select * from backstory.member($1, $2)', [token, project]),
      );
      return member as Member;
    },
    projects: (token: TokenHash) =>
      inOrg(database, token, (query, { person, orgRole }) =>
        query<TeamProject>(
          `select p.id, p.name, case when $2 = 'owner' then 'owner' else m.role end as role
           from backstory.project p left join backstory.membership m
             on m.org = p.org and m.project = p.id and m.principal = $1
           where p.org = backstory.current_org() and ($2 = 'owner' or m.role is not null) order by p.name, p.id`,
          [person, orgRole],
        ),
      ),
    search: (token: TokenHash, project: string, question: MemoryQuestion) =>
      searchMemories(database, token, project, question),
    inProject: <T>(token: TokenHash, project: string, work: (project: ProjectWork) => Promise<T>) =>
      inProject(database, token, project, (query, member) => work(projectWork(query, member, project))),
    async projectOf(token: TokenHash, documentId: string) {
      const [row] = await authorized(() =>
        database.query<{ project: string }>('select backstory.project_of($1, $2) as project', [
          token,
          documentId,
        ]),
      );
      return row?.project ?? '';
    },
    /** Whether the database has the tables of this version. Throws if it was restored and `team migrate` has not run. */
    async isReady() {
      const [session] = await database.query<{ user: string }>('select current_user::text as "user"');
      if (session?.user !== appRole) throw wrongRole();
      const [row] = await database.query<{ number: number; isOwn: boolean }>(
        `select max(number) as number, ${isOwnIdentity} as "isOwn" from backstory.migration`,
      );
      if (row?.number !== newestMigration) return false;
      if (!row.isOwn) throw unfinishedRestore();
      return true;
    },
    close: () => database.close(),
  };
}

/** Row-level security protects nothing if the server runs with more privileges than this role. */
const wrongRole = (): AppError =>
  new AppError('BACKEND_FAILURE', `the database connection does not use the role ${appRole}`, {
    hint: `A connection pooler may drop connection options. Run: alter role ACCOUNT set role = '${appRole}'; (docs/guides/team-faults.md)`,
    retryable: true,
  });

/**
 * A restored database may not serve requests before `team migrate` has run: clients would continue from changes that
 * this database does not have.
 */
const unfinishedRestore = (): AppError =>
  new AppError('BACKEND_FAILURE', 'This database was restored from a backup and is not in service yet', {
    hint: 'backstory team migrate',
    retryable: true,
  });

/** Operations in a project's transaction, which must have entered the project. */
export const projectWork = (query: Query, member: Member, project: string) => ({
  member,
  browse: createBrowse(query, member, project),
  /**
   * Saves all memories or none. Each replaces the memory of the same source. The caller becomes the author. Throws
   * FORBIDDEN if the stored text is of somebody else, unless the caller is an operator; this is then audited.
   */
  save: (memories: PreparedMemory[], model: ModelName | undefined) => saveAs(query, member, memories, model),
  remove: (documentId: string) => removeAs(query, member, { documentId }),
  /** The same, by the source. Returns whether there was a memory. */
  removeSource: async (source: MemorySource, sourceRef: string) =>
    (await removeAs(query, member, { source, sourceRef })) !== undefined,
  writableSources: (source: MemorySource, sourceRefs: string[]) =>
    writableSources(query, member, source, sourceRefs),
  /** Lists memories, the last changed one first. */
  list: (after: MemoryPage['next'], limit: number, source?: MemorySource) =>
    listMemories(query, { member, project }, after, limit, source),
  /** Returns the current state of the notes, and locks them until the transaction ends. */
  noteStates: (sourceRefs: string[]) => noteStates(query, member, sourceRefs),
  /** Removes notes that the caller wrote first, and ignores others. Returns the references of those removed. */
  withdrawNotes: (sourceRefs: string[]) => withdrawNotes(query, member, sourceRefs),
  noteChanges: (after: number, limit: number) => noteChanges(query, member, after, limit),
  recordDisputes: (disputes: StatedDispute[]) => recordDisputes(query, member, disputes),
  settleDisputes: (sourceRefs: string[]) => settleDisputes(query, member, sourceRefs),
  sources: sourceWork(query),
  /** Queues the job that makes missing vectors, and those of another model. It is due now, with no attempts counted. */
  reindex: () => enqueue(query, true),
  async audit(action: string, subject: string, detail?: Record<string, unknown>) {
    await writeMemberAudit(query, member, action, subject, detail);
  },
});
