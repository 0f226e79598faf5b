/** The source files of all bundles. The build makes the bundles; test/architecture.test.ts checks what they load. */

/** Programs of the hook. They start on an old Node. */
export const hookPrograms = { hook: 'src/cmd/hook.ts', 'warm-hooks': 'src/cmd/warm-hooks.ts' };

/** Loaded by `hook.cjs`: the core always, each of the others only for calls that need it. */
export const hookBundles = {
  'hook-core': 'src/hooks/run-hook.ts',
  'hook-redaction': 'src/hooks/redaction.ts',
  'hook-places': 'src/memory/projects/projects.ts',
  'hook-files': 'src/memo/touched-files.ts',
  'hook-agents': 'src/agents/other-hooks.ts',
  'hook-rules': 'src/hooks/before-tool.ts',
  'hook-typed': 'src/hooks/typed.ts',
  'hook-prompts': 'src/hooks/prompt.ts',
};

/** Loaded by `hook.cjs` for a prompt. No package either, but the index is opened, so more of Node is loaded. */
export const recallBundles = { 'hook-recall': 'src/cmd/hook-recall.ts' };

export const commandLine = 'src/cmd/command-line.ts';

/** Programs that only start another, and say so if Node is too old for it. */
export const launchers = ['src/cmd/main.ts', 'src/cmd/mcp.ts'];

export const programs = [
  'src/cmd/mcp-server.ts',
  'src/cmd/lsp.ts',
  'src/cmd/drain.ts',
  'src/cmd/compare-files.ts',
  'src/cmd/serve.ts',
  'src/cmd/team.ts',
  'src/cmd/index-code.ts',
  'src/cmd/parse-code.ts',
  'src/cmd/guard-call.ts',
];
