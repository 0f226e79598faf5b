import { codexBinary, configureCodex, noCodex } from '../codex.ts';
import { text, tool } from '../fake-model.ts';
import { type AgentDriver, agentCommand } from './driver.ts';

const patch = (...lines: string[]) => [
  {
    type: 'custom',
    name: 'apply_patch',
    input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n'),
  },
];

export const codex: AgentDriver = {
  agent: 'codex',
  title: 'Codex 0.166.0',
  missing: noCodex,
  api: 'openai',
  installOptions: ['--trust-hooks'],
  settings: ['.codex/hooks.json', '.codex/config.toml'],
  configure: configureCodex,
  command: (_sandbox, _model, prompt) =>
    agentCommand(codexBinary, ['exec', '--json', '--dangerously-bypass-approvals-and-sandbox', prompt], {
      FAKE_KEY: 'x',
      RUST_LOG: 'error',
    }),
  steps: {
    // Codex has no tool that reads files; it would use a command.
    read: () => [],
    replace: (path, before, after) => [
      patch(
        `*** Update File: ${path}`,
        '@@',
        `-export const cache = ${before};`,
        `+export const cache = ${after};`,
      ),
    ],
    write: (path, content) => [patch(`*** Add File: ${path}`, `+${content.trimEnd()}`)],
    command: (command) => [tool('exec_command', { cmd: command, yield_time_ms: 120_000 })],
    recall: (query) => [[{ type: 'tool', name: 'recall', namespace: 'mcp__backstory', args: { query } }]],
    answer: (words) => [text(words)],
  },
  prelude: 'at once',
};
