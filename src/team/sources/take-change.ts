import type { ChangeOutcome, SourceChange } from '../../domain/source-change.ts';
import type { Embedder } from '../../models/embed.ts';
import { documentIdOf, prepareSoon } from '../memories/prepare.ts';
import { reindexJob } from '../memories/save.ts';
import type { TeamParts } from '../parts.ts';
import type { SourceState } from '../store/team-sources.ts';
import type { PreparedMemory, ProjectWork } from '../store/team-store.ts';

/** Runs work in the project, however whoever brings the change was let in; undefined when it was done before. */
type InProject = <T>(work: (project: ProjectWork) => Promise<T>) => Promise<T | undefined>;

export interface TakenChange {
  outcome: ChangeOutcome | 'repeated';
  documentId: string;
}

/**
 * Takes over what happened to an issue, a comment or a job. It is kept when this returns, whatever the model does:
 * without its vectors words find it, and a job makes them.
 */
export async function takeChange(
  parts: Pick<TeamParts, 'embedder' | 'redactor' | 'clock'>,
  project: string,
  origin: string,
  told: SourceChange,
  inProject: InProject,
): Promise<TakenChange> {
  const { redactor } = parts;
  const change =
    told.change === 'saved'
      ? {
          ...told,
          text: redactor.redact(told.text),
          // Said last, so that nobody says otherwise: this came from outside, and from where.
          metadata: { ...redactor.redactDeep(told.metadata), origin, trust: 0 },
          links: redactor.redactDeep(told.links),
        }
      : told;
  const documentId = documentIdOf(project, change);
  const { memory, model } = await prepareQuickly(project, change, parts);
  const outcome = await inProject(async (work): Promise<ChangeOutcome> => {
    const state = await work.sources.state(change);
    const outcome = outcomeOf(change, state);
    if (outcome === 'stale' || outcome === 'gone') return outcome;
    await work.sources.keepState(change, { at: change.at, isRemoved: outcome === 'deleted' });
    if (outcome === 'saved') return save(work, memory, model);
    return remove(work, change, outcome === 'deleted');
  });
  return { outcome: outcome ?? 'repeated', documentId };
}

/** Whether a change may be taken over, in whatever order deliveries come. */
export function outcomeOf(
  change: { change: SourceChange['change']; at: number; isFirst?: boolean },
  { at, isRemoved, isParentRemoved, isKept }: SourceState,
): 'saved' | 'hidden' | 'deleted' | 'stale' | 'gone' {
  if (change.change === 'deleted') return 'deleted';
  if (isRemoved || isParentRemoved) return 'gone';
  if (at === undefined || at < change.at) return change.change;
  if (at > change.at) return 'stale';
  if (change.change === 'hidden') return 'hidden';
  // Clocks of forges count whole seconds: of two changes within one, the later delivery says how it is now. But what
  // somebody removed here comes back only when it says something newer.
  return isKept && change.isFirst !== true ? 'saved' : 'stale';
}

async function save(
  work: ProjectWork,
  memory: PreparedMemory | undefined,
  model: Embedder | undefined,
): Promise<ChangeOutcome> {
  if (memory === undefined) return 'ignored';
  const [saved] = await work.save([memory], model);
  if (saved?.embeddedAt === null) await work.askFor(reindexJob);
  return saved?.isChanged === true ? 'kept' : 'unchanged';
}

/** With an issue its comments go, for which no forge sends a word. */
async function remove(work: ProjectWork, change: SourceChange, isForGood: boolean): Promise<ChangeOutcome> {
  const { source, sourceRef, at } = change;
  let isRemoved = await work.removeSource(source, sourceRef);
  for (const comment of source === 'issue' ? await work.sources.commentsUnder(sourceRef) : []) {
    isRemoved = (await work.removeSource('comment', comment)) || isRemoved;
    const name = { source: 'comment' as const, sourceRef: comment, parent: sourceRef };
    if (isForGood) await work.sources.keepState(name, { at, isRemoved: true });
  }
  if (isRemoved) await work.note('source.remove', sourceRef, { source });
  return isRemoved ? 'removed' : 'ignored';
}

async function prepareQuickly(
  project: string,
  change: SourceChange,
  parts: Pick<TeamParts, 'embedder' | 'clock'>,
): Promise<{ memory?: PreparedMemory | undefined; model?: Embedder | undefined }> {
  if (change.change !== 'saved') return {};
  const { source, sourceRef, text, metadata, at, links } = change;
  const { prepared, model } = await prepareSoon(parts, project, [
    { source, sourceRef, text, metadata, at, links },
  ]);
  const [memory] = prepared;
  return { memory, model };
}
