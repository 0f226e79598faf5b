import type { SourceChange } from '../../domain/source-change.ts';
import { prepare } from '../memories/prepare.ts';
import { reindexJob } from '../memories/save.ts';
import type { ProjectWork } from '../store/team-store.ts';
import { proposedRules, ruleRefPrefix } from './review-rules.ts';

/** Remarks that are compared, the latest first. Each is compared with all others, which takes a tenth of a second. */
const maxRemarks = 1_000;

/** Whether a change can make or withdraw a proposal. Everything else is skipped, because comparing takes time. */
export function concernsRules(change: SourceChange): boolean {
  if (change.change !== 'saved') return change.source === 'comment';
  const { kind, pushedAt, isResolved } = change.metadata;
  if (change.source === 'issue') return pushedAt !== undefined || isResolved === true;
  return kind === 'review comment' || kind === 'review';
}

/**
 * Proposes rules that reviewers repeat as notes of the team, with trust 0. Laptops receive them as candidates: they
 * apply nowhere until a person accepts them. A proposal keeps its text, because changing it would make people accept it
 * again. If its remarks are deleted, it is withdrawn. A proposal that a person removed is not made again.
 */
export async function proposeRules(work: ProjectWork, project: string): Promise<void> {
  const rules = proposedRules(await work.sources.reviewRemarks(maxRemarks));
  const known = await work.sources.noteRefs(ruleRefPrefix);
  const wanted = new Set(rules.map(({ sourceRef }) => sourceRef));
  for (const sourceRef of known.filter((ref) => !wanted.has(ref))) {
    await work.removeSource('note', sourceRef);
    await work.audit('rule.withdraw', sourceRef);
  }
  if (rules.length === 0) return;
  const before = new Set((await work.noteStates([...wanted], false)).map(({ sourceRef }) => sourceRef));
  const fresh = rules.filter(({ sourceRef }) => !before.has(sourceRef));
  if (fresh.length === 0) return;
  const prepared = await prepare(
    project,
    fresh.map(({ sourceRef, text, created, updated, evidence }) => ({
      source: 'note',
      sourceRef,
      text,
      metadata: {
        kind: 'convention',
        status: 'proposed',
        author: 'code review',
        origin: 'review',
        trust: 0,
        concepts: [],
        files: [],
        created,
        updated,
        device: '',
        rev: 1,
        evidence: evidence.map(({ author, request, url, isTakenUp }) => ({
          author,
          request,
          url,
          isTakenUp,
        })),
      },
      at: Date.parse(updated),
    })),
    // The transaction must not wait for a model; the job adds the vectors.
    undefined,
  );
  await work.save(prepared, undefined);
  await work.enqueue(reindexJob);
  for (const { sourceRef, evidence } of fresh)
    await work.audit('rule.propose', sourceRef, { remarks: evidence.length });
}
