import { resolve } from 'node:path';
import { type Json, list, parseObject, record, text, whole } from '../../base/json.ts';
import type { Observation } from '../agent.ts';
import { observeRead } from '../observe.ts';
import { type Edited, editedFile, type FinishedCall, ranCommand, usedTool } from '../tool-observations.ts';

export interface ClineCall extends FinishedCall {
  input: Json;
  /** One result or, for tools that take several files or commands, a list. */
  output: unknown;
  cwd: string;
}

export function observeClineTool(call: ClineCall): Observation[] {
  const { tool, input, output, callId } = call;
  if (tool === '' || callId === '') return [];
  const results = resultsOf(output);
  switch (tool) {
    case 'run_commands':
      return list(input.commands).map((command, at) => observeCommand(call, text(command), results[at], at));
    case 'editor': {
      if (results[0]?.success !== true) return [usedTool(call, false)];
      const path = resolve(call.cwd, text(input.path));
      const isNew = /^File created/.test(text(results[0].result));
      return [editedFile(call, path, editOf(input, text(results[0].result)), isNew)];
    }
    case 'read_files':
      return list(input.files).flatMap((file, at) => observeFile(call, record(file), results[at], at));
    default:
      return [
        usedTool(
          call,
          results.every(({ success }) => success !== false),
        ),
      ];
  }
}

/** Transcripts have the result of a single edit as text. */
function resultsOf(output: unknown): Json[] {
  if (Array.isArray(output)) return output.map(record);
  return [typeof output === 'string' ? (parseObject(output) ?? {}) : record(output)];
}

/** Each of several files or commands of one call gets an id of its own. */
const partOf = ({ callId }: ClineCall, at: number): string => (at === 0 ? callId : `${callId}:${at}`);

function observeCommand(call: ClineCall, command: string, result: Json = {}, at = 0): Observation {
  const words = text(result.result);
  const code = /^\[Command exited with code (\d+)\]\n/.exec(words);
  return ranCommand({ ...call, callId: partOf(call, at) }, command, {
    output: words.slice(code?.[0].length ?? 0),
    exit: code === null ? (result.success === true ? 0 : undefined) : Number(code[1]),
    failed: result.success !== true,
  });
}

/** The report of an edit lists the changed lines with their numbers: `-1: old`, `+1: new`. */
function editOf(input: Json, report: string): Edited {
  const lines = [...report.matchAll(/^([-+])(\d+): ?(.*)$/gm)];
  if (lines.length > 0) {
    const start = lines[0]?.[2] ?? '1';
    const body = lines.map(([, sign, , words]) => `${sign}${words}`);
    return { kind: 'diff', diff: [`@@ -${start} +${start} @@`, ...body].join('\n') };
  }
  const [before, after] = [text(input.old_text), text(input.new_text)];
  return before === '' ? { kind: 'written', text: after } : { kind: 'replaced', pairs: [{ before, after }] };
}

function observeFile(call: ClineCall, file: Json, result: Json = {}, at = 0): Observation[] {
  if (result.success !== true) return [];
  const lines = text(result.result)
    .split('\n')
    .map((line) => line.replace(/^\s*\d+ \| ?/, ''));
  const startLine = whole(file.start_line) || 1;
  const isWhole = startLine === 1 && !file.end_line;
  const path = resolve(call.cwd, text(file.path));
  return [observeRead({ ...call, callId: partOf(call, at) }, path, lines.join('\n'), startLine, isWhole)];
}
