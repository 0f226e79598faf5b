import { text, tool } from '../fake-model.ts';
import { configureOpenCode, noOpenCode, openCodeCommand } from '../opencode.ts';
import type { AgentDriver } from './driver.ts';

export const openCode: AgentDriver = {
  agent: 'opencode',
  title: 'OpenCode 1.18.33',
  missing: noOpenCode,
  api: 'openai',
  sideRequests: ['You are a title generator'],
  settings: ['.config/opencode/opencode.jsonc', '.config/opencode/plugins/backstory.js'],
  configure: configureOpenCode,
  command: (_sandbox, _model, prompt) => openCodeCommand([prompt]),
  steps: {
    read: (path) => [tool('read', { filePath: path })],
    replace: (path, before, after) => [tool('edit', { filePath: path, oldString: before, newString: after })],
    write: (path, content) => [tool('write', { filePath: path, content })],
    command: (command) => [tool('bash', { command, description: 'run it' })],
    recall: (query) => [tool('backstory_recall', { query })],
    answer: (words) => [text(words)],
  },
  prelude: 'at once',
};
