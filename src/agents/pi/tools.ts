import { resolve } from 'node:path';
import { record, text, whole } from '../../base/json.ts';
import type { Observation } from '../agent.ts';
import { observeRead } from '../observe.ts';
import { editedFile, ranCommand, type ToolResult, usedTool } from '../tool-observations.ts';

/** Converts Pi's tool calls, which have the same format in extension events and in session files. */
export function observePiTool(call: ToolResult): Observation[] {
  const { tool, callId, input, details, output, failed, cwd } = call;
  if (callId === '' || tool === '') return [];
  if (tool === 'bash') return [observeCommand(call)];
  if (failed) return [usedTool(call, false)];
  const path = resolve(cwd, text(input.path));
  switch (tool) {
    case 'edit':
      return [
        editedFile(call, path, { kind: 'diff', diff: text(details.patch) || patchOf(text(details.diff)) }),
      ];
    case 'write':
      return [editedFile(call, path, { kind: 'written', text: text(input.content) })];
    case 'read': {
      const startLine = whole(input.offset) || 1;
      const isCut = 'truncation' in details && record(details.truncation).truncated !== false;
      const isWhole = startLine === 1 && input.limit === undefined && !isCut;
      return [observeRead(call, path, output.replace(morePiLines, ''), startLine, isWhole)];
    }
    default:
      return [usedTool(call, true)];
  }
}

/** The note that Pi appends if it omitted lines. */
const morePiLines = /\n*\[(?:Showing lines|\d+ more lines)[^\]\n]*\]\s*$/;

/** Before 1.0 Pi reported numbered lines instead of a patch: `-2 two`, `+2 TWO`. */
const patchOf = (numbered: string): string =>
  [...numbered.matchAll(/(?:^[+-] *\d+.*\n?)+/gm)]
    .map(([lines]) => {
      const start = Number.parseInt(lines.slice(1), 10);
      return `@@ -${start} +${start} @@\n${lines.replaceAll(/^([+-]) *\d+ ?/gm, '$1')}`;
    })
    .join('\n');

/** Pi reports an exit code only for failed commands, in the last line of the output. */
function observeCommand(call: ToolResult): Observation {
  const { input, output, failed } = call;
  const status = /\s*Command exited with code (\d+)\s*$/.exec(output);
  const exit = failed ? (status === null ? undefined : Number(status[1])) : 0;
  return ranCommand(call, text(input.command), { output: output.slice(0, status?.index), exit, failed });
}
