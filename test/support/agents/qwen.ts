import { text, tool } from '../fake-model.ts';
import { type AgentDriver, agentCommand, installedProgram, missingProgram, userFile } from './driver.ts';

const program = installedProgram('qwen-code-0.24.4', 'node_modules/@qwen-code/qwen-code/cli.js');

export const qwen: AgentDriver = {
  agent: 'qwen',
  title: 'Qwen Code 0.24.4',
  missing: missingProgram('Qwen Code 0.24.4', program),
  api: 'openai',
  settings: ['.qwen/settings.json'],
  configure(sandbox) {
    userFile(
      sandbox,
      '.qwen/settings.json',
      '// mine\n{\n  "general": { "enableAutoUpdate": false },\n  "hooks": { "Stop": [] }\n}\n',
    );
  },
  command: (_sandbox, model, prompt) =>
    agentCommand(process.execPath, [program, '-p', prompt, '--yolo'], {
      OPENAI_BASE_URL: `http://127.0.0.1:${model.port}/v1`,
      OPENAI_API_KEY: 'x',
      OPENAI_MODEL: 'fake-model',
    }),
  steps: {
    read: (path) => [tool('read_file', { file_path: path })],
    replace: (path, before, after) => [
      tool('edit', { file_path: path, old_string: before, new_string: after }),
    ],
    write: (path, content) => [tool('write_file', { file_path: path, content })],
    command: (command) => [
      tool('run_shell_command', { command, description: 'run it', is_background: false }),
    ],
    recall: (query) => [tool('mcp__backstory__recall', { query })],
    answer: (words) => [text(words)],
  },
  prelude: 'at once',
};
