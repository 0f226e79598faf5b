import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft } from '../../../bench/redaction/leftover.ts';
import { secretKinds } from '../../../bench/redaction/synthetic-kinds.ts';
import { atLeast, type Evaluation, exactly } from '../../harness/evaluation.ts';
import { createHome, type Home } from '../../harness/home.ts';
import { promptInput, sessionStartInput, stopInput } from '../../harness/hook-input.ts';
import { hookToLog } from '../../harness/measured-code.ts';
import { installPackage } from '../../harness/package.ts';
import { createRandom } from '../../harness/random.ts';
import { filesUnder, git, settle } from '../../support/sandbox.ts';

interface Canary {
  kind: string;
  variable: string;
  secret: string;
}

/** A way in which a secret on the user's machine could reach Backstory's files. */
type Channel = (canary: Canary, at: number) => void;

/** Sends secrets through every channel of the installed package and searches for them in every byte it wrote. */
export const canaries: Evaluation = {
  name: 'canaries',
  summary: '200 secrets through every channel of the installed package; none may be in any file or output.',
  file: import.meta.filename,
  measures: [
    ...hookToLog,
    'src/memory/redact',
    'src/memory/capture',
    'src/memory/notes/remember.ts',
    'src/memory/notes/agent-statement.ts',
    'src/memory/notes/distil-sessions.ts',
    'src/hooks',
    'src/agents/claude-code',
    'src/cli/remember.ts',
    'src/mcp/remember.ts',
  ],
  async run({ isShort, seed }) {
    const count = isShort ? 60 : 200;
    const random = createRandom(seed);
    const home = createHome(installPackage());
    const outputs: string[] = [];
    const channels = createChannels(home, outputs);
    const sent = Array.from({ length: count }, (_, at): Canary => {
      // Leave out keys of several lines, which do not fit into every channel. Other evaluations cover them.
      const kind = random.pick(secretKinds.filter(({ name }) => !/rsa|openssh/.test(name) && at >= 0));
      return { kind: kind.name, variable: kind.variable, secret: kind.make(random) };
    });
    const names = Object.keys(channels);
    sent.forEach((canary, at) => {
      (channels[names[at % names.length] as string] as Channel)(canary, at);
    });
    await home.drainsEnded();
    home.cli('drain');
    settle(home);
    const files = [...filesUnder(home.backstory)];
    const output = outputs.join('\n');
    const leaks = sent.flatMap(({ kind, secret }, at) => {
      const where = files.filter(({ bytes }) => bytes.includes(secret)).map(({ path }) => path);
      if (output.includes(secret) || isLeft(output, secret)) where.push('output');
      return where.length === 0 ? [] : [`${names[at % names.length]}: ${kind} in ${where.join(', ')}`];
    });
    for (const leak of leaks) process.stderr.write(`leaked: ${leak}\n`);
    const events = home.events();
    const marked = files.filter(({ bytes }) => bytes.includes('[redacted:')).length;
    return {
      n: count,
      figures: {
        channels: names.join(' '),
        files: files.length,
        events: events.length,
        filesWithMarks: marked,
      },
      bars: {
        leaks: exactly(leaks.length, 0),
        // If hooks had captured nothing, finding no leaked secret would prove nothing.
        events: atLeast(events.length, count / 2),
      },
    };
  },
};

function createChannels(home: Home, outputs: string[]): Record<string, Channel> {
  const where = { cwd: home.repo, session: 'canary-session', transcript: transcriptPath(home) };
  const hook = (input: object, env: Record<string, string> = {}): void => {
    const { stdout, stderr } = home.hook(input, { BACKSTORY_DEBUG: '1', ...env });
    outputs.push(stdout, stderr);
  };
  const cli = (...args: string[]): void => {
    const { stdout, stderr } = home.cli(...args);
    outputs.push(stdout, stderr);
  };
  const tool = (at: number, name: string, input: object, response: object, failure?: string) =>
    hook({
      session_id: where.session,
      transcript_path: where.transcript,
      cwd: where.cwd,
      hook_event_name: failure === undefined ? 'PostToolUse' : 'PostToolUseFailure',
      prompt_id: `turn-${at}`,
      tool_name: name,
      tool_use_id: `use-${at}`,
      tool_input: input,
      tool_response: response,
      ...(failure === undefined ? {} : { error: failure }),
    });
  const transcript = createTranscript(home, where.transcript);
  hook(sessionStartInput(where));
  return {
    prompt: ({ variable, secret }, at) =>
      hook(promptInput(where, `turn-${at}`, `deploy with ${variable}=${secret} please`)),
    answer: ({ variable, secret }, at) =>
      hook(stopInput(where, `turn-${at}`, `I have set \`${variable}="${secret}"\` for you.`)),
    toolInput: ({ variable, secret }, at) =>
      tool(at, 'Bash', { command: `export ${variable}='${secret}' && ./deploy` }, { stdout: 'ok' }),
    toolOutput: ({ variable, secret }, at) =>
      tool(
        at,
        'Bash',
        { command: 'env' },
        { stdout: `${'PATH=/usr/bin\n'.repeat(400)}${variable}=${secret}\nHOME=/root` },
      ),
    filePath: ({ variable, secret }, at) =>
      tool(
        at,
        'Read',
        { file_path: `${home.repo}/tmp/${variable}=${secret.replaceAll('/', '_')}` },
        { file: { content: secret, numLines: 1, startLine: 1 } },
      ),
    error: ({ variable, secret }, at) =>
      tool(
        at,
        'Bash',
        { command: './deploy' },
        {},
        `Exit code 1\nError: 401 {"${variable.toLowerCase()}":"${secret}"}`,
      ),
    badInput: ({ variable, secret }) => {
      const { stdout, stderr } = home.hook(`not json ${variable}=${secret}`, { BACKSTORY_DEBUG: '1' });
      outputs.push(stdout, stderr);
    },
    commit: ({ variable, secret }) =>
      void git(home.repo, 'commit', '-q', '--allow-empty', '-m', `rotate key\n\n${variable}=${secret}`),
    // The prompt contains the secret without its variable name, so that only the value in the `.env` file can identify
    // it.
    envFile: ({ variable, secret }, at) => {
      writeFileSync(join(home.repo, '.env'), `NODE_ENV=test\n${variable}="${secret}"\n`);
      hook(promptInput(where, `turn-${at}`, `why does ( ${secret} ) not work?`));
    },
    environment: ({ variable, secret }, at) =>
      hook(promptInput(where, `turn-${at}`, `what is ( ${secret} ) again?`), {
        [variable.replace(/_URL$/, '_TOKEN')]: secret,
      }),
    note: ({ variable, secret }) =>
      cli('remember', `The ${variable} is "${secret}", keep it.`, '--files', `x/${variable}=${secret}`),
    mcpNote: ({ variable, secret }) =>
      outputs.push(mcpRemember(home, `We use ${variable}=${secret} on staging.`)),
    transcript: ({ variable, secret }, at) => transcript(at, `and with ${variable}: "${secret}"`),
  };
}

const transcriptPath = (home: Home): string =>
  join(home.home, '.claude', 'projects', 'canary', 'canary-session.jsonl');

/** Writes an agent's transcript, which a drain (background indexing) reads without any hook call. */
function createTranscript(home: Home, path: string) {
  mkdirSync(join(path, '..'), { recursive: true });
  const records: string[] = [];
  return (at: number, words: string): void => {
    const common = {
      sessionId: 'canary-session',
      cwd: home.repo,
      version: '2.1.0',
      gitBranch: 'main',
      timestamp: '2026-11-15T00:00:00.000Z',
    };
    records.push(
      JSON.stringify({
        ...common,
        type: 'user',
        uuid: `u-${at}`,
        promptId: `t-${at}`,
        message: { role: 'user', content: words },
      }),
      JSON.stringify({
        ...common,
        type: 'assistant',
        uuid: `a-${at}`,
        parentUuid: `u-${at}`,
        message: {
          id: `m-${at}`,
          role: 'assistant',
          content: [{ type: 'text', text: `Understood: ${words}` }],
        },
      }),
    );
    writeFileSync(path, `${records.join('\n')}\n`);
  };
}

function mcpRemember(home: Home, text: string): string {
  const call = (id: number, method: string, params: object) =>
    JSON.stringify({ jsonrpc: '2.0', id, method, params });
  const input = [
    call(1, 'initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'canary', version: '1' },
    }),
    JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
    call(2, 'tools/call', {
      name: 'remember',
      arguments: { topic: text, quote: text, reading: text.slice(0, 200), proposal: text },
    }),
  ].join('\n');
  const { stdout, stderr } = spawnSync(process.execPath, [home.program('mcp.js')], {
    cwd: home.repo,
    env: home.env,
    input: `${input}\n`,
    encoding: 'utf8',
  });
  return `${stdout}\n${stderr}`;
}
