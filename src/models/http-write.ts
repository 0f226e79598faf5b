import { type Json, list, record, text, whole } from '../base/json.ts';
import type { WriterProvider } from '../domain/writer-choice.ts';
import { askWriter, type WriterEndpoint } from './ask-writer.ts';
import { anthropicUsage, type WriteRequest, type Writer, type Written } from './write.ts';

interface ServerOptions {
  model: string;
  url?: string;
  key?: string;
}

interface ChatApi {
  endpoint: WriterEndpoint;
  bodyOf(request: Pick<WriteRequest, 'instructions' | 'data' | 'maxTokens'>): object;
  read(answer: Json): Written;
}

const chatWriter = (
  provider: WriterProvider,
  model: string,
  { endpoint, bodyOf, read }: ChatApi,
): Writer => ({
  provider,
  model,
  async write(request, signal) {
    const { maxTokens } = request;
    return read(await askWriter(endpoint, { model, ...bodyOf(request) }, { maxTokens, signal }));
  },
});

const messagesOf = ({ instructions, data }: Pick<WriteRequest, 'instructions' | 'data'>) => [
  { role: 'system', content: instructions },
  { role: 'user', content: data },
];

/** Anthropic's Messages API, or a compatible server. */
export const connectAnthropicWriter = ({
  url = 'https://api.anthropic.com',
  model,
  key,
}: ServerOptions): Writer =>
  chatWriter('anthropic', model, {
    endpoint: {
      name: "Anthropic's API",
      url: `${url.replace(/\/+$/, '')}/v1/messages`,
      headers: { 'anthropic-version': '2023-06-01', ...(key === undefined ? {} : { 'x-api-key': key }) },
    },
    bodyOf: ({ instructions, data, maxTokens }) => ({
      max_tokens: maxTokens,
      system: instructions,
      messages: [{ role: 'user', content: data }],
    }),
    read: ({ content, usage }) => ({
      text: list(content)
        .map((block) => text(record(block).text))
        .join(''),
      claimed: anthropicUsage(usage),
    }),
  });

const openAiUrl = 'https://api.openai.com/v1';

/** Any endpoint with OpenAI's chat completions API: OpenAI, LiteLLM, vLLM, llama.cpp and others. `url` includes `/v1`. */
export function connectOpenAiWriter({ url = openAiUrl, model, key }: ServerOptions): Writer {
  const base = url.replace(/\/+$/, '');
  // OpenAI's newer models reject `max_tokens`; most other servers know only that name.
  const limit = base === openAiUrl ? 'max_completion_tokens' : 'max_tokens';
  return chatWriter('openai', model, {
    endpoint: {
      name: 'The chat endpoint',
      url: `${base}/chat/completions`,
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    },
    bodyOf: (request) => ({ [limit]: request.maxTokens, messages: messagesOf(request), stream: false }),
    read({ choices, usage }) {
      const { prompt_tokens, completion_tokens } = record(usage);
      return {
        text: text(record(record(list(choices)[0]).message).content),
        claimed: { inputTokens: whole(prompt_tokens), outputTokens: whole(completion_tokens) },
      };
    },
  });
}

/** Ollama silently truncates longer requests. Most models support this size. */
const contextTokens = 32_768;

/** A model in the user's own Ollama, such as `qwen3:8b`. OpenAI's API cannot ask it for a longer context. */
export const connectOllamaWriter = ({ url = 'http://127.0.0.1:11434', model }: ServerOptions): Writer =>
  chatWriter('ollama', model, {
    endpoint: { name: 'Ollama', url: `${url.replace(/\/+$/, '')}/api/chat` },
    bodyOf: (request) => ({
      stream: false,
      messages: messagesOf(request),
      options: { num_predict: request.maxTokens, num_ctx: contextTokens, temperature: 0 },
    }),
    read: ({ message, prompt_eval_count, eval_count }) => ({
      text: text(record(message).content),
      claimed: { inputTokens: whole(prompt_eval_count), outputTokens: whole(eval_count) },
    }),
  });
