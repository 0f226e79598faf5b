import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { claudeProjectFolder } from '../../src/agents/claude-code/transcript.ts';
import { createSandbox, git, type Sandbox, storedFiles } from '../support/sandbox.ts';

const recorded = resolve('test/fixtures/agents');

interface Imported {
  events: number;
  files: number;
}

describe('import', () => {
  let sandbox: Sandbox;
  beforeEach(() => {
    sandbox = createSandbox(inject('installedPackage'));
    sandbox.cli('install', 'claude-code');
  });
  afterEach(() => sandbox.remove());

  /** Writes a transcript like those of Claude Code, of a session in the sandbox's repository. */
  const session = (id: string, turns: [prompt: string, answer: string][]): void => {
    const folder = claudeProjectFolder(join(sandbox.home, '.claude'), sandbox.repo);
    mkdirSync(folder, { recursive: true });
    const common = {
      sessionId: id,
      cwd: sandbox.repo,
      version: '2.1.325',
      gitBranch: 'main',
      isSidechain: false,
    };
    const lines = turns.flatMap(([prompt, answer], at) => {
      const [user, assistant] = [`${id}-u${at}`, `${id}-a${at}`];
      const timestamp = new Date(Date.UTC(2026, 0, 1, 0, at)).toISOString();
      return [
        {
          ...common,
          type: 'user',
          uuid: user,
          promptId: `${id}-p${at}`,
          timestamp,
          promptSource: 'typed',
          message: { role: 'user', content: prompt },
        },
        {
          ...common,
          type: 'assistant',
          uuid: assistant,
          parentUuid: user,
          timestamp,
          message: { id: `m-${assistant}`, role: 'assistant', content: [{ type: 'text', text: answer }] },
        },
      ];
    });
    writeFileSync(join(folder, `${id}.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  };

  it('[import-transcripts] imports past sessions once, by the folder in their records, however often it runs', () => {
    session('s1', [['why is the cache per tenant', 'Because eviction was unfair.']]);
    session('s2', [
      ['rename the worker', 'Renamed.'],
      ['and its tests', 'Done.'],
    ]);
    const plan = sandbox.json<{ projects: { transcripts: number; root: string }[] }>('import', '--dry-run');
    expect(plan.projects).toMatchObject([{ transcripts: 2, root: sandbox.repo }]);
    expect(sandbox.json<Imported>('import')).toMatchObject({ events: 6, files: 2 });
    expect(sandbox.json<Imported>('import')).toMatchObject({ events: 0, files: 0 });
    session('s2', [
      ['rename the worker', 'Renamed.'],
      ['and its tests', 'Done.'],
      ['one more', 'Yes.'],
    ]);
    expect(sandbox.json<Imported>('import')).toMatchObject({ events: 2, files: 1 });
    const { hits } = sandbox.json<{ hits: { text: string; at: number }[] }>('recall', 'cache per tenant');
    expect(hits[0]).toMatchObject({
      text: 'why is the cache per tenant',
      at: Date.parse('2026-01-01T00:00:00.000Z'),
    });
  });

  it('counts the statements that wait like `status`, and those that sessions are told apart', () => {
    const sentence = 'We decided to keep retries in Postgres instead of Redis, because Redis lost jobs.';
    // Only what was there before the installation counts as typed by a person.
    sandbox.remove();
    sandbox = createSandbox(inject('installedPackage'));
    session('s1', [[sentence, 'Noted.']]);
    sandbox.cli('install', 'claude-code');
    expect(sandbox.cli('import').stdout).toContain(
      '1 session, 2026-01-01 to 2026-01-01; no statements to review; new sessions are told 1 statement\n',
    );
    expect(sandbox.json('status')).toMatchObject({ candidates: 0 });
  });

  it('[import-transcripts] skips excluded files, and those changed before --since', () => {
    session('s1', [['a question', 'an answer']]);
    sandbox.cli('capture', 'exclude', sandbox.repo);
    expect(sandbox.json<Imported>('import')).toMatchObject({ events: 0, files: 0 });
    expect(sandbox.cli('import').stdout).toContain('1 session skipped, for example: ');
    sandbox.cli('capture', 'exclude', '--remove', sandbox.repo);
    expect(sandbox.json<Imported>('import', '--since', '2999-01-01')).toMatchObject({ events: 0 });
    expect(sandbox.json<Imported>('import', '--since', '1d')).toMatchObject({ events: 2 });
    expect(sandbox.cli('import', 'emacs').status).toBe(2);
  });

  it('[import-transcripts] reads the recorded sessions of the real agents', () => {
    const claudeFolder = join(sandbox.home, '.claude/projects/recorded');
    const codexFolder = join(sandbox.home, '.codex/sessions/2026/11/14');
    for (const name of ['tools-mcp-subagent', 'lifecycle-resume-compact-clear-fork', 'interactive-tui']) {
      cpSync(join(recorded, 'claude-code-2.1.325', name, 'transcripts'), claudeFolder, { recursive: true });
    }
    for (const name of ['basic', 'auto-compact', 'mcp-applypatch-resume-fork']) {
      cpSync(join(recorded, 'codex-0.166.0', name, 'sessions'), codexFolder, { recursive: true });
    }
    const first = sandbox.json<Imported>('import');
    expect(first.events).toBeGreaterThan(40);
    expect(sandbox.json<Imported>('import').events).toBe(0);
    const ids = sandbox.events().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const answers = sandbox.events().flatMap((event) => (event.kind === 'answer' ? [event.body.text] : []));
    expect(answers).not.toContain('COMPACT SUMMARY TEXT');
  });

  it('[import-git] imports commits, the whole history on request', () => {
    for (let at = 0; at < 5; at++) {
      writeFileSync(join(sandbox.repo, `file${at}.ts`), String(at));
      git(sandbox.repo, 'add', '.');
      git(sandbox.repo, 'commit', '-qm', `step ${at}: because of reason ${at}`);
    }
    expect(sandbox.json<Imported>('import', 'git').events).toBe(5);
    expect(sandbox.json<Imported>('import', 'git').events).toBe(0);
    const { hits } = sandbox.json<{ hits: { text: string; paths: string[]; kind: string }[] }>(
      'recall',
      'reason 3',
    );
    expect(hits[0]).toMatchObject({ kind: 'commit', paths: ['file3.ts'] });
  });

  /** Writes a store of each tool, and returns how to import it and what it contains. */
  function writeStores(): { args: string[]; notes: number }[] {
    const database = new DatabaseSync(join(sandbox.home, 'claude-mem.db'));
    database.exec(`create table observations (id integer primary key, project text, type text, title text, narrative text,
      facts text, concepts text, files_modified text, created_at_epoch integer);
      insert into observations values (1, 'repo', 'bugfix', 'Fixed token expiry', 'The clock was read twice.',
        '["uses UTC"]', '["problem-solution"]', '["src/jwt.ts"]', 1762600000000);
      insert into observations values (2, 'other', 'decision', 'Elsewhere', 'Not ours.', '[]', '[]', '[]', 1762600000000)`);
    database.close();
    const write = (path: string, text: string) => {
      mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(path, text);
    };
    write(
      join(claudeProjectFolder(join(sandbox.home, '.claude'), sandbox.repo), 'memory/style.md'),
      'User likes tabs.',
    );
    write(
      join(sandbox.home, 'basic-memory/idea.md'),
      '---\ntitle: Lease idea\ntags: [queue]\n---\nUse leases.',
    );
    write(
      join(sandbox.repo, '.thehook/sessions/one.md'),
      '## SUMMARY\nTried the pool.\n## GOTCHAS\n- It leaks.',
    );
    write(join(sandbox.repo, '.thehook/knowledge/all.md'), 'Pools leak on reload.');
    return [
      { args: ['claude-mem', '--from', join(sandbox.home, 'claude-mem.db')], notes: 1 },
      { args: ['thehook'], notes: 3 },
      { args: ['claude-memory'], notes: 1 },
      { args: ['basic-memory'], notes: 1 },
    ];
  }

  it('[import-stores] imports claude-mem, TheHook, Claude and basic-memory as candidates, once', () => {
    const take = (...args: string[]) => sandbox.json<{ notes: number }>('import', ...args);
    for (const { args, notes } of writeStores()) {
      expect(take(...args), args[0]).toMatchObject({ notes });
      expect(take(...args), `${args[0]} again`).toMatchObject({ notes: 0 });
    }
    const { hits } = sandbox.json<{ hits: { kind: string; trust: number; paths: string[] }[] }>(
      'recall',
      'token expiry',
    );
    expect(hits[0]).toMatchObject({ kind: 'fix', trust: 1, paths: ['src/jwt.ts'] });
    expect(sandbox.cli('prelude').stdout).not.toContain('leases');
  });

  it('[import-dry-run] lists the sessions in a dry run, and changes no file', () => {
    session('s1', [['why is the cache per tenant', 'Because eviction was unfair.']]);
    cpSync(join(recorded, 'codex-0.166.0/basic/sessions'), join(sandbox.home, '.codex/sessions/2026/11/14'), {
      recursive: true,
    });
    const before = storedFiles(sandbox);
    for (const source of [[], ['claude-code'], ['codex']])
      expect(sandbox.cli('import', ...source, '--dry-run').stdout).toMatch(/ 1 session, [\s\S]*Dry run: /);
    for (const source of ['git', 'entire', 'claude-mem'])
      expect(sandbox.cli('import', source, '--dry-run').status, source).toBe(2);
    expect(storedFiles(sandbox)).toEqual(before);
  });

  it('[export-restore] exports a project to one file and restores what is missing', () => {
    // U+2028 ends a line in JavaScript, but not in JSON.
    sandbox.cli('remember', 'One line\u2028and what was pasted after it.');
    session('s1', [['why leases', 'Because locks vanish.']]);
    sandbox.cli('import');
    sandbox.cli('remember', 'Leases, not locks, because of failover');
    const file = join(sandbox.home, 'all.gz');
    const exported = sandbox.json<{ events: number; notes: number }>('export', file);
    expect(exported).toMatchObject({ notes: 2 });
    expect(sandbox.json('import', file)).toMatchObject({ events: 0, notes: 0 });
    const other = createSandbox(inject('installedPackage'));
    try {
      const { events, notes } = exported;
      expect(other.json('import', file)).toMatchObject({ events, notes });
      expect(readFileSync(join(other.projectFolder(), 'project.json'), 'utf8')).toContain(sandbox.repo);
    } finally {
      other.remove();
    }
    writeFileSync(join(sandbox.home, 'bad.gz'), 'not gzip');
    expect(sandbox.cli('import', join(sandbox.home, 'bad.gz')).status).not.toBe(0);
  });
});
