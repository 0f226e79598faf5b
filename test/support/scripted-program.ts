/** Replaces `claude -p`, `codex exec`, `cursor-agent -p` and `gemini` in tests; see writing-server.ts. */

import { readFileSync } from 'node:fs';

const [dialect = '', url = '', ...args] = process.argv.slice(2);
const after = (flag: string): string => args[args.indexOf(flag) + 1] ?? '';
const setting = (name: string): string =>
  args.find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1) ?? '""';

function readPrompt(): { instructions: string; data: string } {
  if (dialect === 'cursor') {
    const [instructions = '', ...data] = (args.at(-1) ?? '').split('\n\nThe record');
    return { instructions, data: `The record${data.join('')}` };
  }
  const data = readFileSync(0, 'utf8');
  if (dialect === 'claude') return { instructions: after('--system-prompt'), data };
  if (dialect === 'codex')
    return { instructions: readFileSync(JSON.parse(setting('model_instructions_file')), 'utf8'), data };
  return { instructions: readFileSync(process.env.GEMINI_SYSTEM_MD ?? '', 'utf8'), data };
}

const response = await fetch(`${url}/program`, {
  method: 'POST',
  body: JSON.stringify({
    ...readPrompt(),
    dialect,
    args,
    maxTokens: 3_000,
    guard: process.env.BACKSTORY_INTERNAL ?? '',
  }),
});
if (!response.ok) {
  console.error(`API error: status ${response.status}`);
  process.exit(1);
}
// Prints the response as it arrives, so that an endless response makes the program print endlessly.
let answer = '';
for await (const piece of response.body ?? []) {
  const text = Buffer.from(piece).toString('utf8');
  answer += text;
  if (answer.startsWith('{"filler')) process.stdout.write(text);
}
if (!answer.startsWith('{')) process.exit(1);
const { text, input, output } = JSON.parse(answer) as { text: string; input: number; output: number };

const printed: Record<string, () => string> = {
  claude: () =>
    JSON.stringify({
      type: 'result',
      is_error: false,
      result: text,
      total_cost_usd: 0.0001,
      usage: { input_tokens: input, cache_read_input_tokens: 0, output_tokens: output },
    }),
  codex: () =>
    [
      { type: 'thread.started', thread_id: 'x' },
      { type: 'item.completed', item: { type: 'agent_message', text } },
      { type: 'turn.completed', usage: { input_tokens: input, output_tokens: output } },
    ]
      .map((line) => JSON.stringify(line))
      .join('\n'),
  cursor: () => JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: text }),
  gemini: () =>
    JSON.stringify({
      response: text,
      stats: { models: { 'gemini-x': { tokens: { prompt: input, candidates: output, thoughts: 0 } } } },
    }),
};
process.stdout.write(printed[dialect]?.() ?? '');
