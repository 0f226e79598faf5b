import { record, text, whole } from '../base/json.ts';
import { askWriter } from './ask-writer.ts';
import type { Writer } from './write.ts';

export interface OllamaWriterOptions {
  url?: string;
  /** Name of the model, such as `qwen3:8b`. */
  model: string;
}

/** Ollama silently truncates longer requests. Most models support this size. */
const contextTokens = 32_768;

/** A model in the user's own Ollama. */
export function connectOllamaWriter({ url = 'http://127.0.0.1:11434', model }: OllamaWriterOptions): Writer {
  const endpoint = {
    name: 'Ollama',
    url: `${url.replace(/\/+$/, '')}/api/chat`,
    hint: 'ollama serve',
    hints: { 404: `ollama pull ${model}` },
  };
  return {
    provider: 'ollama',
    model,
    overheadTokens: 200,
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
