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
