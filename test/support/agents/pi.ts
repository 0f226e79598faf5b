import { text, tool } from '../fake-model.ts';
import { configurePi, noPi, piCommand } from '../pi.ts';
import type { AgentDriver } from './driver.ts';

export const pi: AgentDriver = {
  agent: 'pi',
  title: 'Pi 1.5.0',
  missing: noPi('1.5.0'),
  api: 'openai',
  settings: ['.pi/agent/mcp.json', '.pi/agent/extensions/backstory.ts'],
  configure: configurePi,
  command: (_sandbox, _model, prompt) => piCommand('1.5.0', prompt),
  steps: {
    read: (path) => [tool('read', { path })],
    replace: (path, before, after) => [tool('edit', { path, edits: [{ oldText: before, newText: after }] })],
    write: (path, content) => [tool('write', { path, content })],
    command: (command) => [tool('bash', { command })],
    recall: (query) => [tool('mcp__backstory__recall', { query })],
    answer: (words) => [text(words)],
  },
  prelude: 'at once',
};

export const oldPi: AgentDriver = {
  ...pi,
  title: 'Pi 0.73.1',
  missing: noPi('0.73.1'),
  command: (_sandbox, _model, prompt) => piCommand('0.73.1', prompt),
};
