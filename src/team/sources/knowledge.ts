import { type MemoryInput, prepareWithTimeout } from '../memories/prepare.ts';
import { reindexJob } from '../memories/save.ts';
import type { TeamParts } from '../parts.ts';
import { checkPermission, forPeople, forWriters } from '../people/permissions.ts';
import type { TokenHash } from '../store/team-store.ts';

/** Facts that a laptop extracted from the project's files. */
export interface KnowledgeUpload {
  parts: { ref: string; text: string; title: string; files: string[] }[];
}

/** Separates these memories from those that other programs save with the source `knowledge`. */
const prefix = 'knowledge.json/';

/** Replaces what the caller uploaded before: facts of theirs that are not in this upload are removed. */
export async function saveKnowledge(
  { store, embedder, redactor, clock }: TeamParts,
  token: TokenHash,
  project: string,
  upload: KnowledgeUpload,
) {
  checkPermission(await store.member(token, project), forWriters);
  const given = upload.parts.map(
    ({ ref, text, title, files }): MemoryInput => ({
      source: 'knowledge',
      sourceRef: `${prefix}${ref}`,
      text: redactor.redact(text),
      metadata: { ...redactor.redactDeep({ title, files }), origin: 'repository', trust: 0 },
      at: clock.now(),
      links: files.map((target) => ({ relation: 'file', target })),
    }),
  );
  // Embed before the transaction: a model may take seconds, and rows must not stay locked meanwhile.
  const { prepared, model } = await prepareWithTimeout({ embedder, clock }, project, given);
  return store.inProject(token, project, async (work) => {
    checkPermission(work.member, forWriters);
    const saved = await work.save(prepared, model);
    if (saved.some(({ embeddedAt }) => embeddedAt === null)) await work.enqueue(reindexJob);
    const others = await work.knowledge.refsExcept(
      prefix,
      given.map(({ sourceRef }) => sourceRef),
    );
    const outdated = await work.writableSources('knowledge', others);
    for (const sourceRef of outdated) await work.removeSource('knowledge', sourceRef);
    await work.knowledge.markUploaded();
    const changed = saved.filter(({ isChanged }) => isChanged).length;
    if (changed + outdated.length > 0)
      await work.audit('knowledge.bring', project, { changed, removed: outdated.length });
    return { project, kept: saved.length, changed, removed: outdated.length };
  });
}

/**
 * Requests a new upload. The next laptop whose user has uploaded knowledge before does it automatically; on other laptops
 * the user sees the request.
 */
export const requestKnowledge = ({ store }: Pick<TeamParts, 'store'>, token: TokenHash, project: string) =>
  store.inProject(token, project, async (work) => {
    checkPermission(work.member, forPeople);
    await work.knowledge.request();
    await work.audit('knowledge.want', project);
    return { project, status: 'wanted' as const };
  });
