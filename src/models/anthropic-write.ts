import { list, record, text, whole } from '../base/json.ts';
import { askWriter } from './ask-writer.ts';
import type { Writer } from './write.ts';

export interface AnthropicOptions {
  url?: string;
  model: string;
  key?: string;
}

/** Anthropic's Messages API, or a compatible server. */
export function connectAnthropicWriter({
  url = 'https://api.anthropic.com',
  model,
  key,
}: AnthropicOptions): Writer {
  const endpoint = {
    name: "Anthropic's API",
    url: `${url.replace(/\/+$/, '')}/v1/messages`,
    headers: { 'anthropic-version': '2023-06-01', ...(key === undefined ? {} : { 'x-api-key': key }) },
    hint: 'backstory models',
    hints: { 401: 'Check the key', 403: 'Check the key', 404: "Check the model's name" },
  };
  return {
    provider: 'anthropic',
    model,
    overheadTokens: 100,
    async write({ instructions, data, maxTokens }, signal) {
      const body = {
        model,
        max_tokens: maxTokens,
        system: instructions,
        messages: [{ role: 'user', content: data }],
      };
      const answer = await askWriter(endpoint, body, { maxTokens, signal });
      const usage = record(answer.usage);
      return {
        text: list(answer.content)
          .map((block) => text(record(block).text))
          .join(''),
        claimed: {
          inputTokens:
            whole(usage.input_tokens) +
            whole(usage.cache_creation_input_tokens) +
            whole(usage.cache_read_input_tokens),
          outputTokens: whole(usage.output_tokens),
        },
      };
    },
  };
}
