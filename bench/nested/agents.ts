import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { claudeCode } from '../../test/support/agents/claude-code.ts';
import { cline } from '../../test/support/agents/cline.ts';
import { codex } from '../../test/support/agents/codex.ts';
import { copilot } from '../../test/support/agents/copilot.ts';
import { type AgentCommand, type AgentDriver, agentCommand } from '../../test/support/agents/driver.ts';
import { droid } from '../../test/support/agents/droid.ts';
import { gemini } from '../../test/support/agents/gemini.ts';
import { grok } from '../../test/support/agents/grok.ts';
import { kilo } from '../../test/support/agents/kilo.ts';
import { openCode } from '../../test/support/agents/opencode.ts';
import { pi } from '../../test/support/agents/pi.ts';
import { qwen } from '../../test/support/agents/qwen.ts';
import { startModel, text } from '../../test/support/fake-model.ts';
import type { Sandbox } from '../../test/support/sandbox.ts';

/** An agent of the matrix. */
export interface NestedAgent {
  name: string;
  /** Starts it with a prompt. */
  prompt(words: string): AgentCommand;
  /** Starts it so that its shell runs the script. */
  shell(): AgentCommand;
}

/** The words by which the scripted model recognises what it is asked. */
const askOuter = (session: number): string => `Please start the others, session ${session}.`;
const maxSessions = 60;

const drivers: AgentDriver[] = [
  claudeCode,
  codex,
  pi,
  grok,
  droid,
  gemini,
  copilot,
  qwen,
  cline,
  openCode,
  kilo,
];

/** Sets up all agents that are installed here in one home folder, each with its own scripted model. */
export async function setUpAgents(
  sandbox: Sandbox,
  script: string,
  wanted: string[],
  onEnd: (undo: () => void) => void,
): Promise<{ agents: NestedAgent[]; missing: string[] }> {
  const agents: NestedAgent[] = [];
  const missing: string[] = [];
  for (const driver of drivers.filter(({ agent }) => wanted.length === 0 || wanted.includes(agent))) {
    if (driver.missing !== undefined) {
      missing.push(driver.missing);
      continue;
    }
    const answer = driver.steps.answer('Done.')[0] as Record<string, unknown>[];
    const command = driver.steps.command(`sh ${script}`)[0] as Record<string, unknown>[];
    const side = (driver.sideRequests ?? []).map((match) => ({ match, blocks: text('Title') }));
    // The command is given once for each session. If the shell does not wait for its end, the model goes on.
    const asked = Array.from({ length: maxSessions }, (_, number) => ({
      match: askOuter(number),
      in: 'all',
      once: true,
      blocks: command,
    }));
    const matches = [...side, ...asked];
    const model = await startModel(sandbox, { matches, steps: [answer] }, driver.api);
    onEnd(model.stop);
    driver.configure(sandbox, model);
    const installed = sandbox.cli('install', driver.agent, ...(driver.installOptions ?? []));
    if (installed.status !== 0) throw new Error(`${driver.agent}: ${installed.stdout}${installed.stderr}`);
    let session = 0;
    agents.push({
      name: driver.agent,
      prompt: (words) => driver.command(sandbox, model, words),
      shell: () => driver.command(sandbox, model, askOuter(session++)),
    });
  }
  if (wanted.length === 0 || wanted.includes('cursor')) agents.push(cursorIn(sandbox, script));
  return { agents, missing };
}

/** Cursor cannot run offline. Its hook calls are sent by a process of its name, and its shell has its variable. */
function cursorIn(sandbox: Sandbox, script: string): NestedAgent {
  const installed = sandbox.cli('install', 'cursor');
  if (installed.status !== 0) throw new Error(`cursor: ${installed.stdout}${installed.stderr}`);
  const [editor, agent] = ['cursor', 'cursor-agent'].map((name) => join(sandbox.home, name));
  symlinkSync(process.execPath, editor as string);
  symlinkSync('/bin/bash', agent as string);
  const send = join(sandbox.home, 'send-calls.mjs');
  writeFileSync(
    send,
    `import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
const [prompt] = process.argv.slice(2);
const { hooks } = JSON.parse(readFileSync(process.env.HOME + '/.cursor/hooks.json', 'utf8'));
const id = 'cursor-' + process.pid;
const call = (event, more) => spawnSync(hooks[event].at(-1).command, { shell: true, input: JSON.stringify({
  conversation_id: id, session_id: id, generation_id: id + '-1', model: 'composer', cursor_version: '2.4.7',
  workspace_roots: [process.cwd()], user_email: 'somebody@example.org', transcript_path: null, hook_event_name: event, ...more }) });
call('sessionStart', { is_background_agent: false });
call('beforeSubmitPrompt', { prompt, attachments: [], composer_mode: 'agent' });
call('stop', { status: 'completed', loop_count: 0 });
`,
  );
  return {
    name: 'cursor',
    prompt: (words) => agentCommand(editor as string, [send, words]),
    // Two commands, so that the shell does not replace itself by the second.
    shell: () => agentCommand(agent as string, ['-c', `export CURSOR_AGENT=1; sh ${script}; true`]),
  };
}
