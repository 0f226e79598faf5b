import type { Command } from './command.ts';

/** All commands, in the order of `--help`. Each is imported on demand, so that a quick command starts quickly. */
const loaders: Record<string, () => Promise<Command>> = {
  recall: async () => (await import('./recall.ts')).recallCommand,
  show: async () => (await import('./show.ts')).showCommand,
  why: async () => (await import('./why.ts')).whyCommand,
  remember: async () => (await import('./remember.ts')).rememberCommand,
  edit: async () => (await import('./edit.ts')).editCommand,
  review: async () => (await import('./review.ts')).reviewCommand,
  learn: async () => (await import('./learn.ts')).learnCommand,
  enforce: async () => (await import('./enforce.ts')).enforceCommand,
  forget: async () => (await import('./forget.ts')).forgetCommand,
  share: async () => (await import('./share.ts')).shareCommand,
  prelude: async () => (await import('./prelude.ts')).preludeCommand,
  ui: async () => (await import('./ui.ts')).uiCommand,
  search: async () => (await import('./search.ts')).searchCommand,
  knowledge: async () => (await import('./knowledge.ts')).knowledgeCommand,
  pr: async () => (await import('./pr.ts')).prCommand,
  handoff: async () => (await import('./handoff.ts')).handoffCommand,
  install: async () => (await import('./install.ts')).installCommand,
  uninstall: async () => (await import('./uninstall.ts')).uninstallCommand,
  import: async () => (await import('./import.ts')).importCommand,
  export: async () => (await import('./export.ts')).exportCommand,
  attribution: async () => (await import('./attribution.ts')).attributionCommand,
  capture: async () => (await import('./capture.ts')).captureCommand,
  models: async () => (await import('./models.ts')).modelsCommand,
  team: async () => (await import('./team.ts')).teamCommand,
  status: async () => (await import('./status.ts')).statusCommand,
  doctor: async () => (await import('./doctor.ts')).doctorCommand,
  config: async () => (await import('./config.ts')).configCommand,
};

export const loadCommand = async (name: string): Promise<Command | undefined> =>
  Object.hasOwn(loaders, name) ? loaders[name]?.() : undefined;

export const loadCommands = (): Promise<Command[]> =>
  Promise.all(Object.values(loaders).map((load) => load()));

/** Servers that agents, editors and the viewer start. Each is a bundle of its own, which `main` loads. */
export const servers: Pick<Command, 'name' | 'usage' | 'summary'>[] = [
  {
    name: 'mcp',
    usage: 'mcp [serve] [--repo DIR] [--tools core|memory|code|all]',
    summary: 'Run the MCP server on stdio. Agents start it.',
  },
  { name: 'lsp', usage: 'lsp', summary: 'Run the language server on stdio. Editors start it.' },
  {
    name: 'serve',
    usage: 'serve [--port N | --socket FILE] [--idle MINUTES|never] [--new-token]',
    summary: 'Run the local HTTP server for the viewer and for programs. It exits when idle.',
  },
];

export const commandNames = [
  ...Object.keys(loaders),
  ...servers.map(({ name }) => name),
  'drain',
  'notes',
  'sessions',
];

/** Other names of commands, and what each is rewritten to. Those of `recall` are in its help and in the reference. */
const otherNames: Record<string, string[]> = {
  notes: ['recall', '--in', 'notes'],
  sessions: ['recall', '--in', 'sessions'],
  // Names in the source designs, which nothing lists. `main` handles `mcp serve`.
  brief: ['handoff', '--brief'],
  build: ['doctor', '--reindex', 'code'],
  init: ['capture', 'on'],
  reindex: ['doctor', '--reindex'],
  resume: ['handoff', 'resume'],
};

export const withoutOtherName = (args: string[]): string[] => {
  const [name = '', ...rest] = args;
  return Object.hasOwn(otherNames, name) ? [...(otherNames[name] ?? []), ...rest] : args;
};
