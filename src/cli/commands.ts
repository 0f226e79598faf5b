import type { Command, CommandGroup } from './command.ts';

/** All commands, in the order of `--help`. Each is imported on demand, so that a quick command starts quickly. */
const loaders: Record<string, () => Promise<Command>> = {
  recall: async () => (await import('./recall.ts')).recallCommand,
  timeline: async () => (await import('./timeline.ts')).timelineCommand,
  why: async () => (await import('./why.ts')).whyCommand,
  show: async () => (await import('./show.ts')).showCommand,
  remember: async () => (await import('./remember.ts')).rememberCommand,
  edit: async () => (await import('./edit.ts')).editCommand,
  wrong: async () => (await import('./wrong.ts')).wrongCommand,
  reopen: async () => (await import('./reopen.ts')).reopenCommand,
  enforce: async () => (await import('./enforce.ts')).enforceCommand,
  pin: async () => (await import('./pin.ts')).pinCommand,
  distil: async () => (await import('./distil.ts')).distilCommand,
  review: async () => (await import('./review.ts')).reviewCommand,
  share: async () => (await import('./share.ts')).shareCommand,
  unshare: async () => (await import('./share.ts')).unshareCommand,
  trust: async () => (await import('./trust.ts')).trustCommand,
  forget: async () => (await import('./forget.ts')).forgetCommand,
  scan: async () => (await import('./scan.ts')).scanCommand,
  prelude: async () => (await import('./prelude.ts')).preludeCommand,
  ui: async () => (await import('./ui.ts')).uiCommand,
  search: async () => (await import('./search.ts')).searchCommand,
  knowledge: async () => (await import('./knowledge.ts')).knowledgeCommand,
  files: async () => (await import('./files.ts')).filesCommand,
  pack: async () => (await import('./pack.ts')).packCommand,
  outline: async () => (await import('./outline.ts')).outlineCommand,
  definition: async () => (await import('./definition.ts')).definitionCommand,
  references: async () => (await import('./references.ts')).referencesCommand,
  handoff: async () => (await import('./handoff.ts')).handoffCommand,
  resume: async () => (await import('./resume.ts')).resumeCommand,
  brief: async () => (await import('./brief.ts')).briefCommand,
  install: async () => (await import('./install.ts')).installCommand,
  uninstall: async () => (await import('./uninstall.ts')).uninstallCommand,
  import: async () => (await import('./import.ts')).importCommand,
  doctor: async () => (await import('./doctor.ts')).doctorCommand,
  completion: async () => (await import('./completion.ts')).completionCommand,
  init: async () => (await import('./activation.ts')).initCommand,
  off: async () => (await import('./activation.ts')).offCommand,
  pause: async () => (await import('./activation.ts')).pauseCommand,
  exclude: async () => (await import('./activation.ts')).excludeCommand,
  models: async () => (await import('./models.ts')).modelsCommand,
  project: async () => (await import('./project.ts')).projectCommand,
  team: async () => (await import('./team.ts')).teamCommand,
  status: async () => (await import('./status.ts')).statusCommand,
  stats: async () => (await import('./stats.ts')).statsCommand,
  spend: async () => (await import('./spend.ts')).spendCommand,
  config: async () => (await import('./config.ts')).configCommand,
  audit: async () => (await import('./audit.ts')).auditCommand,
  logs: async () => (await import('./logs.ts')).logsCommand,
  verify: async () => (await import('./verify.ts')).verifyCommand,
  reindex: async () => (await import('./reindex.ts')).reindexCommand,
  export: async () => (await import('./archive.ts')).exportCommand,
  restore: async () => (await import('./archive.ts')).restoreCommand,
};

/** Loads a command by its name; returns undefined if there is no such command. */
export const loadCommand = async (name: string): Promise<Command | undefined> =>
  Object.hasOwn(loaders, aliases[name] ?? name) ? loaders[aliases[name] ?? name]?.() : undefined;

export const loadCommands = (): Promise<Command[]> =>
  Promise.all(Object.values(loaders).map((load) => load()));

export const commandNames = [...Object.keys(loaders), 'mcp', 'drain'];

const aliases: Record<string, string> = { build: 'reindex' };

export const groups: CommandGroup[] = [
  'Memory',
  'Code',
  'Handoff',
  'Setup',
  'Control',
  'Inspect',
  'Servers and background',
];

/** Programs that `main` starts and that are not in the table of commands above. */
export const programUsages = [
  {
    usage: 'mcp [serve] [--repo DIR] [--tools core|memory|code|all]',
    summary: 'Run the MCP server on stdio. Agents start it.',
  },
  {
    usage: 'serve [--port N | --socket FILE] [--idle MINUTES|never] [--new-token]',
    summary: 'Run the local HTTP server for the viewer and for programs. It exits when idle.',
  },
  {
    usage:
      'team serve|init|migrate|doctor|tend|project|member|token|webhook|domain|retention|audit [--database URL]',
    summary: 'Run and administer a team server on Postgres. See docs/guides/team.md.',
  },
  { usage: 'drain --project ID', summary: 'Do background work for a limited time. Hooks start it.' },
];

/** Usage of the programs whose name is not also a command, so that help lists each name once. */
export const programsOnly = programUsages
  .map(({ usage, summary }) => ({ name: usage.split(' ')[0] as string, summary }))
  .filter(({ name }) => !Object.hasOwn(loaders, name));
