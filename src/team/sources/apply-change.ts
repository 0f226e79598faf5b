import type { ChangeOutcome, SourceChange } from '../../domain/source-change.ts';
import type { Embedder } from '../../models/embed.ts';
import { documentIdOf, prepare } from '../memories/prepare.ts';
import type { TeamParts } from '../parts.ts';
import type { SourceState } from '../store/team-sources.ts';
import type { PreparedMemory, ProjectWork } from '../store/team-store.ts';

/** Runs work in a transaction of the project. Returns undefined if this delivery was already processed. */
type InProject = <T>(work: (project: ProjectWork) => Promise<T>) => Promise<T | undefined>;

/** Saves a change to an issue, a comment or a job. The change is stored when this returns. */
export async function applyChange(
  { embedder, redactor }: Pick<TeamParts, 'embedder' | 'redactor'>,
  project: string,
  origin: string,
  received: SourceChange,
  inProject: InProject,
) {
  const change =
    received.change === 'saved'
      ? {
          ...received,
          text: redactor.redact(received.text),
          // These come last, so that metadata from outside cannot override them.
          metadata: { ...redactor.redactDeep(received.metadata), origin, trust: 0 },
          links: redactor.redactDeep(received.links),
        }
      : received;
  const documentId = documentIdOf(project, change);
  const [memory] = change.change === 'saved' ? await prepare(project, [change], embedder) : [];
  const outcome = await inProject(async (work): Promise<ChangeOutcome> => {
    const state = await work.sources.state(change);
    const outcome = outcomeOf(change, state);
    if (outcome === 'stale' || outcome === 'gone') return outcome;
    await work.sources.saveState(change, { at: change.at, isRemoved: outcome === 'deleted' });
    return outcome === 'saved' && change.change === 'saved' && memory !== undefined
      ? save(work, change, { memory, embedder })
      : remove(work, change, outcome === 'deleted');
  });
  return { outcome: outcome ?? 'repeated', documentId };
}

/** Decides what happens to a memory when a change of its source is reported. Deliveries may arrive in any order. */
export function outcomeOf(
  change: { change: SourceChange['change']; at: number; isFirst?: boolean },
  { at, isRemoved, isParentRemoved, isKept }: SourceState,
): 'saved' | 'hidden' | 'deleted' | 'stale' | 'gone' {
  if (change.change === 'deleted') return 'deleted';
  if (isRemoved || isParentRemoved) return 'gone';
  if (at === undefined || at < change.at) return change.change;
  if (at > change.at) return 'stale';
  if (change.change === 'hidden') return 'hidden';
  // Forges such as GitHub report times in whole seconds, so of two changes in the same second the later delivery
  // wins. A memory that was removed on this server comes back only with a newer change.
  return isKept && change.isFirst !== true ? 'saved' : 'stale';
}

/**
 * Saves a memory with the stored values of the fields that the change does not report. Whoever wrote a text stays its
 * writer as long as it is the same.
 */
async function save(
  work: ProjectWork,
  { keeps = [], ...name }: Extract<SourceChange, { change: 'saved' }>,
  { memory, embedder }: { memory: PreparedMemory; embedder: Embedder },
): Promise<ChangeOutcome> {
  const { metadata, account = name.writer } = await work.sources.stored(name, memory.text);
  const kept = keeps.filter((field) => field in metadata && !(field in memory.metadata));
  const fields = Object.fromEntries(kept.map((field) => [field, metadata[field]]));
  const { account: _, ...own } = memory.metadata;
  const whole = { ...own, ...fields, ...(account === undefined ? {} : { account }) };
  const [saved] = await work.save([{ ...memory, metadata: whole }], embedder);
  return saved?.isChanged === true ? 'kept' : 'unchanged';
}

/** Removing an issue removes its comments too, because GitHub and GitLab send no event for them. */
async function remove(work: ProjectWork, change: SourceChange, isPermanent: boolean): Promise<ChangeOutcome> {
  const { source, sourceRef, at } = change;
  let isRemoved = await work.removeSource(source, sourceRef);
  const comments = source === 'issue' ? await work.sources.commentsUnder(sourceRef) : [];
  for (const comment of await work.writableSources('comment', comments)) {
    isRemoved = (await work.removeSource('comment', comment)) || isRemoved;
    const name = { source: 'comment' as const, sourceRef: comment, parent: sourceRef };
    if (isPermanent) await work.sources.saveState(name, { at, isRemoved: true });
  }
  if (isRemoved) await work.audit('source.remove', sourceRef, { source });
  return isRemoved ? 'removed' : 'ignored';
}
