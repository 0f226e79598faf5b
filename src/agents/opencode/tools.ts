import { resolve } from 'node:path';
import { type Json, list, record, text, whole } from '../../base/json.ts';
import type { Observation } from '../agent.ts';
import { observeRead } from '../observe.ts';
import { editedFile, patchedFiles, ranCommand, type ToolResult, usedTool } from '../tool-observations.ts';

/**
 * Converts tool calls of OpenCode, or of Kilo, its fork. A forked session copies them with the same call ids, so copies
 * get the same event ids.
 */
export type OpenCodeAgent = 'opencode' | 'kilo';

/**
 * What the user typed of a part of a message. For a command it is kept beside the text, which is that of the command's
 * file. Removes the quotes that `opencode run` puts around a prompt given as one argument.
 */
export function openCodePrompt(part: Json): string {
  const { kilo, backstory } = record(part.metadata);
  const command = text(record(record(kilo).injected).title) || text(record(backstory).typed);
  if (command !== '') return command;
  const raw = text(part.text);
  if (!/^"[\s\S]*"$/.test(raw)) return raw;
  const inner = raw.slice(1, -1);
  return inner.includes('"') && !inner.includes('\\"') ? raw : inner.replaceAll('\\"', '"');
}

export function observeOpenCodeTool(call: ToolResult): Observation[] {
  const { tool, callId, input, details, failed, cwd } = call;
  if (callId === '' || tool === '') return [];
  if (tool === 'bash') return [observeCommand(call)];
  if (failed) return [usedTool(call, false)];
  const path = resolve(cwd, text(input.filePath));
  switch (tool) {
    case 'edit':
      return [editedFile(call, path, { kind: 'diff', diff: text(details.diff) })];
    case 'write': {
      const written = { kind: 'written', text: text(input.content) } as const;
      return [editedFile(call, path, written, details.exists === false)];
    }
    case 'apply_patch':
    case 'patch':
      return observePatch(call);
    case 'read': {
      const shown = record(details.display);
      const startLine = whole(shown.lineStart) || 1;
      const read = text(shown.path) === '' ? path : resolve(cwd, text(shown.path));
      const isWhole =
        startLine === 1 &&
        (whole(shown.lineEnd) || 0) >= (whole(shown.totalLines) || Number.POSITIVE_INFINITY);
      return [observeRead(call, read, text(shown.text), startLine, isWhole)];
    }
    default:
      return [usedTool(call, true)];
  }
}

function observePatch(call: ToolResult): Observation[] {
  const files = list(call.details.files).map(record);
  if (files.length === 0) return patchedFiles(call, text(call.input.patchText), call.cwd);
  return files.map((file) => {
    const path = resolve(call.cwd, text(file.movePath) || text(file.filePath));
    return editedFile(call, path, { kind: 'diff', diff: text(file.patch) }, file.type === 'add');
  });
}

function observeCommand(call: ToolResult): Observation {
  const { input, details, failed } = call;
  const exit = typeof details.exit === 'number' ? details.exit : undefined;
  const printed = text(details.output) || call.output;
  const output = printed === '(no output)' ? '' : printed;
  return ranCommand(call, text(input.command), { output, exit, failed });
}
