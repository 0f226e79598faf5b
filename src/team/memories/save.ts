import type { TeamParts } from '../parts.ts';
import { checkPermission, type Permission } from '../people/permissions.ts';
import type { SavedMemory, TokenHash } from '../store/team-store.ts';
import { type GivenMemory, prepareSoon } from './prepare.ts';

export interface Saving extends Omit<GivenMemory, 'reader'> {
  /** Kept to the person who saves it. */
  isPrivate?: boolean | undefined;
}

/** The job that gives vectors to what has none, of the model that the server has now. */
export const reindexJob = { kind: 'reindex', key: 'all' };

/**
 * Redacts, cuts, judges and keeps. Who asks is found out before anything is embedded, and again when it is kept: a model
 * may take seconds, and no connection is held meanwhile.
 */
export async function saveInTeam(
  { store, embedder, redactor, clock }: Pick<TeamParts, 'store' | 'embedder' | 'redactor' | 'clock'>,
  token: TokenHash,
  project: string,
  allowed: Permission,
  saving: Saving[],
): Promise<SavedMemory[]> {
  const member = await store.member(token, project);
  checkPermission(member, allowed);
  const given = saving.map(({ isPrivate, ...memory }) => ({
    ...memory,
    text: redactor.redact(memory.text),
    metadata: redactor.redactDeep(memory.metadata ?? {}),
    reader: isPrivate === true ? member.person : undefined,
  }));
  const { prepared, model } = await prepareSoon({ embedder, clock }, project, given);
  return store.inProject(token, project, async (work) => {
    checkPermission(work.member, allowed);
    const saved = await work.save(prepared, model);
    // Found by words at once; the vectors follow when the model can be reached again.
    if (saved.some(({ embeddedAt }) => embeddedAt === null)) await work.askFor(reindexJob);
    return saved;
  });
}
