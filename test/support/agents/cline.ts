import { tool } from '../fake-model.ts';
import { type AgentDriver, agentCommand, installedProgram, missingProgram, userFile } from './driver.ts';

const program = installedProgram('cline-3.0.65', 'node_modules/@cline/cli-linux-x64/bin/cline');

export const cline: AgentDriver = {
  agent: 'cline',
  title: 'Cline 3.0.65',
  missing: missingProgram('Cline 3.0.65', program),
  api: 'openai',
  settings: ['.cline/data/settings/cline_mcp_settings.json', '.cline/hooks/PostToolUse'],
  configure(sandbox, model) {
    const settings = {
      provider: 'openai-compatible',
      apiKey: 'x',
      model: 'fake-model',
      baseUrl: `http://127.0.0.1:${model.port}/v1`,
    };
    const fake = { settings, updatedAt: '2026-11-16T00:00:00.000Z', tokenSource: 'manual' };
    userFile(
      sandbox,
      '.cline/data/settings/providers.json',
      JSON.stringify({
        version: 1,
        lastUsedProvider: 'openai-compatible',
        providers: { 'openai-compatible': fake },
      }),
    );
    userFile(sandbox, '.cline/data/settings/cline_mcp_settings.json', '{ "mcpServers": {} }');
  },
  command: (_sandbox, _model, prompt) =>
    agentCommand(program, ['--yolo', prompt], { CLINE_NO_AUTO_UPDATE: '1' }),
  steps: {
    read: (path) => [tool('read_files', { files: [{ path }] })],
    replace: (path, before, after) => [tool('editor', { path, old_text: before, new_text: after })],
    write: (path, content) => [tool('editor', { path, new_text: content })],
    command: (command) => [tool('run_commands', { commands: [command] })],
    recall: (query) => [tool('backstory__recall', { query })],
    answer: (words) => [tool('submit_and_exit', { summary: words, verified: true })],
  },
  // Its hooks can add context only to the result of a tool.
  prelude: 'after a tool',
};
