import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { structuredPatch } from 'diff';
import type { Observation } from '../../src/agents/agent.ts';
import { hashId, lineHash } from '../../src/base/hash.ts';
import { homePaths } from '../../src/base/paths.ts';
import type { AgentName, EditHunk } from '../../src/domain/event.ts';
import { anchorsFromUser } from '../../src/drift/anchors-from-user.ts';
import { headOf } from '../../src/drift/current-code.ts';
import { toEvent } from '../../src/memory/capture/capture.ts';
import { drain, drainLimits } from '../../src/memory/drain.ts';
import { notePartsOf } from '../../src/memory/notes/note-parts.ts';
import { rememberNote } from '../../src/memory/notes/remember.ts';
import { resolvePlace } from '../../src/memory/projects/projects.ts';
import { rulesOnly } from '../../src/memory/redact/redact.ts';
import { type Home, openDrain } from '../../test/harness/home.ts';
import { git } from '../../test/support/sandbox.ts';
import { type Edit, firstCommit, notes, ownChange, type Work, work } from './stories.ts';

/** The Thursday on which the pictures are made, so that they look the same on every day. */
export const demonstrationTime = Date.parse('2026-11-12T14:05:00Z');

const day = 86_400_000;
const startOf = (daysAgo: number, time: string): number =>
  Date.parse(`${new Date(demonstrationTime - daysAgo * day).toISOString().slice(0, 10)}T${time}:00Z`);

type Step = { at: number; run(): void | Promise<void> };

/**
 * Creates a project as three months of work would leave it: files and commits in git, events through capture and the
 * log, and notes through `remember` and distilling, each at its own time.
 */
export async function createDemonstration({ home, repo, backstory }: Home): Promise<void> {
  const clock = { at: startOf(90, '09:00'), now: () => clock.at };
  const read = (path: string): string => readFileSync(join(repo, path), 'utf8');
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(repo, path)), { recursive: true });
    writeFileSync(join(repo, path), text);
  };
  const commit = (message: string): void => {
    const date = new Date(clock.at).toISOString();
    git(repo, 'add', '-A');
    Object.assign(process.env, { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date });
    git(repo, 'commit', '-qm', message, '--author=Ada Marsh <ada@example.org>');
    delete process.env.GIT_AUTHOR_DATE;
    delete process.env.GIT_COMMITTER_DATE;
  };
  for (const [path, text] of Object.entries(firstCommit.files)) write(path, text);
  git(repo, 'config', 'user.email', 'ada@example.org');
  git(repo, 'remote', 'add', 'origin', 'git@example.org:ada/shop.git');
  commit(firstCommit.message);

  const paths = homePaths(backstory);
  const { place, remember } = resolvePlace(paths, repo, clock);
  remember();
  const parts = openDrain(paths, place.project, { userHome: home, clock });
  const contextOf = (agent: AgentName, agentSession: string) => ({
    device: parts.device.id,
    actor: 'ada',
    agent,
    agentVersion: '1.0',
    agentSession,
    clientPid: 0,
    project: place.project,
    checkout: place.checkout,
    branch: 'main',
    head: headOf(repo).head,
  });
  const index = async (): Promise<void> => {
    while (!(await drain(parts, { ...drainLimits, maxMs: 600_000 })).isComplete);
  };

  /** Replaces text in a file and returns the hunks that an agent would report. */
  const edit = ([path, before, after]: Edit): EditHunk[] => {
    const old = read(path);
    if (!old.includes(before)) throw new Error(`${path} does not contain: ${before}`);
    const text = before === '' ? old + after : old.replace(before, () => after);
    write(path, text);
    return structuredPatch(path, path, old, text, '', '', { context: 0 }).hunks.map(
      ({ oldStart, newStart, lines }) => ({
        oldStart,
        newStart,
        added: lines.filter((line) => line.startsWith('+')).map((line) => lineHash(line.slice(1))),
        removed: lines.filter((line) => line.startsWith('-')).map((line) => lineHash(line.slice(1))),
      }),
    );
  };

  let lastPrompt = '';
  async function session({ agent, turns, commit: message }: Work, number: number): Promise<void> {
    const agentSession = hashId('demonstration', String(number)).slice(0, 24);
    let step = 0;
    const record = (
      content: Pick<Observation, 'kind' | 'body'>,
      origin: Observation['origin'],
      trust: Observation['trust'],
    ): string => {
      clock.at += 20_000;
      const id = hashId('demonstration', agentSession, String(step++));
      const at = new Date(clock.at).toISOString();
      const observation = { ...content, id, origin, trust, at, agentSession, branch: 'main' } as Observation;
      const event = toEvent(
        observation,
        {
          ...contextOf(agent, agentSession),
          root: repo,
          exclude: [],
          userHome: home,
          hashKey: parts.device.key,
          redactor: rulesOnly,
        },
        clock,
      );
      if (event !== undefined) parts.log.append([event]);
      return id;
    };
    record({ kind: 'session', body: { phase: 'start', cause: 'startup', preludeTokens: 420 } }, 'system', 1);
    for (const [at, { prompt, edits = [], command, editsAfter = [], answer }] of turns.entries()) {
      const turn = `${agentSession}-${at}`;
      const change = (each: Edit): void => {
        const [path] = each;
        record({ kind: 'edit', body: { turn, tool: 'Edit', path, hunks: edit(each) } }, 'assistant', 1);
      };
      lastPrompt = record({ kind: 'prompt', body: { turn, text: prompt } }, 'user', 2);
      // The number of files that an agent reads differs from day to day.
      for (const path of Object.keys(firstCommit.files).slice(0, 1 + ((number * 5 + at) % 7)))
        record(
          { kind: 'read', body: { turn, path, startLine: 1, lines: 40, hash: '', tokens: 300 } },
          'tool',
          0,
        );
      edits.forEach(change);
      if (command !== undefined) {
        const { line, failure: output } = command;
        const failed = output === undefined ? { ok: true, exit: 0 } : { ok: false, exit: 1, output };
        record({ kind: 'command', body: { turn, command: line, ...failed } }, 'tool', 0);
      }
      editsAfter.forEach(change);
      record({ kind: 'answer', body: { turn, text: answer } }, 'assistant', 1);
    }
    record({ kind: 'session', body: { phase: 'end', cause: 'other' } }, 'system', 1);
    clock.at += 120_000;
    if (message !== undefined) commit(message);
    await index();
  }

  async function note({ by, kind, text, on }: (typeof notes)[number]): Promise<void> {
    const [path = '', first = '', last = ''] = on ?? [];
    const lines = on === undefined ? [] : read(path).split('\n');
    const lineOf = (part: string): number => {
      const at = lines.findIndex((line) => line.includes(part));
      if (at === -1) throw new Error(`${path} does not contain: ${part}`);
      return at + 1;
    };
    const named = on === undefined ? [] : [`${path}:${lineOf(first)}-${lineOf(last)}`];
    const tied = await anchorsFromUser(named, { root: repo, key: parts.device.key }, headOf(repo).head);
    const [agent, trust, who] =
      by === 'user' ? (['backstory', 3, 'ada'] as const) : (['codex', 1, 'codex'] as const);
    await rememberNote(notePartsOf({ ...parts, clock }, contextOf(agent, '')), {
      kind,
      text,
      trust,
      author: who,
      concepts: [],
      ...tied,
      // An agent's note names the prompt that it was made from.
      ...(by === 'agent' ? { derivedFrom: [lastPrompt] } : {}),
    });
    await index();
  }

  const steps: Step[] = [
    ...work.map((each, number) => ({ at: startOf(each.daysAgo, each.at), run: () => session(each, number) })),
    ...notes.map((each) => ({ at: startOf(each.daysAgo, '11:45'), run: () => note(each) })),
    {
      at: startOf(ownChange.daysAgo, '12:10'),
      run: async () => {
        edit(ownChange.edit);
        commit(ownChange.message);
        await index();
      },
    },
  ];
  for (const { at, run } of steps.sort((a, b) => a.at - b.at)) {
    clock.at = at;
    await run();
  }
  clock.at = demonstrationTime;
  await index();
}
