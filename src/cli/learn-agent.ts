import { drain } from '../memory/drain.ts';
import { beginRun, type LearnChoice, periodOf } from '../memory/notes/learn.ts';
import { planDigests } from '../memory/notes/learn-from-digests.ts';
import { plural } from '../text/plural.ts';
import type { App, Outcome } from './command.ts';
import { tokens } from './spend-lines.ts';

/** Lets the agent that the person talks to read past sessions. The agent reads them later, through its tools. */
export async function permitAgent(app: App, choice: LearnChoice): Promise<Outcome> {
  const parts = app.open();
  await drain(parts);
  const plan = await planDigests(parts, choice);
  const { sessions } = plan;
  const value = { sessions: sessions.length, tokens: plan.tokens };
  if (sessions.length === 0)
    return { value, text: 'Your agent may already read every session of that time.' };
  const count = plural(sessions.length, 'past session');
  app.printError(
    `${app.style.bold(`${count} of ${app.place().name}`)}, ${periodOf(plan)}: about ${tokens(plan.tokens)} for the agent that you talk to.
It sees, after redaction, your prompts, its own last answers, paths of edited files, and commands with their status. It sees no output of tools.
What it learns waits for your review: nothing is told, and nothing ends, before that.`,
  );
  if (!(await app.confirm(`Let your agent read ${count}?`)))
    return { value, text: 'Nothing was permitted.', exitCode: 1 };
  const run = beginRun(parts, plan, 'agent');
  return {
    value: { run: run.id, ...value },
    text: `Now say to your agent: learn from our past sessions. Then run: backstory review\n${app.style.dim(`To take it back: backstory learn --undo ${run.id}`)}`,
  };
}
