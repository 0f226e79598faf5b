import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolCall } from '../../src/domain/tool-call.ts';

/** A call as the independent author of the traps wrote it. */
export interface TrapCall {
  tool: 'Bash' | 'Edit' | 'Write';
  command?: string;
  path?: string;
  text?: string;
}

/** A sentence of a user, a call that goes against it, and two similar ones that do not. */
export interface Trap {
  rule: string;
  kind: 'convention' | 'preference' | 'failed-path';
  violating: TrapCall;
  harmless: TrapCall[];
}

/**
 * `development`: 60 traps with which the rules were developed. `later`: 60 of another independent author, written
 * without sight of the code. The rules were corrected with them once, so they are a smoke test now, too.
 */
export const readTraps = (set: 'development' | 'later'): Trap[] =>
  JSON.parse(
    readFileSync(
      join(import.meta.dirname, set === 'later' ? 'traps.json' : 'traps-development.json'),
      'utf8',
    ),
  ) as Trap[];

export const callOf = ({ tool, command = '', path = '', text = '' }: TrapCall): ToolCall =>
  tool === 'Bash'
    ? { command, edits: [] }
    : { command: '', edits: [{ path, added: text, removed: '', isNew: tool === 'Write' }] };
