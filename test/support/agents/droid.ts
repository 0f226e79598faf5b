import { text, tool } from '../fake-model.ts';
import { type AgentDriver, agentCommand, installedProgram, missingProgram, userFile } from './driver.ts';

const program = installedProgram('droid-0.215.0', 'node_modules/@factory/cli-linux-x64/bin/droid');

export const droid: AgentDriver = {
  agent: 'droid',
  title: 'Factory Droid 0.215.0',
  missing: missingProgram('Factory Droid 0.215.0', program),
  api: 'openai',
  settings: ['.factory/settings.json', '.factory/mcp.json'],
  configure(sandbox, model) {
    const fake = {
      model: 'fake-model',
      displayName: 'Fake',
      provider: 'generic-chat-completion-api',
      baseUrl: `http://127.0.0.1:${model.port}/v1`,
      apiKey: 'x',
      maxOutputTokens: 8_000,
    };
    userFile(sandbox, '.factory/settings.json', `${JSON.stringify({ customModels: [fake] }, null, 2)}\n`);
  },
  command: (_sandbox, _model, prompt) =>
    agentCommand(
      program,
      // Names the server, because Droid does not wait for the others before the first request.
      ['exec', '--skip-permissions-unsafe', '--add-tools', 'MCP:backstory', '-m', 'custom:Fake-0', prompt],
      { FACTORY_AIRGAP_ENABLED: 'true' },
    ),
  steps: {
    read: (path) => [tool('Read', { file_path: path })],
    replace: (path, before, after) => [
      tool('Edit', { file_path: path, old_str: before, new_str: after, change_all: false }),
    ],
    write: (path, content) => [tool('Create', { file_path: path, content })],
    command: (command) => [
      tool('Execute', { command, summary: 'run it', riskLevel: 'low', riskLevelReason: 'a test' }),
    ],
    recall: (query) => [
      tool('ToolSearch', { query: 'select:backstory___recall' }),
      tool('backstory___recall', { query }),
    ],
    answer: (words) => [text(words)],
  },
  prelude: 'at once',
};
