import { nextDigest } from '../memory/notes/learn-from-digests.ts';
import { fence, harmlessLine, randomBoundary } from '../text/fence.ts';
import { cutToBytes } from './answer.ts';
import type { McpParts } from './parts.ts';

/** `get_notes` opens the next past session under this id. */
export const learnId = 'learn';

const [maxKnownBytes, maxKnownLength] = [2_500, 160];

/** The next digest of a past session, or why there is none. */
export async function learnFromPast(parts: McpParts): Promise<string> {
  parts.ensureActive();
  const digest = await nextDigest(parts.project);
  if (digest === undefined)
    return 'No past session may be read yet. Only the user can permit it, at a terminal outside the agent: "Learn from past sessions" in the guide to notes says how. Tell them so, and stop.';
  if (digest === 'done')
    return 'All permitted sessions are read. What you saved waits: no session is told it until the user has reviewed it. Tell them how many statements wait, and stop.';
  const known = digest.known.map(
    ({ kind, day, topic, text }) =>
      `| ${day} ${kind}: ${topic === '' ? '' : `${harmlessLine(topic, 60)}: `}${harmlessLine(text, maxKnownLength)}`,
  );
  const lines = [
    ...(known.length === 0 ? [] : ['known statements', cutToBytes(known.join('\n'), maxKnownBytes, '\n…')]),
    `session of ${digest.day}`,
    digest.text,
  ];
  return `${fence('kind="past session"', lines, randomBoundary())}
Save what the person settled here and what still matters in weeks: remember with the id before "the person says" as prompt, and their words as quote. Leave out what known statements, or sessions that you have read, cover or changed. Then get_notes ["${learnId}"] again: ${digest.left} more sessions.`;
}
