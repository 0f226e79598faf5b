import { resolve } from 'node:path';
import { lineHash } from '../base/hash.ts';
import type { Json } from '../base/json.ts';
import type { AgentName, EditHunk, Subagent } from '../domain/event.ts';
import type { FileChange, Observation } from './agent.ts';
import { addedText, readApplyPatch, readHunks, undoOf, wholeFileHunk } from './apply-patch.ts';
import { endOfOutput } from './prompt-text.ts';
import { editId, recordId } from './provisional-ids.ts';

/** A finished tool call of an agent, in the words that all agents share. */
export interface FinishedCall {
  agent: AgentName;
  callId: string;
  tool: string;
  inTurn: { turn?: string; subagent?: Subagent };
}

export interface ToolResult extends FinishedCall {
  input: Json;
  /** Structured data beside the output, such as diffs and exit codes. */
  details: Json;
  output: string;
  failed: boolean;
  cwd: string;
}

export type Edited =
  /** A unified diff, or the part of an `apply_patch` call about one file. */
  | { kind: 'diff'; diff: string }
  | { kind: 'written'; text: string }
  | { kind: 'replaced'; pairs: { before: string; after: string }[] };

export const ranCommand = (
  { agent, callId, inTurn }: FinishedCall,
  command: string,
  { output, exit, failed }: { output: string; exit?: number | undefined; failed?: boolean },
): Observation => ({
  kind: 'command',
  id: recordId(agent, callId),
  origin: 'tool',
  // Trust 0, because the output is third-party text.
  trust: 0,
  body: {
    ...inTurn,
    command,
    ok: failed !== true && (exit ?? 0) === 0,
    ...(exit === undefined ? {} : { exit }),
    ...endOfOutput(output),
  },
});

/** `path` is absolute. */
export function editedFile(
  { agent, callId, tool, inTurn }: FinishedCall,
  path: string,
  edited: Edited,
  created = false,
): Observation {
  const body = { ...inTurn, tool, path, ...(created ? { created } : {}), hunks: hunksOf(edited) };
  const id = editId(agent, callId, path);
  return { kind: 'edit', id, origin: 'tool', trust: 1, body, change: changeOf(edited) };
}

/** The edits of an `apply_patch` call, with paths below the working directory. */
export function patchedFiles(call: FinishedCall, patch: string, cwd: string): Observation[] {
  return readApplyPatch(patch).map(({ path, action, patch: own }) => {
    const edited: Edited =
      action === 'add' ? { kind: 'written', text: addedText(own) } : { kind: 'diff', diff: own };
    return editedFile(call, resolve(cwd, path), edited, action === 'add');
  });
}

export const usedTool = ({ agent, callId, tool, inTurn }: FinishedCall, ok: boolean): Observation => ({
  kind: 'tool',
  id: recordId(agent, callId),
  origin: 'tool',
  trust: 1,
  body: { ...inTurn, tool, ok },
});

function hunksOf(edited: Edited): EditHunk[] {
  if (edited.kind === 'diff') return readHunks(edited.diff);
  if (edited.kind === 'written') return [wholeFileHunk(edited.text)];
  return replacedHunks(edited.pairs);
}

function replacedHunks(pairs: { before: string; after: string }[]): EditHunk[] {
  const hashes = (text: string) => (text === '' ? [] : text.split('\n').map(lineHash));
  return pairs.map(({ before, after }) => ({
    oldStart: 0,
    newStart: 0,
    added: hashes(after),
    removed: hashes(before),
  }));
}

function changeOf(edited: Edited): FileChange {
  if (edited.kind === 'diff') return undoOf(edited.diff);
  if (edited.kind === 'written') return { kind: 'written', text: edited.text };
  return { kind: 'undo', blocks: edited.pairs.map(({ before, after }) => ({ now: after, before })) };
}
