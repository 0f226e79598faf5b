import { parseObject, text } from '../base/json.ts';
import { overheadTokens } from '../domain/writer-choice.ts';
import { type ProgramRunner, runProgram } from './run-program.ts';
import { WriteFailure, type Writer } from './write.ts';

/** Cursor's program in its read-only mode. It accepts the prompt only as an argument. */
export function connectCursor(
  runner: ProgramRunner,
  { program, model }: { program: string; model: string },
): Writer {
  const name = 'Cursor';
  return {
    provider: 'cursor',
    model,
    overheadTokens: overheadTokens.cursor,
    async write({ instructions, data, maxTokens }, signal) {
      const args = [
        '-p',
        ...['--output-format', 'json', '--mode', 'ask', '--trust', '--sandbox', 'enabled'],
        ...(model === '' ? [] : ['--model', model]),
        `${instructions}\n\n${data}`,
      ];
      const call = { name, program, args, input: '', maxTokens };
      const answer = parseObject(await runProgram(runner, call, signal));
      if (answer === undefined || answer.is_error === true)
        throw new WriteFailure('failed', `${name} failed`);
      return { text: text(answer.result), claimed: {} };
    },
  };
}
