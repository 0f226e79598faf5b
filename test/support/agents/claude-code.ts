import { claudeBinary, claudeEnvironment, noClaude } from '../claude.ts';
import { text } from '../fake-model.ts';
import { type AgentDriver, agentCommand, userFile } from './driver.ts';

const tool = (name: string, input: object) => [{ type: 'tool_use', name, input }];

export const claudeCode: AgentDriver = {
  agent: 'claude-code',
  title: 'Claude Code 2.1.325',
  missing: noClaude,
  api: 'anthropic',
  settings: ['.claude/settings.json', '.claude.json'],
  configure(sandbox) {
    userFile(sandbox, '.claude/settings.json', '{"hooks":{}, "model": "opus"}');
  },
  command: (sandbox, model, prompt) =>
    agentCommand(
      claudeBinary,
      ['-p', prompt, '--permission-mode', 'bypassPermissions'],
      claudeEnvironment(sandbox, model),
    ),
  steps: {
    read: (path) => [tool('Read', { file_path: path })],
    replace: (path, before, after) => [
      tool('Edit', { file_path: path, old_string: before, new_string: after }),
    ],
    write: (path, content) => [tool('Write', { file_path: path, content })],
    command: (command) => [tool('Bash', { command })],
    recall: (query) => [tool('mcp__backstory__recall', { query })],
    answer: (words) => [text(words)],
  },
  prelude: 'at once',
};
