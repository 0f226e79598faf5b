import { AppError } from '../../base/errors.ts';
import type { Member, Requester } from '../../domain/memory.ts';
import type { ProjectWork, TeamProject, TeamStore } from '../store/team-store.ts';
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
import { knowledgeWork, sourceWork } from './sources.ts';
import { noteChanges, noteStates, withdrawNotes } from './sync-notes.ts';
import { appRole, authorized, inOrg, inProject, requesterColumns } from './tenant.ts';
import { createWebhooks } from './webhooks.ts';

/** Implements the team store in Postgres. Row-level security restricts each transaction to what its caller may access. */
export function createTeamStore(database: Database, newestMigration: number): TeamStore {
  return {
    jobs: createJobs(database),
    outbox: createOutbox(database),
    signIns: createSignIns(database),
    webhooks: createWebhooks(database, projectWork),
    browserSessions: createBrowserSessions(database),
    async identify(token) {
      const [requester] = await authorized(() =>
        database.query<Requester>(`select ${requesterColumns} from backstory.identify($1)`, [token]),
      );
      return requester as Requester;
    },
    async member(token, project) {
      const [member] = await authorized(() =>
        database.query<Member>('select * from backstory.member($1, $2)', [token, project]),
      );
      return member as Member;
    },
    projects: (token) =>
      inOrg(database, token, (query, { person, orgRole }) =>
        query<TeamProject>(
          `select p.id, p.name, case when $2 = 'owner' then 'owner' else m.role end as role
           from backstory.project p left join backstory.membership m
             on m.org = p.org and m.project = p.id and m.principal = $1
           where p.org = backstory.current_org() and ($2 = 'owner' or m.role is not null) order by p.name, p.id`,
          [person, orgRole],
        ),
      ),
    search: (token, project, question) => searchMemories(database, token, project, question),
    inProject: (token, project, work) =>
      inProject(database, token, project, (query, member) => work(projectWork(query, member, project))),
    async projectOf(token, documentId) {
      const [row] = await authorized(() =>
        database.query<{ project: string }>('select backstory.project_of($1, $2) as project', [
          token,
          documentId,
        ]),
      );
      return row?.project ?? '';
    },
    async isReady() {
      const [session] = await database.query<{ user: string }>('select current_user::text as "user"');
      if (session?.user !== appRole) throw wrongRole();
      const [row] = await database.query<{ number: number }>(
        'select max(number) as number from backstory.migration',
      );
      if (row?.number !== newestMigration) return false;
      const [state] = await database.query<{ isOwn: boolean }>(`select ${isOwnIdentity} as "isOwn"`);
      if (state?.isOwn !== true) throw unfinishedRestore();
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

/** Implements the operations within a project. The transaction must have entered the project. */
export const projectWork = (query: Query, member: Member, project: string): ProjectWork => ({
  member,
  browse: createBrowse(query, member, project),
  save: (memories, model) => saveAs(query, member, memories, model),
  remove: (documentId) => removeAs(query, member, { documentId }),
  removeSource: async (source, sourceRef) =>
    (await removeAs(query, member, { source, sourceRef })) !== undefined,
  writableSources: (source, sourceRefs) => writableSources(query, member, source, sourceRefs),
  list: (after, limit, source) => listMemories(query, { member, project }, after, limit, source),
  noteStates: (sourceRefs) => noteStates(query, member, sourceRefs),
  withdrawNotes: (sourceRefs) => withdrawNotes(query, member, sourceRefs),
  noteChanges: (after, limit) => noteChanges(query, member, after, limit),
  recordDisputes: (disputes) => recordDisputes(query, member, disputes),
  settleDisputes: (sourceRefs) => settleDisputes(query, member, sourceRefs),
  sources: sourceWork(query),
  knowledge: knowledgeWork(query),
  enqueue: (job, restart) => enqueue(query, job, restart === 'restart'),
  async audit(action, subject, detail) {
    await writeMemberAudit(query, member, action, subject, detail);
  },
});
