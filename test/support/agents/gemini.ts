import { text, tool } from '../fake-model.ts';
import { type AgentDriver, agentCommand, installedProgram, missingProgram, userFile } from './driver.ts';

const program = installedProgram('gemini-cli-0.61.0', 'node_modules/@google/gemini-cli/bundle/gemini.js');

export const gemini: AgentDriver = {
  agent: 'gemini',
  title: 'Gemini CLI 0.61.0',
  missing: missingProgram('Gemini CLI 0.61.0', program),
  api: 'gemini',
  settings: ['.gemini/settings.json'],
  configure(sandbox) {
    userFile(
      sandbox,
      '.gemini/settings.json',
      '{\n  "security": {\n    "auth": { "selectedType": "gemini-api-key" },\n    "folderTrust": { "enabled": false }\n  }\n}',
    );
  },
  command: (_sandbox, model, prompt) =>
    agentCommand(process.execPath, [program, '-p', prompt, '--yolo', '-m', 'gemini-2.5-flash'], {
      GOOGLE_GEMINI_BASE_URL: `http://127.0.0.1:${model.port}`,
      GEMINI_API_KEY: 'x',
    }),
  steps: {
    read: (path) => [tool('read_file', { file_path: path })],
    replace: (path, before, after) => [
      tool('replace', { file_path: path, instruction: 'change', old_string: before, new_string: after }),
    ],
    write: (path, content) => [tool('write_file', { file_path: path, content })],
    command: (command) => [tool('run_shell_command', { command, description: 'run it' })],
    recall: (query) => [tool('mcp_backstory_recall', { query })],
    answer: (words) => [text(words)],
  },
  prelude: 'at once',
};
