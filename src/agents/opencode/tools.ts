import { resolve } from 'node:path';
import { list, record, text, whole } from '../../base/json.ts';
import type { EditHunk } from '../../domain/event.ts';
import type { FileChange, Observation, ToolResult } from '../agent.ts';
import { readApplyPatch, readUnifiedDiff, undoOf, wholeFileHunk } from '../apply-patch.ts';
import { observeRead } from '../observe.ts';
import { endOfOutput } from '../prompt-text.ts';
import { editId, recordId } from '../provisional-ids.ts';

/**
 * Converts tool calls of OpenCode, or of Kilo, its fork. A forked session copies them with the same call ids, so copies
 * get the same event ids.
 */
export type OpenCodeAgent = 'opencode' | 'kilo';

/** Removes the quotes that `opencode run` puts around a prompt given as one argument. */
export function openCodePrompt(raw: string): string {
  if (!/^"[\s\S]*"$/.test(raw)) return raw;
  const inner = raw.slice(1, -1);
  return inner.includes('"') && !inner.includes('\\"') ? raw : inner.replaceAll('\\"', '"');
}

export function observeOpenCodeTool(call: ToolResult, agent: OpenCodeAgent): Observation[] {
  const result: OpenCodeResult = { ...call, agent };
  const { name, callId, input, details, failed, inTurn } = result;
  if (callId === '' || name === '') return [];
  const id = recordId(agent, callId);
  if (name === 'bash') return [observeCommand(id, result)];
  if (failed)
    return [{ kind: 'tool', id, origin: 'tool', trust: 1, body: { ...inTurn, tool: name, ok: false } }];
  switch (name) {
    case 'edit':
      return [patched(result, text(input.filePath), text(details.diff), false)];
    case 'write': {
      const hunk = wholeFileHunk(text(input.content), 'added');
      const change: FileChange = { kind: 'written', text: text(input.content) };
      return [edit(result, text(input.filePath), [hunk], details.exists === false, change)];
    }
    case 'apply_patch':
    case 'patch':
      return observePatch(result);
    case 'read': {
      const shown = record(details.display);
      const content = text(shown.text);
      const startLine = whole(shown.lineStart) || 1;
      const path = resolve(result.cwd, text(shown.path) || text(input.filePath));
      const isWhole =
        startLine === 1 &&
        (whole(shown.lineEnd) || 0) >= (whole(shown.totalLines) || Number.POSITIVE_INFINITY);
      return [observeRead(id, inTurn, path, content, startLine, isWhole)];
    }
    default:
      return [{ kind: 'tool', id, origin: 'tool', trust: 1, body: { ...inTurn, tool: name, ok: true } }];
  }
}

type OpenCodeResult = ToolResult & { agent: OpenCodeAgent };

function edit(
  result: OpenCodeResult,
  path: string,
  hunks: EditHunk[],
  created: boolean,
  change?: FileChange,
): Observation {
  const absolute = resolve(result.cwd, path);
  const body = {
    ...result.inTurn,
    tool: result.name,
    path: absolute,
    ...(created ? { created } : {}),
    hunks,
  };
  const id = editId(result.agent, result.callId, absolute);
  return { kind: 'edit', id, origin: 'tool', trust: 1, body, ...(change === undefined ? {} : { change }) };
}

const patched = (result: OpenCodeResult, path: string, patch: string, created: boolean): Observation =>
  edit(result, path, readUnifiedDiff(patch), created, undoOf(patch));

function observePatch(result: OpenCodeResult): Observation[] {
  const files = list(result.details.files).map(record);
  if (files.length === 0) {
    return readApplyPatch(text(result.input.patchText)).map(({ path, action, hunks }) =>
      edit(result, path, hunks, action === 'add'),
    );
  }
  return files.map((file) => {
    const path = text(file.movePath) || text(file.filePath);
    return patched(result, path, text(file.patch), file.type === 'add');
  });
}

function observeCommand(id: string, { input, details, output, failed, inTurn }: ToolResult): Observation {
  const exit = typeof details.exit === 'number' ? details.exit : undefined;
  const printed = text(details.output) || output;
  const body = {
    ...inTurn,
    command: text(input.command),
    ok: !failed && (exit ?? 0) === 0,
    ...(exit === undefined ? {} : { exit }),
    ...endOfOutput(printed === '(no output)' ? '' : printed),
  };
  return { kind: 'command', id, origin: 'tool', trust: 0, body };
}
