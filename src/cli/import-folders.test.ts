import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aNote } from '../../test/contract/samples.ts';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import { git } from '../../test/support/sandbox.ts';
import { claudeProjectFolder } from '../agents/claude-code/transcript.ts';
import { agentFolders } from '../agents/settings.ts';
import { writeJson } from '../base/files.ts';
import { recordPast } from '../memory/capture/past-transcripts.ts';
import { findNextSteps, nextStepLines } from '../memory/next-step.ts';
import { listProjects, resolvePlace } from '../memory/projects/projects.ts';
import type { App } from './command.ts';
import { importCommand } from './import.ts';
import { reviewCommand } from './review.ts';
import { statusCommand } from './status.ts';

let memory: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
  writeJson(memory.paths.installs, { v: 1, installs: [{ agent: 'claude-code', files: [] }] });
});
afterEach(() => memory.remove());

const plain = (text: string): string => text;

function appIn(cwd: string): App {
  const place = () => resolvePlace(memory.paths, cwd, memory.clock).place;
  return {
    ...memory,
    cwd,
    userHome: memory.home,
    agentFolders: agentFolders({}, memory.home),
    caller: () => ({ kind: 'script' }),
    isInteractive: false,
    progress: () => ({ update() {}, end() {} }),
    style: { bold: plain, dim: plain, good: plain, bad: plain, mark: plain },
    place,
    activation: () => ({ on: true, config: { distil: 'on' } }),
    open: (project?: string) => memory.open(project ?? place().project),
  } as unknown as App;
}

/** Imports sessions from before the installation. */
async function importFrom(cwd: string, values: object = {}): Promise<string> {
  rmSync(memory.paths.pastTranscripts, { force: true });
  const moment = { now: memory.clock.now(), userHome: memory.home, isByAgent: false };
  recordPast(memory.paths.pastTranscripts, agentFolders({}, memory.home), moment);
  return (await importCommand.run(appIn(cwd), { positionals: [], values: { ...values } })).text;
}
const status = async (cwd: string) =>
  (await statusCommand.run(appIn(cwd), { positionals: [], values: {} })).text;
const review = async (cwd: string) =>
  (await reviewCommand.run(appIn(cwd), { positionals: [], values: {} })).text;

function repository(name: string): string {
  const path = join(memory.home, name);
  git(memory.home, 'init', '-q', '-b', 'main', path);
  git(path, 'commit', '-q', '--allow-empty', '-m', `start ${name}`);
  return path;
}

let written = 0;
/** Writes a transcript as Claude Code does, each later than the one before. */
function session(id: string, cwd: string, more: object[] = []): void {
  const folder = claudeProjectFolder(join(memory.home, '.claude'), cwd);
  mkdirSync(folder, { recursive: true });
  const common = { sessionId: id, cwd, timestamp: '2026-11-01T00:00:00Z' };
  const message = { role: 'user', content: `add the button ${id}` };
  const lines = [...more, { ...common, type: 'user', uuid: `u-${id}`, message }];
  const file = join(folder, `${id}.jsonl`);
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  written += 1;
  utimesSync(file, written, written);
}

const projectNames = () => listProjects(memory.paths).map(({ name }) => name);

describe('import', () => {
  it('[import-project] puts sessions of deleted worktrees into the project of their repository, and says so', async () => {
    const app = repository('app');
    const inside = join(app, '.claude/worktrees/calm-fox');
    const [listed, named] = ['listed', 'named'].map((name) => join(memory.home, 'trees', name)) as [
      string,
      string,
    ];
    for (const tree of [listed, named]) git(app, 'worktree', 'add', '-q', '--detach', tree);
    rmSync(listed, { recursive: true });
    git(app, 'worktree', 'remove', named);
    session('s1', app);
    session('s2', app);
    session('s3', inside);
    session('s4', listed);
    const state = { type: 'worktree-state', worktreeSession: { originalCwd: app, worktreePath: named } };
    session('s5', named, [{ ...state, sessionId: 's5' }]);
    const worktreeSession = {
      originalCwd: join(memory.home, 'moved'),
      originalHeadCommit: git(app, 'rev-parse', 'HEAD').trim(),
    };
    session('s6', join(memory.home, 'trees', 'moved'), [{ ...state, worktreeSession, sessionId: 's6' }]);
    const dry = await importFrom(app, { 'dry-run': true });
    expect(dry).toMatch(/^app {2}6 sessions/);
    expect(projectNames(), 'a dry run stores nothing').toEqual([]);
    const text = await importFrom(app);
    expect(text).toContain('app: 6 sessions');
    expect(text).toContain('2 in ~/app, 1 in ');
    for (const name of ['~/app/.claude/worktrees/calm-fox', '~/trees/listed', '~/trees/named'])
      expect(text).toContain(`1 in ${name} (deleted)`);
    expect(text).toContain(', and 1 more folder');
    expect(projectNames()).toEqual(['app']);
  });

  it('[import-project] finds the repository of a deleted folder by the commit in a Codex session', async () => {
    repository('other');
    const app = repository('app');
    session('s1', app);
    session('s2', join(memory.home, 'other'));
    const folder = join(memory.home, '.codex/sessions/2026/11/01');
    mkdirSync(folder, { recursive: true });
    const commit_hash = git(app, 'rev-parse', 'HEAD').trim();
    const payload = { id: 'c1', cwd: join(memory.home, '.codex/worktrees/a1/app'), git: { commit_hash } };
    const lines = [
      { timestamp: '2026-11-01T00:00:00Z', type: 'session_meta', payload },
      {
        timestamp: '2026-11-01T00:00:01Z',
        type: 'event_msg',
        payload: { type: 'user_message', message: 'hi' },
      },
    ];
    writeFileSync(
      join(folder, 'rollout-c1.jsonl'),
      lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    );
    expect(await importFrom(app)).toContain('1 in ~/app, 1 in ~/.codex/worktrees/a1/app (deleted)');
    expect(projectNames().sort()).toEqual(['app', 'other']);
  });

  it('[import-project] stores files of a deleted worktree by their path in the repository', async () => {
    const app = repository('app');
    const tree = join(app, '.claude/worktrees/calm-fox');
    const file_path = join(tree, 'src/a.ts');
    const common = { sessionId: 's1', cwd: join(tree, 'src'), timestamp: '2026-11-01T00:00:01Z' };
    const use = { type: 'tool_use', id: 't1', name: 'Write', input: { file_path, content: 'x' } };
    const result = { type: 'tool_result', tool_use_id: 't1', content: 'ok' };
    session('s1', tree, [
      { ...common, cwd: tree, type: 'user', uuid: 'u0', message: { role: 'user', content: 'write it' } },
      { ...common, type: 'assistant', uuid: 'u1', message: { id: 'm', role: 'assistant', content: [use] } },
      {
        ...common,
        ...{ type: 'user', uuid: 'u2', toolUseResult: { type: 'create', filePath: file_path, content: 'x' } },
        message: { role: 'user', content: [result] },
      },
    ]);
    await importFrom(app);
    const [{ id } = { id: '' }] = listProjects(memory.paths);
    const events = [...memory.open(id).log.read({})].flatMap(({ entry }) =>
      entry.kind === 'event' ? [entry.event] : [],
    );
    expect(events.find(({ kind }) => kind === 'edit')?.body).toMatchObject({ path: 'src/a.ts' });
    const checkouts = new Set(events.filter(({ body }) => 'turn' in body).map(({ checkout }) => checkout));
    expect(checkouts.size).toBe(1);
  });

  it('[import-project] offers once to link projects that nothing proves to be one', async () => {
    for (const name of ['app', 'stranger']) {
      git(repository(name), 'remote', 'add', 'origin', 'https://example.org/ann/app.git');
      session(name, join(memory.home, name));
    }
    expect(await importFrom(memory.home)).toMatch(
      /^(?:stranger|app) may be (?:stranger|app) \w{8}, which has the same remote; if they are one project: backstory capture link \w{8} \w{8}$/m,
    );
    expect(await importFrom(memory.home)).not.toContain('capture link');
    const shown = await Promise.all(['app', 'stranger'].map((name) => status(join(memory.home, name))));
    const offers = shown.filter((text) =>
      /^may be +\w+ \w{8}, which has .*: backstory capture link/m.test(text),
    );
    expect(offers, 'status names it as long as it is open').toHaveLength(1);
  });
});

describe('after an import in another folder', () => {
  const propose = async (name: string, count: number): Promise<string> => {
    const path = repository(name);
    session(name, path);
    await importFrom(path);
    const { project } = resolvePlace(memory.paths, path, memory.clock).place;
    for (let at = 0; at < count; at++)
      await memory.open(project).notes.put(aNote({ id: `${name}-${at}-12345678`, state: 'candidate' }));
    return path;
  };

  it('[next-step] the next step leads to the folder with most statements, and review lists where they wait', async () => {
    const one = await propose('one', 1);
    const two = await propose('two', 2);
    const three = await propose('with space', 1);
    const next = `Next: cd ${two} && backstory review (2 statements to keep or reject, one key each)`;
    expect(await importFrom(memory.home)).toContain(next);
    expect(await review(memory.home)).toBe(
      [
        'No notes to review.',
        `2 statements of two: cd ${two} && backstory review`,
        `1 statement of one: cd ${one} && backstory review`,
        `1 statement of with space: cd "${three}" && backstory review`,
      ].join('\n'),
    );
    const app = appIn(memory.home);
    expect(nextStepLines(await findNextSteps(app, app.open()))).toEqual([
      `Next: cd ${two} && backstory review (2 statements of two to review)`,
    ]);
    expect(await importFrom(two)).toContain('Next: backstory review (2 statements');
  });
});
