/** The models that can be chosen to write notes, by the names people type. */
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

/** The programs among them; the others are asked over HTTP. */
export const writerPrograms: Partial<Record<WriterProvider, string>> = {
  claude: 'claude',
  codex: 'codex',
  cursor: 'cursor-agent',
  gemini: 'gemini',
};

/** Where a key is looked for when the user named no variable. */
export const usualKeys: Partial<Record<WriterProvider, string>> = {
  openai: 'OPENAI_API_KEY',
  anthropic: 'ANTHROPIC_API_KEY',
};

/** As it stands in the setting `write`: `claude`, `codex:gpt-5`, `ollama:qwen3:8b`. */
export function parseChoice(choice: string): { provider: WriterProvider; model: string } | undefined {
  const [name = '', ...rest] = choice.split(':');
  const provider = writerProviders.find((each) => each === name);
  return provider === undefined ? undefined : { provider, model: rest.join(':') };
}
