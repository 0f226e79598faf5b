import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { claudeBinary, claudeEnvironment } from '../../test/support/claude.ts';
import { startModel, text } from '../../test/support/fake-model.ts';
import { typeAtTerminal } from '../../test/support/person.ts';
import { createSandbox } from '../../test/support/sandbox.ts';
import { timeOf } from './stage.ts';
import { decision } from './stories.ts';
import { columns, type TypedCommand } from './terminal-svg.ts';

const monday = { iso: '2026-11-09T09:12:00Z', name: 'Mon 09:12' };
const thursday = { iso: '2026-11-12T14:05:00Z', name: 'Thu 14:05' };

const codeBefore = `export function retry(job) {
  return redis.rpush('retries', job.id);
}
`;

/** What the scripted model does on Monday. */
const change = (path: string) => [
  [{ type: 'tool_use', name: 'Read', input: { file_path: path } }],
  [
    {
      type: 'tool_use',
      name: 'Edit',
      input: {
        file_path: path,
        old_string: "redis.rpush('retries', job.id)",
        new_string: "postgres.insert('retries', { id: job.id, delay: 2 ** job.attempt })",
      },
    },
  ],
  text('Retries are now rows in Postgres, with exponential backoff.'),
];

/**
 * Runs two sessions of the real Claude Code at a terminal, three days apart, with a scripted model. On Thursday the
 * model answers from the decision of Monday only if its request contains the line of the prelude; otherwise it says
 * that it does not know, and this throws.
 */
export async function recordSessions(installedPackage: string): Promise<TypedCommand[]> {
  const sandbox = createSandbox(installedPackage);
  const shop = join(sandbox.home, 'shop');
  const models: { stop(): void }[] = [];
  const model = async (...steps: Parameters<typeof startModel>[1]['steps']) => {
    const started = await startModel(sandbox, { steps });
    models.push(started);
    return {
      ...claudeEnvironment(sandbox, started),
      PATH: `${join(sandbox.home, 'bin')}:${sandbox.env.PATH}`,
      TERM: 'xterm-256color',
    };
  };
  const recorded: TypedCommand[] = [];
  const type = (
    command: string,
    day: typeof monday,
    env: Record<string, string>,
    cwd = shop,
  ): TypedCommand => {
    const startedAt = performance.now();
    const dates = { GIT_AUTHOR_DATE: day.iso, GIT_COMMITTER_DATE: day.iso };
    const all = { ...env, ...dates, ...timeOf(day.iso) };
    const { stdout, status } = typeAtTerminal(command, { cwd, env: all, columns });
    if (status !== 0) throw new Error(`${command}\n${stdout}`);
    const output = stdout.replaceAll(sandbox.home, '/home/you');
    return { prompt: `${day.name} ~/shop $ `, command, output, ms: performance.now() - startedAt };
  };
  try {
    preparePrograms(sandbox.home, installedPackage);
    const onMonday = await model(...change(join(shop, 'queue.js')));
    type('backstory install claude-code', monday, onMonday, sandbox.home);
    mkdirSync(shop);
    writeFileSync(join(shop, 'queue.js'), codeBefore);
    type('git init -q -b main && git add . && git commit -qm "Add the job queue"', monday, onMonday);
    recorded.push(type(`claude -p "${decision} Change queue.js."`, monday, onMonday));
    await indexed(() => type('backstory prelude', monday, onMonday).output);
    type('git commit -qam "Keep retries in Postgres"', monday, onMonday);

    const shown = type('backstory prelude', thursday, onMonday);
    const line = shown.output.split(/\r?\n/).find((each) => each.includes(decision)) ?? '';
    const id = /\[\w{8}\]$/.exec(line)?.[0];
    if (id === undefined) throw new Error(`the prelude on Thursday lacks the decision: ${shown.output}`);
    const unknown = 'I do not know.';
    const onThursday = await model({
      ifSaid: [JSON.stringify(line).slice(1, -1)],
      blocks: text(
        `In Postgres, not in Redis: Redis lost jobs on failover. You decided that on Monday ${id}.`,
      ),
      otherwise: text(unknown),
    });
    recorded.push(shown);
    const asked = type('claude -p "Where do we keep retries, and why?"', thursday, onThursday);
    if (asked.output.includes(unknown)) throw new Error('Claude Code was not told the decision');
    return [...recorded, asked];
  } finally {
    for (const { stop } of models) stop();
    sandbox.remove();
  }
}

/** Waits until the drain that the hook of the last turn started has written the prelude. */
async function indexed(prelude: () => string): Promise<void> {
  for (let tries = 0; tries < 60; tries++) {
    const text = prelude();
    if (text.includes('edited queue.js') && !text.includes('Since then')) return;
    await setTimeout(500);
  }
  throw new Error(`the session of Monday is not in the prelude:\n${prelude()}`);
}

function preparePrograms(home: string, installedPackage: string): void {
  const programs = join(home, 'bin');
  mkdirSync(programs);
  symlinkSync(join(installedPackage, 'dist/main.js'), join(programs, 'backstory'));
  symlinkSync(claudeBinary, join(programs, 'claude'));
  writeFileSync(join(home, '.gitconfig'), '[user]\nname = Ada Marsh\nemail = ada@example.org\n');
  mkdirSync(join(home, '.claude'));
  const settings = { permissions: { defaultMode: 'acceptEdits' } };
  writeFileSync(join(home, '.claude/settings.json'), JSON.stringify(settings));
}
