/** Providers that can be chosen to write notes, by the names that users type. */
export const writerProviders = [
  'claude',
  'codex',
  'cursor',
  'gemini',
  'ollama',
  'openai',
  'anthropic',
] as const;

export type WriterProvider = (typeof writerProviders)[number];

/** Providers that run as a program; the others are called over HTTP. */
export const writerPrograms: Partial<Record<WriterProvider, string>> = {
  claude: 'claude',
  codex: 'codex',
  cursor: 'cursor-agent',
  gemini: 'gemini',
};

/**
 * Upper bounds of the tokens that a provider itself adds to every request. Measured: 300 for Claude Code, 600 for Codex
 * and 200 for Gemini CLI. Cursor reports nothing, so its number is a guess on the high side.
 */
export const overheadTokens: Record<WriterProvider, number> = {
  claude: 1_000,
  codex: 2_000,
  cursor: 15_000,
  gemini: 1_000,
  ollama: 200,
  openai: 100,
  anthropic: 100,
};

/** The environment variable of the API key, if the user named no other. */
export const defaultKeyVariables: Partial<Record<WriterProvider, string>> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
};

/** Parses the setting `write`: `claude`, `codex:gpt-5`, `ollama:qwen3:8b`. */
export function parseChoice(choice: string): { provider: WriterProvider; model: string } | undefined {
  const [name = '', ...rest] = choice.split(':');
  const provider = writerProviders.find((each) => each === name);
  return provider === undefined ? undefined : { provider, model: rest.join(':') };
}
