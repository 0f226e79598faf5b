import type { Embedder } from '../models/embed.ts';
import type { SavedMemory, TokenHash } from '../store/team-store.ts';
import { type Allowed, checkAllowed } from './allowed.ts';
import type { TeamParts } from './parts.ts';
import { type GivenMemory, prepare } from './prepare.ts';

export interface Saving extends Omit<GivenMemory, 'reader'> {
  /** Kept to the person who saves it. */
  isPrivate?: boolean | undefined;
}

/** The job that gives vectors to what has none, of the model that the server has now. */
export const reindexJob = { kind: 'reindex', key: 'all' };

/**
 * Redacts, cuts, judges and keeps. Who asks is found out before anything is judged, and again when it is kept: a model
 * may take seconds, and no connection is held meanwhile.
 */
export async function saveInTeam(
  { store, embedder, redactor }: Pick<TeamParts, 'store' | 'embedder' | 'redactor'>,
  token: TokenHash,
  project: string,
  allowed: Allowed,
  saving: Saving[],
): Promise<SavedMemory[]> {
  const member = await store.member(token, project);
  checkAllowed(member, allowed);
  const given = saving.map(({ isPrivate, ...memory }) => ({
    ...memory,
    text: redactor.redact(memory.text),
    metadata: redactor.redactDeep(memory.metadata ?? {}),
    reader: isPrivate === true ? member.person : undefined,
  }));
  const model = await embedder();
  const { prepared, judgedBy } = await judged(project, given, model);
  return store.inProject(token, project, async (work) => {
    checkAllowed(work.member, allowed);
    const saved = await work.save(prepared, judgedBy);
    // Found by words at once; the vectors follow when the model can be reached again.
    if (saved.some(({ embeddedAt }) => embeddedAt === null)) await work.askFor(reindexJob);
    return saved;
  });
}

async function judged(project: string, given: GivenMemory[], model: Embedder | undefined) {
  try {
    return { prepared: await prepare(project, given, model), judgedBy: model };
  } catch (error) {
    if (model === undefined) throw error;
    return { prepared: await prepare(project, given, undefined), judgedBy: undefined };
  }
}
