import { list, record, text, whole } from '../base/json.ts';
import { askWriter } from './ask-writer.ts';
import type { Writer } from './write.ts';

export interface OpenAiWriterOptions {
  /** Base URL including `/v1`, as used by OpenAI, LiteLLM, vLLM, llama.cpp, LM Studio and others. */
  url?: string;
  model: string;
  key?: string;
}

const openAiUrl = 'https://api.openai.com/v1';

/** Any endpoint with OpenAI's chat completions API. */
export function connectOpenAiWriter({ url = openAiUrl, model, key }: OpenAiWriterOptions): Writer {
  const base = url.replace(/\/+$/, '');
  const endpoint = {
    name: 'The chat endpoint',
    url: `${base}/chat/completions`,
    headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    hint: `curl ${base}/models`,
    hints: { 401: 'Check the key', 403: 'Check the key', 404: `Check the model's name: curl ${base}/models` },
  };
  // OpenAI's newer models reject `max_tokens`; most other servers know only that name.
  const limit = base === openAiUrl ? 'max_completion_tokens' : 'max_tokens';
  return {
    provider: 'openai',
    model,
    overheadTokens: 100,
    async write({ instructions, data, maxTokens }, signal) {
      const messages = [
        { role: 'system', content: instructions },
        { role: 'user', content: data },
      ];
      const body = { model, [limit]: maxTokens, messages, stream: false };
      const answer = await askWriter(endpoint, body, { maxTokens, signal });
      const usage = record(answer.usage);
      return {
        text: text(record(record(list(answer.choices)[0]).message).content),
        claimed: {
          inputTokens: whole(usage.prompt_tokens),
          outputTokens: whole(usage.completion_tokens),
        },
      };
    },
  };
}
