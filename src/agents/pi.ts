import { resolve } from 'node:path';
import { lineHash } from '../base/hash.ts';
import { sha256 } from '../base/ids.ts';
import { text, whole } from '../base/json.ts';
import type { EditHunk } from '../domain/event.ts';
import { estimateTokens } from '../text/tokens.ts';
import type { Observation, ToolResult } from './agent.ts';
import { readUnifiedDiff, wholeFileHunk } from './apply-patch.ts';
import { recordId } from './provisional.ts';
import { endOfOutput } from './words.ts';

/** Pi's dialect of tools; the same in its extension's events and in its session files. */
const agent = 'pi';

export function observePiTool(result: ToolResult): Observation[] {
  const { name, callId, input, details, output, failed, cwd, inTurn } = result;
  if (callId === '' || name === '') return [];
  const common = { id: recordId(agent, callId), origin: 'tool', trust: 1 } as const;
  if (name === 'bash') return [observeCommand(result)];
  const path = resolve(cwd, text(input.path));
  if (failed) return [{ ...common, kind: 'tool', body: { ...inTurn, tool: name, ok: false } }];
  switch (name) {
    case 'edit': {
      const patch = text(details.patch);
      const hunks = patch === '' ? readNumberedDiff(text(details.diff)) : readUnifiedDiff(patch);
      return [{ ...common, kind: 'edit', body: { ...inTurn, tool: name, path, hunks } }];
    }
    case 'write': {
      const hunks = [wholeFileHunk(text(input.content), 'added')];
      return [{ ...common, kind: 'edit', body: { ...inTurn, tool: name, path, hunks } }];
    }
    case 'read': {
      const startLine = whole(input.offset) || 1;
      const lines = output === '' ? 0 : output.replace(/\n$/, '').split('\n').length;
      const body = { ...inTurn, path, startLine, lines, hash: sha256(output).slice(0, 32) };
      return [{ ...common, kind: 'read', body: { ...body, tokens: estimateTokens(output) } }];
    }
    default:
      return [{ ...common, kind: 'tool', body: { ...inTurn, tool: name, ok: true } }];
  }
}

/** Only a failed command says its status, in the last line of what the model is shown. */
function observeCommand({ callId, input, output, failed, inTurn }: ToolResult): Observation {
  const told = /\s*Command exited with code (\d+)\s*$/.exec(output);
  const exit = failed ? (told === null ? undefined : Number(told[1])) : 0;
  const body = {
    ...inTurn,
    command: text(input.command),
    ok: !failed,
    ...(exit === undefined ? {} : { exit }),
    ...endOfOutput(told === null ? output : output.slice(0, told.index)),
  };
  return { kind: 'command', id: recordId(agent, callId), origin: 'tool', trust: 0, body };
}

/** Before 1.0 an edit is told as lines with their numbers: `-2 two`, `+2 TWO`. */
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
