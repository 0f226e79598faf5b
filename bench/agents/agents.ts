import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installAgents } from '../../scripts/install-agents.ts';
import type { EventEnvelope } from '../../src/domain/event.ts';
import { onEnd } from '../../test/harness/cleanup.ts';
import { type Evaluation, exactly } from '../../test/harness/evaluation.ts';
import { installPackage } from '../../test/harness/package.ts';
import { createSandbox, git, type Sandbox, settle } from '../../test/support/sandbox.ts';
import { type AgentSession, agentSessions, failingCommand, openingOf } from './sessions.ts';

/**
 * Runs the real agents offline, one after another, in one repository where `install` has set up each. Every turn must
 * be captured once, and each agent must start with the decision made in the one before.
 */
export const agents: Evaluation = {
  name: 'agents',
  summary:
    'Real Claude Code, Codex, OpenCode and Pi in one repository: each is captured, and the next starts with its decision.',
  async run({ isShort }) {
    const sessions = isShort ? agentSessions.slice(0, 2) : agentSessions;
    const fetched = installAgents(sessions.map(({ folder }) => folder));
    const sandbox = createSandbox(installPackage().folder);
    onEnd(sandbox.remove);
    writeFileSync(join(sandbox.repo, 'README.md'), '# sample\n');
    git(sandbox.repo, 'add', '.');
    git(sandbox.repo, 'commit', '-qm', 'first');
    const figures: Record<string, number | string> = { fetched };
    const counts = { complete: 0, told: 0 };
    // The first agent runs again at the end, to receive what the last one decided.
    for (const [at, session] of [...sessions, sessions[0] as AgentSession].entries()) {
      const before = sessions[at - 1];
      const started = performance.now();
      // The last session only asks a question, so it has no decision to look for.
      const isLast = at === sessions.length;
      const prompt = isLast ? 'Go on where the others stopped.' : `${session.decision} Please write it down.`;
      const opening = await runSession(sandbox, session, prompt);
      figures[`${session.name}${isLast ? ' again' : ''} ms`] = Math.round(performance.now() - started);
      if (before !== undefined && opening.includes(before.decision)) counts.told += 1;
    }
    settle(sandbox);
    const events = sandbox.events();
    for (const session of sessions) {
      const problems = problemsOf(session, live(events));
      figures[`${session.name} events`] = events.filter(({ agent }) => agent === session.name).length;
      if (problems.length === 0) counts.complete += 1;
      else figures[`${session.name} problems`] = problems.join('; ');
    }
    // Count duplicate lines of the log. A hook and a drain (background indexing) may store the same event concurrently,
    // with the same id.
    figures['lines folded away'] = events.length - new Set(events.map(({ id }) => id)).size;
    const own = events.filter(({ body }) => JSON.stringify(body).includes('backstory-memory')).length;
    return {
      n: sessions.length + 1,
      figures,
      bars: {
        agentsCapturedOnce: exactly(counts.complete, sessions.length),
        sessionsToldOfTheLast: exactly(counts.told, sessions.length),
        ownWordsCaptured: exactly(own, 0),
      },
    };
  },
};

/** Returns the first request that the agent sent to the model. */
async function runSession(sandbox: Sandbox, session: AgentSession, prompt: string): Promise<string> {
  const model = await session.start(sandbox, join(sandbox.repo, session.file));
  onEnd(model.stop);
  const installed = sandbox.cli('install', ...session.install);
  if (installed.status !== 0) throw new Error(`${session.name}: ${installed.stdout}${installed.stderr}`);
  session.run(sandbox, model, prompt);
  const opening = openingOf(model.requests());
  model.stop();
  return opening;
}

/** Deduplicates the log as readers do: equal ids are one event, and a transcript record replaces a hook event. */
function live(events: EventEnvelope[]): EventEnvelope[] {
  const superseded = new Set(
    events.flatMap(({ body }) => ('supersedes' in body ? (body.supersedes ?? []) : [])),
  );
  const byId = new Map(events.map((event) => [event.id, event]));
  return [...byId.values()].filter(({ id }) => !superseded.has(id));
}

function problemsOf({ name, decision, file, answer }: AgentSession, events: EventEnvelope[]): string[] {
  const own = events.filter(({ agent }) => agent === name);
  const count = (what: string, is: (event: EventEnvelope) => boolean): string[] => {
    const found = own.filter(is).length;
    return found === 1 ? [] : [`${what}: ${found}`];
  };
  const firstSession = own.find(({ kind }) => kind === 'session')?.agentSession;
  const isFirst = ({ agentSession }: EventEnvelope): boolean => agentSession === firstSession;
  return [
    ...count(
      'prompts',
      ({ kind, body }) => kind === 'prompt' && 'text' in body && body.text.startsWith(decision),
    ),
    ...count('answers', (event) => isFirst(event) && event.kind === 'answer' && event.body.text === answer),
    ...count('edits', (event) => isFirst(event) && event.kind === 'edit' && event.body.path === file),
    ...count(
      'commands',
      (event) =>
        isFirst(event) &&
        event.kind === 'command' &&
        event.body.command === failingCommand &&
        event.body.exit === 3,
    ),
  ];
}
