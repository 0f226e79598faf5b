import type { Role } from '../../src/domain/memory.ts';
import type { Mention } from '../../src/team/store/team-people.ts';
import type { TeamOperation } from '../../src/team/store/team-store.ts';

interface Principal {
  id: string;
  name: string;
  kind: 'user' | 'device';
  isRemoved: boolean;
  isOwner: boolean;
}
type Memory = Pick<Mention, 'documentId' | 'text' | 'author'> & Partial<Mention>;
type ForgeAccount = Awaited<ReturnType<TeamOperation['forgeAccounts']>>[number];

export const principal = (name: string, more: Partial<Principal> = {}): Principal => ({
  id: `id of ${name}`,
  name,
  kind: 'user',
  isRemoved: false,
  isOwner: false,
  ...more,
});

/** A read more than this means that the same batch is read again and again. */
const maxReads = 1_000;

/**
 * An operator's view of one organisation with the projects `main` and `other`, in memory. `done` lists the changes in
 * their order.
 */
export function aTeamInMemory({
  people = [],
  memories = [],
  accounts = [],
  emails = {},
}: {
  people?: Principal[];
  memories?: Memory[];
  accounts?: ForgeAccount[];
  emails?: Record<string, string>;
}) {
  const done: unknown[][] = [];
  const domains: Awaited<ReturnType<TeamOperation['domains']>> = [];
  const projects = ['main', 'other'].map((name) => ({ id: `id of ${name}`, name }));
  let reads = 0;
  const contains = ({ text }: Memory, names: string[]): boolean =>
    names.some((name) => text.toLowerCase().includes(name.toLowerCase()));
  const note = (...change: unknown[]): void => {
    done.push(change);
  };
  const operation = {
    orgs: async () => [{ id: 'org', name: 'acme' }],
    projects: async () => projects,
    principals: async () => people,
    createPrincipal: async (_: string, { name, orgRole }: { name: string; orgRole: string }) => {
      note('create', name, orgRole);
      return `id of ${name}`;
    },
    restore: async (_: string, id: string) => note('restore', id),
    makeOwner: async (_: string, id: string) => note('make owner', id),
    setRole: async (_: string, project: string, id: string, role: Role | undefined) =>
      note('role', project, id, role),
    link: async (_: string, id: string, account: object) => note('link', id, account),
    emailOf: async (_: string, id: string) => emails[id],
    forgeAccounts: async () => accounts,
    linkForge: async (_: string, id: string, { account }: ForgeAccount) => note('link forge', account, id),
    unlinkForge: async (_: string, account: string) => note('unlink forge', account),
    domains: async () => domains,
    allowDomain: async (_: string, rule: (typeof domains)[number]) => {
      domains.push(rule);
    },
    removeDomain: async (_: string, domain: string) => {
      const removed = domains.filter((rule) => rule.domain === domain);
      for (const rule of removed) domains.splice(domains.indexOf(rule), 1);
      return removed;
    },
    disable: async (_: string, id: string) => note('disable', id),
    reassign: async (_: string, from: string, to: string) => {
      note('reassign', from, to);
      return 3;
    },
    removeBelongings: async (_: string, id: string, which: string) => {
      note('remove', which, id);
      return 2;
    },
    belongings: async (_: string, __: string, names: string[]) => ({
      team: 4,
      private: 1,
      mentions: memories.filter((memory) => contains(memory, names)).length,
    }),
    mentions: async (_: string, project: string, names: string[], after: string, limit: number) => {
      if (++reads > maxReads) throw new Error('the same memories are read again and again');
      return project !== 'id of main'
        ? []
        : memories
            .filter((memory) => memory.documentId > after && contains(memory, names))
            .toSorted((a, b) => (a.documentId < b.documentId ? -1 : 1))
            .slice(0, limit)
            .map((memory) => ({
              source: 'note',
              sourceRef: memory.documentId,
              metadata: {},
              reader: null,
              at: 0,
              links: [],
              hash: memory.text,
              ...memory,
            }));
    },
    /** Skips those that were changed since they were read, as the database does. */
    rewrite: async (_: string, __: string, written: Parameters<TeamOperation['rewrite']>[2]) => {
      const unchanged = written.flatMap((one) => {
        const stored = memories.find(
          ({ documentId, text }) => documentId === one.memory.sourceRef && text === one.hash,
        );
        return stored === undefined ? [] : [{ one, stored }];
      });
      for (const { one, stored } of unchanged) {
        note('rewrite', stored.documentId, one.author);
        Object.assign(stored, {
          text: one.memory.text,
          metadata: one.memory.metadata,
          links: one.memory.links,
        });
      }
      return unchanged.length;
    },
    anonymise: async (_: string, id: string, names: string[]) => note('anonymise', id, names),
    findNames: async (_: string, names: string[]) =>
      memories.filter((memory) => contains(memory, names)).map(() => ({ place: 'memory.text', rows: 1 })),
  };
  return { operation: operation as unknown as TeamOperation, done, memories, domains };
}
