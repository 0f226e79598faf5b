import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { EventEnvelope } from '../../src/domain/event.ts';
import { onEnd } from '../../test/harness/cleanup.ts';
import { atLeast, type Evaluation, exactly } from '../../test/harness/evaluation.ts';
import { installPackage } from '../../test/harness/package.ts';
import { freePort } from '../../test/support/free-port.ts';
import { runAgentAsPerson } from '../../test/support/person.ts';
import { createSandbox, git, type Sandbox, settle } from '../../test/support/sandbox.ts';
import { type NestedAgent, setUpAgents } from './agents.ts';
import { personTerminals } from './terminals.ts';

/**
 * Who typed a prompt. Every agent is started with a prompt from the shell of every other: none of these prompts may
 * count as the user's. Every agent is started in the terminals in which people work: all of these must.
 */
export const nested: Evaluation = {
  name: 'nested',
  summary: 'Prompts that agents write for agents are not the user’s; prompts typed at a terminal are.',
  /** `--agents A,B` and `--only nested` or `typed` run a part, because the whole takes long on a busy machine. */
  options: { agents: { type: 'string' }, only: { type: 'string' } },
  file: import.meta.filename,
  measures: [
    'src/agents',
    'src/cmd/detect-caller.ts',
    'src/cmd/hook.ts',
    'src/domain/caller.ts',
    'src/hooks/typed.ts',
    'src/hooks/run-hook.ts',
    'src/memory/capture/capture.ts',
    'src/memory/capture/event-writer.ts',
    'src/memory/capture/past-transcripts.ts',
    'plugins',
  ],
  async run({ isShort, own }) {
    const sandbox = createSandbox(installPackage().folder);
    onEnd(sandbox.remove);
    git(sandbox.repo, 'commit', '-q', '--allow-empty', '-m', 'first');
    const script = join(sandbox.home, 'start-others.sh');
    const wanted = typeof own.agents === 'string' ? own.agents.split(',') : isShort ? shortAgents : [];
    const { agents, missing } = await setUpAgents(sandbox, script, wanted, onEnd);
    // What a session is told would contain the prompts of earlier ones.
    sandbox.cli('config', 'tell', 'rules');
    const { terminals, missing: noTerminal } = personTerminals(sandbox.home, await freePort(), onEnd);

    const typed = (own.only === 'nested' ? [] : agents).flatMap(({ name }) =>
      terminals.map((terminal) => ({ name, terminal })),
    );
    for (const { name, terminal } of typed) {
      const agent = agents.find((one) => one.name === name) as NestedAgent;
      const { program, args, env } = agent.prompt(typedPrompt(name, terminal.name));
      const run = { cwd: sandbox.repo, env: { ...sandbox.env, ...terminal.env, ...env } };
      const { inTerminal } = terminal;
      runAgentAsPerson(program, args, { ...run, ...(inTerminal === undefined ? {} : { inTerminal }) });
    }

    const outers = own.only === 'typed' ? [] : agents;
    const pairs = outers.flatMap((outer) => agents.map((inner) => ({ outer, inner })));
    for (const outer of outers) startOthers(sandbox, script, outer, agents);
    // A shell may have ended its command too early. Those that are missing are started alone.
    const late = pairs.filter(
      ({ outer, inner }) => promptsOf(sandbox, nestedPrompt(outer, inner)).length === 0,
    );
    for (const { outer, inner } of late) startOthers(sandbox, script, outer, [inner]);

    settle(sandbox);
    sandbox.cli('drain', '--project', basename(sandbox.projectFolder()));
    settle(sandbox);
    const nestedFound = pairs.map(({ outer, inner }) => {
      const found = promptsOf(sandbox, nestedPrompt(outer, inner));
      return { pair: `${outer.name} > ${inner.name}`, found };
    });
    const unseen = nestedFound.filter(({ found }) => found.length === 0).map(({ pair }) => pair);
    const asUser = nestedFound.filter(({ found }) => found.some(isUsers)).map(({ pair }) => pair);
    const typedFound = typed.map(({ name, terminal }) => ({
      run: `${name} in ${terminal.name}`,
      found: promptsOf(sandbox, typedPrompt(name, terminal.name)),
    }));
    const lost = typedFound.filter(({ found }) => !found.some(isUsers));
    const reasons = Map.groupBy(
      nestedFound.flatMap(({ found }) => found),
      reasonOf,
    );
    const kept = typed.length === 0 ? 1 : (typed.length - lost.length) / typed.length;
    return {
      n: pairs.length + typed.length,
      figures: {
        agents: agents.map(({ name }) => name).join(' '),
        pairs: pairs.length,
        'pairs started alone': late.length,
        ...Object.fromEntries([...reasons].map(([reason, found]) => [`nested: ${reason}`, found.length])),
        terminals: terminals.map(({ name }) => name).join(' '),
        'typed prompts': typed.length,
        ...(missing.length + noTerminal.length === 0
          ? {}
          : { 'not here': [...missing, ...noTerminal].join('; ') }),
        ...(unseen.length === 0 ? {} : { 'pairs without a prompt': unseen.join(', ') }),
        ...(asUser.length === 0 ? {} : { "told as the user's": asUser.join(', ') }),
        ...(lost.length === 0
          ? {}
          : {
              'typed but lost': lost
                .map(({ run, found }) => `${run} (${found.map(reasonOf).join(', ') || 'not captured'})`)
                .join(', '),
            }),
      },
      bars: {
        nestedToldAsUsers: exactly(asUser.length, 0),
        pairsCaptured: exactly(pairs.length - unseen.length, pairs.length),
        typedKept: atLeast(Math.round(kept * 10_000) / 10_000, 0.99),
      },
    };
  },
};

const shortAgents = ['claude-code', 'codex', 'cursor'];

const typedPrompt = (agent: string, terminal: string): string =>
  `I type to ${agent} in ${terminal} that the otter feeds at noon.`;
const nestedPrompt = (outer: NestedAgent, inner: NestedAgent): string =>
  `${outer.name} tells ${inner.name} that the linter must never run.`;

/** Agents do not wait long for a command, so only two are started in one session. */
const batchSize = 2;

/** Runs an agent whose shell starts these agents, each in a terminal, with and without the environment of the shell. */
function startOthers(sandbox: Sandbox, script: string, outer: NestedAgent, inner: NestedAgent[]): void {
  for (let at = 0; at < inner.length; at += batchSize) {
    const lines = inner.slice(at, at + batchSize).map((agent, number) => {
      const { program, args, env } = agent.prompt(nestedPrompt(outer, agent));
      const variables = Object.entries({ ...sandbox.env, ...env }).map(([name, value]) => `${name}=${value}`);
      const command = ['env', ...(number % 2 === 0 ? [] : ['-i']), ...variables, program, ...args];
      // In a terminal, because without one the session is headless anyway.
      const line = command.map(quoted).join(' ');
      return `timeout 100 script -qec ${quoted(line)} /dev/null </dev/null >/dev/null 2>&1`;
    });
    writeFileSync(script, `cd ${quoted(sandbox.repo)}\n${lines.join('\n')}\n`);
    const { program, args, env } = outer.shell();
    runAgentAsPerson(program, args, { cwd: sandbox.repo, env: { ...sandbox.env, ...env } });
  }
}

const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

type PromptEvent = Extract<EventEnvelope, { kind: 'prompt' }>;

/** The events of a prompt that readers see: a transcript's replaces the hook's. */
function promptsOf(sandbox: Sandbox, words: string): PromptEvent[] {
  const events = sandbox.events().filter((event) => event.kind === 'prompt');
  const superseded = new Set(events.flatMap(({ body }) => body.supersedes ?? []));
  return events.filter(({ id, body }) => body.text.includes(words) && !superseded.has(id));
}

const isUsers = ({ origin, trust }: PromptEvent): boolean => origin === 'user' || trust >= 2;

const reasonOf = ({ body }: PromptEvent): string =>
  body.untyped?.replace(/\(.*/, '').replace(/(?<=shell of|by) .*/, ' an agent') ?? 'typed';
