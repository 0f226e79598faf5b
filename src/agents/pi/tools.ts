import { resolve } from 'node:path';
import { lineHash } from '../../base/hash.ts';
import { list, record, text, whole } from '../../base/json.ts';
import type { EditHunk } from '../../domain/event.ts';
import type { FileChange, Observation } from '../agent.ts';
import { readUnifiedDiff, wholeFileHunk } from '../apply-patch.ts';
import { observeRead } from '../observe.ts';
import { recordId } from '../provisional-ids.ts';
import { ranCommand, type ToolResult, usedTool } from '../tool-observations.ts';

/** Converts Pi's tool calls, which have the same format in extension events and in session files. */
export function observePiTool(result: ToolResult): Observation[] {
  const { agent, tool, callId, input, details, output, failed, cwd, inTurn } = result;
  if (callId === '' || tool === '') return [];
  const common = { id: recordId(agent, callId), origin: 'tool', trust: 1 } as const;
  if (tool === 'bash') return [observeCommand(result)];
  const path = resolve(cwd, text(input.path));
  if (failed) return [usedTool(result, false)];
  switch (tool) {
    case 'edit': {
      const patch = text(details.patch);
      const hunks = patch === '' ? readNumberedDiff(text(details.diff)) : readUnifiedDiff(patch);
      const body = { ...inTurn, tool, path, hunks };
      return [{ ...common, kind: 'edit', body, change: replacedIn(result) }];
    }
    case 'write': {
      const hunks = [wholeFileHunk(text(input.content), 'added')];
      const change: FileChange = { kind: 'written', text: text(input.content) };
      return [{ ...common, kind: 'edit', body: { ...inTurn, tool, path, hunks }, change }];
    }
    case 'read': {
      const startLine = whole(input.offset) || 1;
      const isCut = 'truncation' in details && record(details.truncation).truncated !== false;
      const isWhole = startLine === 1 && input.limit === undefined && !isCut;
      return [observeRead(common.id, inTurn, path, output.replace(morePiLines, ''), startLine, isWhole)];
    }
    default:
      return [usedTool(result, true)];
  }
}

/** The note that Pi appends if it omitted lines. */
const morePiLines = /\n*\[(?:Showing lines|\d+ more lines)[^\]\n]*\]\s*$/;

/** Since Pi 1.0 one edit can replace several texts. */
function replacedIn({ input }: ToolResult): FileChange {
  const edits = list(input.edits).length > 0 ? list(input.edits).map(record) : [input];
  const blocks = edits.map((edit) => ({ now: text(edit.newText), before: text(edit.oldText) }));
  return { kind: 'undo', blocks };
}

/** Pi reports an exit code only for failed commands, in the last line of the output. */
function observeCommand(call: ToolResult): Observation {
  const { input, output, failed } = call;
  const status = /\s*Command exited with code (\d+)\s*$/.exec(output);
  const exit = failed ? (status === null ? undefined : Number(status[1])) : 0;
  return ranCommand(call, text(input.command), { output: output.slice(0, status?.index), exit, failed });
}

/** Before 1.0 Pi reported an edit as numbered lines: `-2 two`, `+2 TWO`. */
function readNumberedDiff(diff: string): EditHunk[] {
  const hunks: EditHunk[] = [];
  let hunk: EditHunk | undefined;
  for (const line of diff.split('\n')) {
    const change = /^([+-])\s*(\d+) ?(.*)$/.exec(line);
    if (change === null) {
      hunk = undefined;
      continue;
    }
    const [, sign, number, words] = change as unknown as [string, string, string, string];
    if (hunk === undefined) {
      hunk = { oldStart: Number(number), newStart: Number(number), added: [], removed: [] };
      hunks.push(hunk);
    }
    (sign === '+' ? hunk.added : hunk.removed).push(lineHash(words));
  }
  return hunks;
}
