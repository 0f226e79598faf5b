import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { claudeProjectFolder } from '../../src/agents/claude-code/transcript.ts';
import { startMcp } from '../support/mcp.ts';
import { createSandbox, git, type Sandbox, settle } from '../support/sandbox.ts';
import { startServe } from '../support/serve.ts';
import { untilSync } from '../support/until.ts';

const queue = `export class Queue {
  retry(times: number): void {
    this.waitForBroker(250);
    this.countOf(times);
  }
}
`;
let sandbox: Sandbox;
let file: string;
beforeEach(() => {
  sandbox = createSandbox(inject('installedPackage'));
  sandbox.cli('install', 'claude-code');
  file = join(sandbox.repo, 'queue.ts');
});
afterEach(() => {
  settle(sandbox);
  sandbox.remove();
});

const commit = (message: string): string => {
  git(sandbox.repo, 'add', '-A');
  git(sandbox.repo, 'commit', '-q', '-m', message);
  return git(sandbox.repo, 'rev-parse', 'HEAD').trim();
};

function captureWork(): void {
  const call = (hook_event_name: string, more: object) =>
    sandbox.hook({
      hook_event_name,
      session_id: 'session-1',
      prompt_id: 'turn-1',
      cwd: sandbox.repo,
      ...more,
    });
  call('UserPromptSubmit', {
    prompt: 'We decided to pause for 250 ms between retries because the broker restarts that fast.',
  });
  writeFileSync(file, queue);
  call('PostToolUse', {
    tool_use_id: 'use-1',
    tool_name: 'Write',
    tool_input: { file_path: file },
    tool_response: { type: 'create', filePath: file, content: queue, structuredPatch: [] },
  });
  call('Stop', { last_assistant_message: 'Retries pause for 250 ms now.' });
  settle(sandbox);
}

/** Retries, because on a busy machine recall may not have had the time to check the code. */
function answered(...args: string[]): string {
  let answer = '';
  untilSync(() => {
    answer = sandbox.cli(...args).stdout;
    return !answer.includes('unchecked');
  });
  return answer;
}

const recalled = () => answered('recall', 'why is there a pause between retries');

describe('drift', () => {
  it('[drift-note] anchors a note to lines, and `why` reports whether they still exist', () => {
    writeFileSync(file, queue);
    commit('Queue');
    const remembered = sandbox.cli(
      'remember',
      'The pause is measured, do not shorten it.',
      '--files',
      'queue.ts:2-5',
    );
    expect(remembered.status).toBe(0);
    const path = /: (.*\.md)/.exec(remembered.stdout)?.[1] ?? '';
    expect(readFileSync(path, 'utf8')).toMatch(
      /anchors:\n {2}- "queue\.ts:2-5 Queue\.retry @[0-9a-f]{12} #[0-9a-f]{32}"\n/,
    );
    expect(answered('why', 'queue.ts:3')).toContain('current: queue.ts:2-5');
    writeFileSync(file, queue.replace('250', '10'));
    expect(answered('why', 'queue.ts:3')).toContain('CHANGED since, not committed yet: 2 of 3 lines');
    expect(answered('recall', 'measured pause')).toContain('CHANGED since');
  });

  it('[drift-surfaces] is reported wherever memory is shown: by every route, tool and command, and in the viewer', async () => {
    writeFileSync(file, `${queue}export const kept = 1;\n`);
    writeFileSync(join(sandbox.repo, '.gitignore'), '.env\n');
    writeFileSync(join(sandbox.repo, '.env'), 'KEY=hidden\n');
    commit('Queue');
    sandbox.cli('remember', 'Something was said here before.');
    const served = await startServe(sandbox, inject('installedPackage'));
    const mcp = await startMcp(sandbox, inject('installedPackage'));
    try {
      const post = async <T>(path: string, body: object): Promise<T> => {
        const headers = { 'content-type': 'application/json' };
        const answer = await served.fetchAsPerson(path, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        });
        return (await answer.json()) as T;
      };
      const text = 'The queue pauses for the broker.';
      const files = ['queue.ts:1-6', '.env'];
      const note = await post<{ id: string; files: string[]; anchors: string[] }>('/api/v1/notes', {
        text,
        files,
      });
      expect(note).toMatchObject({
        files: ['queue.ts', '.env'],
        anchors: [expect.stringMatching(/^queue\.ts:1-6 /)],
      });
      const [{ id: project = '' } = {}] = (await served.get<{ items: { id: string }[] }>('/api/v1/projects'))
        .items;
      const added = await post<{ metadata: { files: string[] } }>(`/api/projects/${project}/memory`, {
        text: 'Kept is one.',
        metadata: { files: ['queue.ts:7'] },
      });
      expect(added.metadata.files).toEqual(['queue.ts']);
      settle(sandbox);
      writeFileSync(file, 'export const kept = 1;\n');
      commit('No queue');
      interface Told {
        drift?: { state: string };
        title?: string;
        text?: string;
      }
      const isMeant = (one: Told) => (one.text ?? one.title ?? '').includes(text);
      const stateIn = (all: Told[]) => all.find(isMeant)?.drift?.state;
      const get = async (path: string) => {
        const { results, items, records } = await served.get<Record<string, Told[]>>(path);
        return stateIn(results ?? items ?? records ?? []);
      };
      const query = encodeURIComponent(text);
      const ways: Record<string, () => Promise<unknown>> = {
        search: () => get(`/api/search/observations?query=${query}`),
        full: () => get(`/api/search/observations?query=${query}&format=full`),
        byFile: () => get('/api/search/by-file?filePath=queue.ts'),
        memory: () => get(`/api/projects/${project}/memory/search?q=${query}`),
        timeline: () => get(`/api/v1/timeline?anchor=${note.id}`),
        around: () => get(`/api/context/timeline?anchor=${note.id}`),
        viewer: async () => (await served.get<{ freshness: string }>(`/api/v1/notes/${note.id}`)).freshness,
        forge: async () =>
          stateIn((await mcp.call('forge_memory', { query: text })).structuredContent?.results as Told[]),
        listed: async () => stateIn(sandbox.json<{ hits: Told[] }>('recall', '--file', 'queue.ts').hits),
      };
      for (const [name, look] of Object.entries(ways))
        await expect.poll(look, { message: name }).toBe('gone');
      const packed = async () =>
        (await mcp.call('context_pack', { goal: 'where is kept in queue.ts' })).content[0]?.text;
      await expect.poll(packed).toMatch(/^Note .*GONE/m);
      const decisions = () => sandbox.cli('recall', '--kind', 'decision').stdout;
      await expect.poll(decisions).toContain('GONE');
      expect(sandbox.json('recall', '--file', 'queue.ts')).toHaveProperty('failedPaths');
      // While files change, the code index may have no code to show for a moment.
      const page = async () => JSON.stringify(await served.get(`/api/v1/notes/${note.id}`));
      await expect.poll(page).toContain('waitForBroker');
      expect(await page()).not.toContain('hidden');
      const [ofHttp] = (
        await served.get<{ results: object[] }>(`/api/projects/${project}/memory/search?q=${query}`)
      ).results;
      const ofMcp = (await mcp.call('forge_memory', { query: text })).structuredContent?.results as object[];
      expect(Object.keys(ofMcp[0] ?? {})).toEqual(Object.keys(ofHttp ?? {}));
    } finally {
      await mcp.stop();
      await served.stop();
    }
  });

  it('[drift-prelude] never presents a fact whose code is gone as true', () => {
    captureWork();
    commit('Pause');
    expect(sandbox.cli('prelude').stdout).toMatch(
      /^You said:\n- \d{4}-\d\d-\d\d "We decided to pause for 250 ms/m,
    );
    writeFileSync(file, 'export const nothing = 1;\n');
    const gone = commit('No retries');
    const { stdout } = sandbox.cli('prelude');
    expect(stdout).toContain(
      `(no longer so: its code is gone since ${gone.slice(0, 12)}) "We decided to pause`,
    );
  });

  it('[drift-import] is known for code of imported sessions at once', () => {
    writeFileSync(file, queue);
    commit('Pause');
    const folder = claudeProjectFolder(join(sandbox.home, '.claude'), sandbox.repo);
    mkdirSync(folder, { recursive: true });
    const timestamp = new Date(Date.now() - 3_600_000).toISOString();
    const common = {
      sessionId: 'old',
      cwd: sandbox.repo,
      version: '2.1.325',
      gitBranch: 'main',
      isSidechain: false,
      timestamp,
    };
    const lines = [
      {
        type: 'user',
        uuid: 'u1',
        promptId: 'p1',
        promptSource: 'typed',
        message: { role: 'user', content: 'Pause between retries, the broker restarts.' },
      },
      {
        type: 'assistant',
        uuid: 'a1',
        parentUuid: 'u1',
        message: {
          id: 'm1',
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'toolu_1', name: 'Write', input: { file_path: file, content: queue } },
          ],
        },
      },
      {
        type: 'user',
        uuid: 'u2',
        parentUuid: 'a1',
        promptId: 'p1',
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' }] },
        toolUseResult: { type: 'create', filePath: file, content: queue, structuredPatch: [] },
      },
      {
        type: 'assistant',
        uuid: 'a2',
        parentUuid: 'u2',
        message: { id: 'm2', role: 'assistant', content: [{ type: 'text', text: 'Retries pause now.' }] },
      },
    ];
    writeFileSync(
      join(folder, 'old.jsonl'),
      lines.map((line) => `${JSON.stringify({ ...common, ...line })}\n`).join(''),
    );
    expect(sandbox.cli('import', 'claude-code').stdout).toContain('1 commit');
    expect(recalled()).toContain('current: queue.ts:1-6');
    expect(answered('why', 'queue.ts:3')).toContain('by claude-code session old');
    writeFileSync(file, 'export const nothing = 1;\n');
    expect(recalled()).toContain('GONE');
  });
});
