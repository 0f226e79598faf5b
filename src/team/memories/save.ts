import type { TeamParts } from '../parts.ts';
import { checkPermission, type Permission } from '../people/permissions.ts';
import type { SavedMemory, TokenHash } from '../store/team-store.ts';
import { type MemoryInput, prepare } from './prepare.ts';

export interface NewMemory extends Omit<MemoryInput, 'reader'> {
  isPrivate?: boolean | undefined;
}

/**
 * Redacts, splits, embeds and saves memories. Permissions are checked before embedding and again when saving, because
 * embedding may take seconds and no database connection is held meanwhile.
 */
export async function saveInTeam(
  { store, embedder, redactor }: Pick<TeamParts, 'store' | 'embedder' | 'redactor'>,
  token: TokenHash,
  project: string,
  allowed: Permission,
  saving: NewMemory[],
): Promise<SavedMemory[]> {
  const member = await store.member(token, project);
  checkPermission(member, allowed);
  const given = saving.map(({ isPrivate, ...memory }) => ({
    ...memory,
    text: redactor.redact(memory.text),
    metadata: redactor.redactDeep(memory.metadata ?? {}),
    reader: isPrivate === true ? member.person : undefined,
  }));
  const prepared = await prepare(project, given, embedder);
  return store.inProject(token, project, async (work) => {
    checkPermission(work.member, allowed);
    return work.save(prepared, embedder);
  });
}
