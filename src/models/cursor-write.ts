import { text } from '../base/json.ts';
import { type ProgramRunner, runForObject } from './run-program.ts';
import type { Writer } from './write.ts';

/** Cursor's program in its read-only mode. It accepts the prompt only as an argument. */
export function connectCursor(
  runner: ProgramRunner,
  { program, model }: { program: string; model: string },
): Writer {
  return {
    provider: 'cursor',
    model,
    async write({ instructions, data, maxTokens }, signal) {
      const args = [
        '-p',
        ...['--output-format', 'json', '--mode', 'ask', '--trust', '--sandbox', 'enabled'],
        ...(model === '' ? [] : ['--model', model]),
        `${instructions}\n\n${data}`,
      ];
      const call = { name: 'Cursor', program, args, input: '', maxTokens };
      const answer = await runForObject(runner, call, signal);
      return { text: text(answer.result), claimed: {} };
    },
  };
}
