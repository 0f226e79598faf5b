import type { Snapshot } from '../domain/snapshot.ts';
import { harmlessLine } from '../text/fence.ts';
import type { Brief } from './brief.ts';

/**
 * The first prompt of an agent that takes over. The brief stands within our fence, so that capture cuts it out and
 * what stays of the prompt is what was asked: to go on. It counts as the user's word, so a goal that an agent put
 * into words is told by the brief alone.
 */
export function startPrompt({ manifest }: Snapshot, { text }: Brief): string {
  const goal = manifest.goal_by === 'user' ? harmlessLine(manifest.goal, 240) : '';
  return [
    `Go on with this work${goal === '' ? '' : `: ${goal}`}`,
    '',
    `It was handed to you from another agent. First call the tool session_resume of backstory with snapshot_id ${manifest.snapshot_id}; without that tool, what follows says the same.`,
    '',
    text,
  ].join('\n');
}
