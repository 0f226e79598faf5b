import { text, tool } from '../fake-model.ts';
import { type AgentDriver, agentCommand, installedProgram, missingProgram, userFile } from './driver.ts';

const program = installedProgram('grok-1.0.41', 'grok');

export const grok: AgentDriver = {
  agent: 'grok',
  title: 'Grok Build 1.0.41',
  missing: missingProgram('Grok Build 1.0.41', program),
  api: 'openai',
  settings: ['.grok/config.toml', '.grok/hooks/backstory.json'],
  configure(sandbox) {
    userFile(sandbox, '.grok/config.toml', '# mine\n[cli]\nauto_update = false\n');
  },
  command: (_sandbox, model, prompt) =>
    agentCommand(program, ['-p', prompt, '--always-approve', '-m', 'fake-model'], {
      GROK_MODELS_BASE_URL: `http://127.0.0.1:${model.port}/v1`,
      XAI_API_KEY: 'x',
    }),
  steps: {
    read: (path) => [tool('read_file', { target_file: path })],
    replace: (path, before, after) => [
      tool('search_replace', { file_path: path, old_string: before, new_string: after }),
    ],
    write: (path, content) => [tool('write', { file_path: path, content })],
    command: (command) => [tool('run_terminal_command', { command, description: 'run it' })],
    recall: (query) => [tool('use_tool', { tool_name: 'backstory__recall', tool_input: { query } })],
    answer: (words) => [text(words)],
  },
  sideRequests: ['session_title', 'Write an ultra-short dashboard line'],
  // Its hooks can add context only to the result of a tool.
  prelude: 'after a tool',
};
