import { type Json, list, record, text } from '../base/json.ts';
import { pathInCheckout, resolveLocal } from '../base/path-in-checkout.ts';
import type { FileEdit, ToolCall } from '../domain/tool-call.ts';
import { addedText, readApplyPatch, undoOf } from './apply-patch.ts';

/** A tool call that an agent is about to make, as it reports it. */
export interface PendingCall {
  tool: string;
  input: Json;
  cwd: string;
  root: string;
}

/**
 * Reads the arguments of a tool. The agents name them differently (`file_path`, `filePath`, `path`), but no agent uses
 * the name of another for something else.
 */
export function toolCallOf({ tool, input, cwd, root }: PendingCall): ToolCall {
  const name = tool.toLowerCase();
  const command =
    typeof input.command === 'string'
      ? input.command
      : list(input.command).map(text).join(' ') || list(input.commands).map(text).join('\n');
  const patch = text(input.patchText) || (/patch/.test(name) ? command : '');
  const none = { command: '', cwd, root, edits: [] };
  if (patch !== '') return { ...none, edits: patchedFiles(patch, cwd, root) };
  if (command !== '') return { ...none, command };
  const path = first(input, 'file_path', 'filePath', 'path', 'notebook_path');
  if (path === '') return none;
  const edits = list(input.edits).length > 0 ? list(input.edits).map(record) : [input];
  return {
    ...none,
    edits: edits.map((edit) => ({
      path: pathInCheckout(resolveLocal(cwd, path), root),
      added: first(
        edit,
        'content',
        'new_string',
        'newString',
        'newText',
        'new_source',
        'new_str',
        'file_text',
        'new_text',
      ),
      removed: first(edit, 'old_string', 'oldString', 'oldText', 'old_str', 'old_text'),
    })),
  };
}

const first = (input: Json, ...names: string[]): string =>
  names.map((name) => text(input[name])).find((value) => value !== '') ?? '';

function patchedFiles(patch: string, cwd: string, root: string): FileEdit[] {
  return readApplyPatch(patch).map(({ path, action, patch: own }) => {
    const change = undoOf(own);
    const removed = change.kind === 'undo' ? change.blocks.map(({ before }) => before).join('\n') : '';
    return {
      path: pathInCheckout(resolveLocal(cwd, path), root),
      added: action === 'delete' ? '' : addedText(own),
      removed,
    };
  });
}
