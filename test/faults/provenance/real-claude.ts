import { dirname } from 'node:path';
import { claude } from '../../support/claude.ts';
import { startModel, text } from '../../support/fake-model.ts';
import type { Sandbox } from '../../support/sandbox.ts';

/**
 * The real Claude Code works in a clone and runs only `cd docs && ls`, where docs looks like a git directory. Then it
 * is started in docs. Returns everything the model received.
 */
export async function workInClone(sandbox: Sandbox, docs: string): Promise<{ told: string }> {
  const installed = sandbox.cli('install', 'claude-code');
  if (installed.status !== 0) throw new Error(installed.stderr);
  const bash = (command: string) => [
    { type: 'tool_use', name: 'Bash', input: { command, description: 'look' } },
  ];
  const model = await startModel(sandbox, {
    steps: [
      bash('cd docs && ls'),
      bash('ls'),
      text('These are the documents.'),
      bash('ls'),
      text('The same.'),
    ],
  });
  try {
    claude({ ...sandbox, repo: dirname(docs) }, model, 'Which documents are there?');
    claude({ ...sandbox, repo: docs }, model, 'And here?');
    return { told: JSON.stringify(model.requests()) };
  } finally {
    model.stop();
  }
}
