import { text, tool } from '../fake-model.ts';
import { type AgentDriver, agentCommand, installedProgram, missingProgram, userFile } from './driver.ts';

const program = installedProgram('copilot-1.0.102', 'node_modules/@github/copilot-linux-x64/copilot');

export const copilot: AgentDriver = {
  agent: 'copilot',
  title: 'GitHub Copilot CLI 1.0.102',
  missing: missingProgram('GitHub Copilot CLI 1.0.102', program),
  api: 'openai',
  settings: ['.copilot/mcp-config.json', '.copilot/hooks/backstory.json'],
  configure(sandbox) {
    userFile(sandbox, '.copilot/mcp-config.json', '{\n\t"mcpServers": {}\n}\n');
  },
  command: (_sandbox, model, prompt) =>
    agentCommand(program, ['-p', prompt, '--allow-all', '--no-color'], {
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: `http://127.0.0.1:${model.port}/v1`,
      COPILOT_MODEL: 'claude-sonnet-4.5',
      COPILOT_ALLOW_ALL: 'true',
    }),
  steps: {
    read: (path) => [tool('view', { path })],
    replace: (path, before, after) => [tool('edit', { path, old_str: before, new_str: after })],
    write: (path, content) => [tool('create', { path, file_text: content })],
    command: (command) => [tool('bash', { command, description: 'run it' })],
    recall: (query) => [tool('backstory-recall', { query })],
    answer: (words) => [text(words)],
  },
  prelude: 'at once',
};
