import { list, record, text, whole } from '../base/json.ts';
import { overheadTokens } from '../domain/writer-choice.ts';
import { askWriter } from './ask-writer.ts';
import type { Writer } from './write.ts';

interface ServerOptions {
  model: string;
  url?: string;
  key?: string;
}

/** Anthropic's Messages API, or a compatible server. */
export function connectAnthropicWriter({
  url = 'https://api.anthropic.com',
  model,
  key,
}: ServerOptions): Writer {
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
    overheadTokens: overheadTokens.anthropic,
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

const openAiUrl = 'https://api.openai.com/v1';

/** Any endpoint with OpenAI's chat completions API: OpenAI, LiteLLM, vLLM, llama.cpp and others. `url` includes `/v1`. */
export function connectOpenAiWriter({ url = openAiUrl, model, key }: ServerOptions): Writer {
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
    overheadTokens: overheadTokens.openai,
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

/** Ollama silently truncates longer requests. Most models support this size. */
const contextTokens = 32_768;

/** A model in the user's own Ollama, such as `qwen3:8b`. OpenAI's API cannot ask it for a longer context. */
export function connectOllamaWriter({ url = 'http://127.0.0.1:11434', model }: ServerOptions): Writer {
  const endpoint = {
    name: 'Ollama',
    url: `${url.replace(/\/+$/, '')}/api/chat`,
    hint: 'ollama serve',
    hints: { 404: `ollama pull ${model}` },
  };
  return {
    provider: 'ollama',
    model,
    overheadTokens: overheadTokens.ollama,
    async write({ instructions, data, maxTokens }, signal) {
      const body = {
        model,
        stream: false,
        messages: [
          { role: 'system', content: instructions },
          { role: 'user', content: data },
        ],
        options: { num_predict: maxTokens, num_ctx: contextTokens, temperature: 0 },
      };
      const answer = await askWriter(endpoint, body, { maxTokens, signal });
      return {
        text: text(record(answer.message).content),
        claimed: {
          inputTokens: whole(answer.prompt_eval_count),
          outputTokens: whole(answer.eval_count),
        },
      };
    },
  };
}
