import { join, resolve } from 'node:path';
import type { WriterProvider } from '../../src/domain/writer-choice.ts';
import { connectClaude } from '../../src/models/claude-write.ts';
import { connectCodex } from '../../src/models/codex-write.ts';
import { connectCursor } from '../../src/models/cursor-write.ts';
import { connectGemini } from '../../src/models/gemini-write.ts';
import {
  connectAnthropicWriter,
  connectOllamaWriter,
  connectOpenAiWriter,
} from '../../src/models/http-write.ts';
import type { Writer } from '../../src/models/write.ts';
import { scriptedProgram } from './writing-server.ts';

export const scriptedKey = 'sk-secret-of-the-user';

/** Runs programs in tests through the real guard. */
export const scriptedRunner = (folder: string) => ({
  node: process.execPath,
  guard: resolve(import.meta.dirname, '../../src/cmd/guard-call.ts'),
  folder: join(folder, 'asking'),
  env: { PATH: process.env.PATH ?? '', CLAUDECODE: '1', CLAUDE_CODE_SESSION_ID: 'of-the-session-around-us' },
});

/** The real provider, calling the scripted server at this address. Programs are put into the folder. */
export function scriptedWriter(provider: WriterProvider, url: string, folder: string): Writer {
  const runner = scriptedRunner(folder);
  const model = 'sample';
  const own = () => ({ program: scriptedProgram(folder, provider, url), model });
  switch (provider) {
    case 'claude':
      return connectClaude(runner, own());
    case 'codex':
      return connectCodex(runner, { ...own(), codexFolder: folder });
    case 'cursor':
      return connectCursor(runner, own());
    case 'gemini':
      return connectGemini(runner, own());
    case 'ollama':
      return connectOllamaWriter({ url, model });
    case 'openai':
      return connectOpenAiWriter({ url: `${url}/v1`, model, key: scriptedKey });
    case 'anthropic':
      return connectAnthropicWriter({ url, model, key: scriptedKey });
  }
}
