import { resolve } from 'node:path';
import { record, text, whole } from '../../base/json.ts';
import type { Observation } from '../agent.ts';
import { observeRead } from '../observe.ts';
import { type Edited, editedFile, ranCommand, type ToolResult, usedTool } from '../tool-observations.ts';

/** A finished tool call of Gemini CLI or Qwen Code, which have the same tools. */
interface GeminiCall extends Omit<ToolResult, 'details'> {
  /** The result as it is shown to the user: an object for edits, and in Qwen Code for commands. */
  display: unknown;
}

export function observeGeminiTool(call: GeminiCall): Observation[] {
  const { callId, tool, input, failed, cwd } = call;
  if (callId === '' || tool === '') return [];
  if (tool === 'run_shell_command') return [observeCommand(call)];
  if (failed) return [usedTool(call, false)];
  const display = record(call.display);
  const path = resolve(cwd, text(display.filePath) || text(input.file_path) || text(input.absolute_path));
  switch (tool) {
    case 'replace':
    case 'edit':
      return [editedFile(call, path, editOf(call))];
    case 'write_file': {
      const isNew = display.isNewFile === true || text(display.originalContent) === '';
      return [editedFile(call, path, { kind: 'written', text: text(input.content) }, isNew)];
    }
    case 'read_file': {
      // A note at the top says that the file was cut; which lines follow is then not known.
      if (/^(?:IMPORTANT|\[File content truncated|Showing lines)/.test(call.output)) return [];
      const startLine = whole(input.start_line) || whole(input.offset) + 1 || 1;
      const isWhole = input.limit === undefined && input.end_line === undefined && startLine === 1;
      return [observeRead(call, path, call.output, startLine, isWhole)];
    }
    default:
      return [usedTool(call, true)];
  }
}

function editOf({ input, display }: GeminiCall): Edited {
  const diff = text(record(display).fileDiff);
  if (diff !== '') return { kind: 'diff', diff };
  return { kind: 'replaced', pairs: [{ before: text(input.old_string), after: text(input.new_string) }] };
}

/** The labels of the report that the model gets of a command. */
const report =
  /^Output: ([\s\S]*?)(?=\n(?:Error|Exit Code|Signal|Background PIDs|Process Group PGID): |\n<\/untrusted_context>|$(?![\s\S]))/m;

function observeCommand(call: GeminiCall): Observation {
  const result = record(call.display);
  const reported = report.exec(call.output)?.[1] ?? '';
  const code = /^Exit Code: (\d+)$/m.exec(call.output)?.[1];
  const exit = typeof result.exitCode === 'number' ? result.exitCode : code === undefined ? undefined : +code;
  const output = text(result.output) || (/^\((?:empty|none)\)$/.test(reported) ? '' : reported);
  return ranCommand(call, text(call.input.command), {
    output,
    exit: exit ?? (call.failed ? undefined : 0),
    failed: call.failed,
  });
}
