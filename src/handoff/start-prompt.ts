import type { Snapshot } from '../domain/snapshot.ts';
import { harmlessLine } from '../text/fence.ts';
import type { Brief } from './brief.ts';

/**
 * The first prompt for an agent that takes over work. When this prompt is captured, the brief, which is inside
 * Backstory's tags, is removed, and the rest is recorded as the user's words. A goal that an agent worded is therefore
 * only in the brief.
 */
export function startPrompt({ manifest }: Snapshot, { text }: Pick<Brief, 'text'>): string {
  const goal = manifest.goal_by === 'user' ? harmlessLine(manifest.goal, 240) : '';
  return [
    `Go on with this work${goal === '' ? '' : `: ${goal}`}`,
    '',
    `It was handed to you from another agent. First call the tool session_resume of backstory with snapshot_id ${manifest.snapshot_id}; if you do not have that tool, use the text below, which says the same.`,
    '',
    text,
  ].join('\n');
}
