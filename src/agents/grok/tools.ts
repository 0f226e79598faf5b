import { resolve } from 'node:path';
import { type Json, list, record, text, whole } from '../../base/json.ts';
import type { Observation } from '../agent.ts';
import { observeRead } from '../observe.ts';
import { type Edited, editedFile, type FinishedCall, ranCommand, usedTool } from '../tool-observations.ts';

export interface GrokCall extends FinishedCall {
  input: Json;
  /** The result as an object whose one field besides `type` says what happened. */
  result: Json;
  failed: boolean;
  cwd: string;
}

export function observeGrokTool(call: GrokCall): Observation[] {
  const { tool, input, result, failed, cwd } = call;
  if (tool === '' || call.callId === '') return [];
  if (tool === 'run_terminal_command') return [observeCommand(call)];
  if (failed) return [usedTool(call, false)];
  const path = resolve(cwd, text(input.file_path) || text(input.target_file));
  switch (tool) {
    case 'search_replace':
      return [editedFile(call, path, editOf(call), text(input.old_string) === '')];
    case 'write':
      return [editedFile(call, path, { kind: 'written', text: text(input.content) }, isNew(result))];
    case 'read_file': {
      const file = record(result.FileContent);
      const startLine = whole(file.offset) || 1;
      const isWhole = startLine === 1 && input.limit === undefined;
      return [observeRead(call, path, text(file.raw_output), startLine, isWhole)];
    }
    default:
      return [usedTool(call, true)];
  }
}

const editsIn = (result: Json): Json[] => list(record(record(result.EditsApplied).edits).details).map(record);

const isNew = (result: Json): boolean => editsIn(result).every((edit) => text(edit.old_string) === '');

/** The report has the beginning of the line that was changed, but not its end. */
function editOf({ input, result }: GrokCall): Edited {
  const edits = editsIn(result);
  const pairs = (edits.length > 0 ? edits : [input]).map((edit) => {
    const prefix = text(edit.line_prefix);
    const [before, after] = [text(edit.old_string), text(edit.new_string)];
    return { before: before === '' ? '' : prefix + before, after: after === '' ? '' : prefix + after };
  });
  return { kind: 'replaced', pairs };
}

function observeCommand({ result, ...call }: GrokCall): Observation {
  const exit = typeof result.exit_code === 'number' ? result.exit_code : undefined;
  const output = text(result.output_for_prompt).replace(/^exit: \d+\n/, '');
  return ranCommand(call, text(call.input.command), { output, exit, failed: call.failed });
}
