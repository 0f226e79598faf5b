import { type GivenMemory, prepareSoon } from '../memories/prepare.ts';
import { reindexJob } from '../memories/save.ts';
import type { TeamParts } from '../parts.ts';
import { checkPermission, forPeople, forWriters } from '../people/permissions.ts';
import type { TokenHash } from '../store/team-store.ts';

/** What a project's files say of it, as a laptop gathered it. */
export interface BroughtKnowledge {
  parts: { ref: string; text: string; title: string; files: string[] }[];
}

/** Apart from what other programs may keep under the source `knowledge`. */
const prefix = 'knowledge.json/';

/** Takes the place of all that was brought before: what is no longer in the file is no longer here. */
export async function takeKnowledge(
  { store, embedder, redactor, clock }: TeamParts,
  token: TokenHash,
  project: string,
  brought: BroughtKnowledge,
) {
  checkPermission(await store.member(token, project), forWriters);
  const given = brought.parts.map(
    ({ ref, text, title, files }): GivenMemory => ({
      source: 'knowledge',
      sourceRef: `${prefix}${ref}`,
      text: redactor.redact(text),
      metadata: { ...redactor.redactDeep({ title, files }), origin: 'repository', trust: 0 },
      at: clock.now(),
      links: files.map((target) => ({ relation: 'file', target })),
    }),
  );
  // Cut and judged before anything is locked: a model may take seconds.
  const { prepared, model } = await prepareSoon({ embedder, clock }, project, given);
  return store.inProject(token, project, async (work) => {
    checkPermission(work.member, forWriters);
    const saved = await work.save(prepared, model);
    if (saved.some(({ embeddedAt }) => embeddedAt === null)) await work.askFor(reindexJob);
    const gone = await work.knowledge.othersUnder(
      prefix,
      given.map(({ sourceRef }) => sourceRef),
    );
    for (const sourceRef of gone) await work.removeSource('knowledge', sourceRef);
    await work.knowledge.markBrought();
    const changed = saved.filter(({ isChanged }) => isChanged).length;
    if (changed + gone.length > 0)
      await work.note('knowledge.bring', project, { changed, removed: gone.length });
    return { project, kept: saved.length, changed, removed: gone.length };
  });
}

/** The next laptop whose user has brought it before brings it again, by itself; others are told of the wish. */
export const wantKnowledge = ({ store }: Pick<TeamParts, 'store'>, token: TokenHash, project: string) =>
  store.inProject(token, project, async (work) => {
    checkPermission(work.member, forPeople);
    await work.knowledge.want();
    await work.note('knowledge.want', project);
    return { project, status: 'wanted' };
  });
