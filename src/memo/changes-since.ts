import { statSync } from 'node:fs';
import { createTwoFilesPatch } from 'diff';
import type { Observation } from '../agents/agent.ts';
import { transcriptSources } from '../agents/transcripts.ts';
import { isWholeFile, type MemoStep } from '../domain/memo.ts';
import { committedFile } from '../git/objects.ts';
import { fileLines, linesHash } from '../text/file-lines.ts';
import { linesOf, type PieceInContext } from './context-contents.ts';

const contextLines = 2;
/** Maximum length of a diff in an answer. If the diff is longer, it is cheaper to read the file again. */
const maxDiffLength = 8_000;

/** A unified diff from the lines that an agent saw to the file now; undefined if the old lines cannot be recovered. */
export function changesSince(
  changed: PieceInContext[],
  disk: string[],
  path: string,
  view: Omit<SeenTextParts, 'path'>,
): string | undefined {
  const diffs: string[] = [];
  for (const piece of changed) {
    const seen = seenLines(piece, { ...view, path });
    if (seen === undefined) return undefined;
    const now = isWholeFile(piece)
      ? disk
      : disk.slice(piece.startLine - 1, piece.startLine - 1 + piece.lines);
    const name = isWholeFile(piece) ? path : `${path} from line ${piece.startLine}`;
    diffs.push(diffOf(name, seen, now));
  }
  const diff = diffs.join('\n');
  return diff.length > maxDiffLength ? undefined : diff;
}

function diffOf(name: string, seen: string[], now: string[]): string {
  const patch = createTwoFilesPatch(
    `${name} (as you saw it)`,
    `${name} (now)`,
    `${seen.join('\n')}\n`,
    `${now.join('\n')}\n`,
    '',
    '',
    { context: contextLines },
  );
  return patch.replace(/^=+\n/, '').trimEnd();
}

interface SeenTextParts {
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
function seenLines(piece: PieceInContext, parts: SeenTextParts): string[] | undefined {
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
