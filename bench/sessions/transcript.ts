import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256 } from '../../src/base/ids.ts';
import type { Act, ScriptedSession } from './script.ts';

/** The actions of each prompt up to the next one. */
export const turnsOf = ({ acts }: ScriptedSession): Act[][] => {
  const turns: Act[][] = [];
  for (const act of acts) {
    if (act.kind === 'prompt') turns.push([act]);
    else turns.at(-1)?.push(act);
  }
  return turns;
};

/** Appends actions to a transcript as Claude Code does. */
export function createTranscript(path: string, { name, cwd }: { name: string; cwd: string }) {
  mkdirSync(dirname(path), { recursive: true });
  let record = 0;
  let parentUuid = '';
  return {
    session: sessionIdOf(name),
    append(acts: Act[], turn: number, startMs: number): void {
      const promptId = `${name}-turn-${turn}`;
      const lines = acts.flatMap((act, at) => recordsOf(act, `${name}-${record + at}`, cwd));
      record += acts.length;
      const text = lines.map((line, at) => {
        const uuid = `${name}-${turn}-${at}`;
        const timestamp = new Date(startMs + at * 20_000).toISOString();
        const common = {
          sessionId: sessionIdOf(name),
          cwd,
          version: '2.1.325',
          gitBranch: 'main',
          isSidechain: false,
        };
        const chain = line.type === 'user' ? { promptId } : {};
        const value = { ...common, ...chain, ...line, uuid, parentUuid, timestamp };
        parentUuid = uuid;
        return `${JSON.stringify(value)}\n`;
      });
      appendFileSync(path, text.join(''));
    },
  };
}

export const sessionIdOf = (name: string): string => sha256(name).slice(0, 32);

/** One action as Claude Code writes it; the id names its message and its tool call. */
export function recordsOf(
  act: Act,
  id: string,
  cwd: string,
): ({ type: 'user' | 'assistant' } & Record<string, unknown>)[] {
  const says = (content: unknown[]) => ({
    type: 'assistant' as const,
    message: { id: `m-${id}`, role: 'assistant', content },
  });
  const uses = (name: string, input: object, toolUseResult: object, failed = '') => [
    says([{ type: 'tool_use', id: `toolu_${id}`, name, input }]),
    {
      type: 'user' as const,
      toolUseResult,
      message: {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: `toolu_${id}`,
            content: failed,
            ...(failed === '' ? {} : { is_error: true }),
          },
        ],
      },
    },
  ];
  switch (act.kind) {
    case 'tool':
      return uses(act.tool, act.input, { result: act.output });
    case 'prompt':
      return [{ type: 'user', promptSource: 'typed', message: { role: 'user', content: act.text } }];
    case 'answer':
      return [says([{ type: 'text', text: act.text }])];
    case 'read': {
      const filePath = join(cwd, act.path);
      const file = { filePath, content: 'lines\n', startLine: 1, numLines: 1, totalLines: 1 };
      return uses('Read', { file_path: filePath }, { type: 'text', file });
    }
    case 'edit': {
      const filePath = join(cwd, act.path);
      const lines = [`-before ${id}`, `+after ${id}`, '+and more'];
      const structuredPatch = [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 2, lines }];
      return uses('Edit', { file_path: filePath }, { filePath, structuredPatch });
    }
    case 'command': {
      const { command, output, exit } = act;
      if (exit !== 0) return uses('Bash', { command }, {}, `Exit code ${exit}\n${output}`);
      return uses('Bash', { command }, { stdout: output, stderr: '' });
    }
  }
}
