import type { Chunk } from '../domain/chunk.ts';
import { checkDrift } from '../drift/check-drift.ts';
import type { CheckedCode } from '../drift/current-code.ts';
import { driftText } from '../recall/drift-text.ts';
import { withEvidence } from '../recall/evidence.ts';
import { recall } from '../recall/recall.ts';
import { quickLimits, type RecallParts } from '../recall/with-index.ts';
import { harmlessLine } from '../text/fence.ts';
import type { NoteAbout } from '../wire/answers/code.ts';

const maxHits = 40;
/** Commits are read from git directly. Reads and commands rarely show what a task was about. */
const ignoredKinds = new Set<Chunk['kind']>(['commit', 'read', 'command', 'tool', 'session']);

/** Files of prompts, answers and notes that match a goal, with a weight by path; whether anything was ever captured. */
export async function memoryWork(
  parts: RecallParts,
  question: { goal: string; wordings: string[]; now: number; root: string; exists(path: string): boolean },
) {
  const { goal, wordings, now, root, exists } = question;
  const text = goal.slice(0, maxGoalLength);
  const answer = await recall(parts, { text, wordings, now, limit: maxHits }, quickLimits);
  const files = new Map<string, number>();
  for (const { chunk, score } of answer.match === 'good' ? answer.hits : []) {
    if (ignoredKinds.has(chunk.kind)) continue;
    for (const path of new Set(chunk.paths.map((name) => relativeTo(root, name)))) {
      if (exists(path)) files.set(path, (files.get(path) ?? 0) + score / chunk.paths.length);
    }
  }
  return { files, exists: answer.hits.length > 0 || Object.keys(parts.log.end()).length > 0 };
}

const maxGoalLength = 2_000;
const relativeTo = (root: string, path: string): string =>
  path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;

const maxNotesPerFile = 2;
const maxTitleLength = 120;

/** The newest notes about each file, without duplicates. */
export async function notesAbout(
  parts: RecallParts,
  paths: string[],
  code: CheckedCode,
): Promise<NoteAbout[]> {
  const pathOf = new Map<Chunk, string>();
  const drifts = await withEvidence(parts, quickLimits, async (evidence) => {
    for (const path of paths) {
      const about = await evidence.chunks({ source: 'note', file: path }, maxNotesPerFile);
      // The filter also matches the end of a path. Keep only exact matches.
      for (const chunk of about) if (chunk.paths.includes(path)) pathOf.set(chunk, path);
    }
    return checkDrift([...pathOf.keys()], evidence, code);
  });
  const notes = new Map<string, NoteAbout>();
  for (const [chunk, path] of pathOf) {
    const note = notes.has(chunk.sourceId) ? undefined : await parts.notes.get(chunk.sourceId);
    // Titles are shown without their source, so notes from third parties (trust 0) are left out.
    if (note?.state !== 'active' || note.trust === 0) continue;
    const drift = drifts.get(chunk);
    notes.set(note.id, {
      id: note.id,
      kind: note.kind,
      title: harmlessLine(note.title, maxTitleLength),
      path,
      ...(drift === undefined || drift.state === 'unanchored' ? {} : { drift: driftText(drift) }),
    });
  }
  return [...notes.values()];
}
