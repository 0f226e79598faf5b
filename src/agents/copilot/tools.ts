import { resolve } from 'node:path';
import { list, record, text, whole } from '../../base/json.ts';
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

/** Converts a tool call of GitHub Copilot CLI. Only the transcript has `details`: the result for the user. */
export function observeCopilotTool(call: ToolResult): Observation[] {
  const { tool, input, failed, cwd } = call;
  if (tool === '' || call.callId === '') return [];
  if (tool === 'bash' || tool === 'powershell') return [observeCommand(call)];
  if (failed) return [usedTool(call, false)];
  const path = resolve(cwd, text(input.path));
  switch (tool) {
    case 'edit':
    case 'str_replace_editor':
      return [editedFile(call, path, editOf(call))];
    case 'create':
      return [editedFile(call, path, { kind: 'written', text: text(input.file_text) }, true)];
    case 'apply_patch':
      return patchedFiles(call, text(input.patch) || text(input.input), cwd);
    case 'view': {
      const range = list(input.view_range).map(whole);
      const startLine = range[0] || 1;
      return [observeRead(call, path, call.output, startLine, range.length === 0)];
    }
    default:
      return [usedTool(call, true)];
  }
}

function editOf({ input, details }: ToolResult): Edited {
  const diff = text(record(details.result).detailedContent);
  if (diff.includes('\n@@ ')) return { kind: 'diff', diff };
  return { kind: 'replaced', pairs: [{ before: text(input.old_str), after: text(input.new_str) }] };
}

/** The note that ends the output of a command. */
const ending = /\n?<(?:shellId: \d+ )?(?:completed|exited) with exit code (\d+)>[\s\S]*$/;

function observeCommand(call: ToolResult): Observation {
  const end = ending.exec(call.output);
  const exit = record(call.details.shellExecution).exitCode;
  return ranCommand(call, text(call.input.command), {
    output: call.output.slice(0, end?.index),
    exit: typeof exit === 'number' ? exit : end === null ? undefined : Number(end[1]),
    failed: call.failed,
  });
}
