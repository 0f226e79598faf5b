import { statSync } from 'node:fs';
import type { Observation } from '../agents/agent.ts';
import { transcriptSources } from '../agents/transcripts.ts';
import type { MemoStep } from '../domain/memo.ts';
import { committedFile } from '../git/objects.ts';
import { fileLines, linesHash } from '../text/file-lines.ts';
import { linesOf, type PieceInContext } from './context-contents.ts';

export interface SeenTextParts {
  root: string;
  path: string;
  userHome: string;
  key: string;
  /** The steps of the agent session. Session starts name the transcript. */
  steps: MemoStep[];
}

const maxTranscriptBytes = 64 * 1024 * 1024;

/**
 * Recovers the lines of a piece as the agent saw them, to show what has changed. Backstory stores no copy. The lines
 * may be in git, if they were committed, or in the agent's transcript. They must have the piece's hash. Returns
 * undefined if they are in neither.
 */
export function seenLines(piece: PieceInContext, parts: SeenTextParts): string[] | undefined {
  const hasHash = (lines: string[] | undefined): lines is string[] =>
    lines !== undefined && linesHash(parts.key, lines) === piece.hash;
  for (const commit of new Set([piece.head, 'HEAD'])) {
    const text = committedFile(parts.root, commit, parts.path);
    const lines = text === undefined ? undefined : linesOf(fileLines(text), piece);
    if (hasHash(lines)) return lines;
  }
  for (const text of transcriptTexts(parts)) {
    const lines = fileLines(text);
    if (hasHash(lines)) return lines;
  }
  return undefined;
}

function* transcriptTexts({ steps, userHome }: SeenTextParts): Generator<string> {
  const transcripts = new Map(
    steps.flatMap((step) =>
      step.kind === 'session' && step.transcript !== '' ? [[step.transcript, step]] : [],
    ),
  );
  for (const [name, { agent }] of transcripts) {
    const source = transcriptSources[agent];
    const path = name.startsWith('~') ? userHome + name.slice(1) : name;
    const file = source?.fileOf(path);
    if (source === undefined || file === undefined || sizeOf(file) > maxTranscriptBytes) continue;
    for (const { observations } of source.read(path, name, { offset: 0, turn: '' }, (words) => words)) {
      for (const observation of observations) yield* textsIn(observation);
    }
  }
}

function textsIn({ seen, change, body }: Observation): string[] {
  return [
    ...(seen === undefined ? [] : [seen]),
    ...(change?.kind === 'texts' ? [change.after] : []),
    ...(change?.kind === 'written' ? [change.text] : []),
    ...('output' in body && body.output !== undefined ? [body.output] : []),
  ];
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
