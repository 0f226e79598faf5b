import { resolve } from 'node:path';
import { list, parseObject, record, text, whole } from '../../base/json.ts';
import type { Observation } from '../agent.ts';
import { observeRead } from '../observe.ts';
import {
  type Edited,
  editedFile,
  patchedFiles,
  ranCommand,
  type ToolResult,
  usedTool,
} from '../tool-observations.ts';

type DroidCall = Omit<ToolResult, 'details'>;

export function observeDroidTool(call: DroidCall): Observation[] {
  const { tool, input, failed, cwd } = call;
  if (tool === '' || call.callId === '') return [];
  if (tool === 'Execute') return [observeCommand(call)];
  if (failed) return [usedTool(call, false)];
  const path = resolve(cwd, text(input.file_path));
  switch (tool) {
    case 'Edit':
    case 'MultiEdit':
      return [editedFile(call, path, editOf(call))];
    case 'Create':
      return [editedFile(call, path, { kind: 'written', text: text(input.content) }, true)];
    case 'ApplyPatch':
      return patchedFiles(call, text(input.input) || text(input.patch), cwd);
    case 'Read': {
      const startLine = whole(input.offset) + 1 || 1;
      const isWhole = startLine === 1 && input.limit === undefined;
      return [observeRead(call, path, call.output, startLine, isWhole)];
    }
    default:
      return [usedTool(call, true)];
  }
}

/** Its report lists the changed lines with their numbers. */
function editOf({ input, output }: DroidCall): Edited {
  const lines = list(parseObject(output)?.diffLines).map(record);
  if (lines.length === 0) {
    const edits = list(input.changes).length > 0 ? list(input.changes).map(record) : [input];
    return {
      kind: 'replaced',
      pairs: edits.map((edit) => ({ before: text(edit.old_str), after: text(edit.new_str) })),
    };
  }
  const numbers = record(lines[0]?.lineNumber);
  const start = whole(numbers.old) || whole(numbers.new) || 1;
  const signs: Record<string, string> = { added: '+', removed: '-' };
  const body = lines.map(({ type, content }) => (signs[text(type)] ?? ' ') + text(content));
  return { kind: 'diff', diff: [`@@ -${start} +${start} @@`, ...body].join('\n') };
}

function observeCommand(call: DroidCall): Observation {
  const code = /\[Process exited with code (\d+)\]\s*$/.exec(call.output);
  const output = call.output
    .slice(0, code?.index)
    .replace(/^Error: Command failed \(exit code: \d+\)\n/, '')
    .trimEnd();
  const exit = code === null ? (call.failed ? undefined : 0) : Number(code[1]);
  return ranCommand(call, text(call.input.command), { output, exit, failed: call.failed });
}
