import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Chunk } from '../../src/domain/chunk.ts';
import { shortHitId } from '../../src/recall/render.ts';
import { type McpServerUnderTest, startMcp } from '../support/mcp.ts';
import { createSandbox, git, type Sandbox, settle } from '../support/sandbox.ts';
import { type Served, startServe } from '../support/serve.ts';

let sandbox: Sandbox;
let mcp: McpServerUnderTest;
let served: Served;

const statements = [
  'We decided to keep retries in Postgres because Redis lost jobs.',
  'Never deploy on Fridays, the on-call is alone then.',
  'The worker crashed with ECONNRESET when the pool was empty.',
  'Use pnpm in this repository, npm breaks the workspace links.',
  'What does parseRetryHeader do with a date?',
  'Почему мы выбрали Postgres для очереди?',
];

beforeAll(async () => {
  sandbox = createSandbox(inject('installedPackage'));
  mkdirSync(join(sandbox.repo, 'src'));
  for (const name of ['retry', 'worker', 'queue'])
    writeFileSync(
      join(sandbox.repo, `src/${name}.ts`),
      `export function ${name}Job() {\n  return parseRetryHeader('${name}');\n}\n`,
    );
  git(sandbox.repo, 'add', '.');
  git(sandbox.repo, 'commit', '-qm', 'jobs');
  sandbox.cli('install', 'claude-code');
  for (const [at, prompt] of statements.entries()) {
    const common = { session_id: `agent-${at % 2}`, prompt_id: `turn-${at}`, cwd: sandbox.repo };
    sandbox.hook({ ...common, hook_event_name: 'UserPromptSubmit', prompt });
    sandbox.hook({ ...common, hook_event_name: 'Stop', last_assistant_message: `Understood: ${prompt}` });
  }
  sandbox.cli('remember', 'Retries are kept for seven days', '--kind', 'rule', '--files', 'src/retry.ts');
  settle(sandbox);
  mcp = await startMcp(sandbox, inject('installedPackage'));
  served = await startServe(sandbox, inject('installedPackage'));
});
afterAll(async () => {
  await mcp.stop();
  await served.stop();
  sandbox.remove();
});

type Shown = Pick<Chunk, 'id' | 'source' | 'sourceId'>;

const idsInText = (text: string): string[] =>
  [...text.matchAll(/^ *\[([0-9a-f-]{8})\] /gm)].map((match) => match[1] as string);

describe('the same question', () => {
  const questions: [string, Record<string, string>][] = [
    ['why are retries kept in Postgres', {}],
    ['deploy on fridays', {}],
    ['parseRetryHeader', {}],
    ['Postgres очередь', {}],
    ['retries', { kind: 'rule' }],
    ['retries', { in: 'notes' }],
    ['retries', { in: 'observations' }],
    ['postgres', { in: 'prompts' }],
    ['worker', { agent: 'claude-code', trust: 'approved' }],
    ['retries', { file: 'src/retry.ts' }],
    ['nothing that was ever said zzz', {}],
    ['"unbalanced OR (quote* NEAR', {}],
  ];

  /** HTTP also says which paths are no files here, so that the viewer does not link them. */
  const withoutMissing = ({ missing: _, ...hit }: Shown & { missing?: string[] }) => hit;

  it.each(questions)(
    '[same-hits] gets the same answer from CLI, MCP and HTTP: %s %o',
    async (query, filter) => {
      const options = Object.entries(filter).flatMap(([name, value]) => [`--${name}`, value]);
      const cli = sandbox.json<{ hits: Shown[] }>('recall', query, ...options);
      const asked = { query, limit: 20, ...filter };
      const tool = await mcp.call('recall', asked);
      const http = await served.get<{ items: Shown[] }>(
        `/api/v1/recall?${new URLSearchParams({ query, ...filter })}`,
      );
      expect(idsInText(tool.content[0]?.text ?? '')).toEqual(http.items.map(shortHitId));
      // The whole answer for programs, including the scores.
      expect({ ...cli, hits: undefined }).toEqual(
        expect.objectContaining({ match: (http as unknown as { match: string }).match }),
      );
      expect(cli.hits).toEqual(http.items.map(withoutMissing));
      if (filter.in !== 'observations') return;
      const older = await served.get<{ results: { id: string }[] }>(
        `/api/search/observations?${new URLSearchParams({ query })}`,
      );
      expect(older.results.map(({ id }) => id)).toEqual(http.items.map(({ id }) => id));
    },
  );

  it('[same-hits] a filter without a question lists the newest, in both CLI and HTTP', async () => {
    const cli = sandbox.json<{ hits: Shown[] }>('recall', '--kind', 'prompt');
    const http = await served.get<{ items: Shown[] }>('/api/v1/recall?kind=prompt');
    expect(http.items.length).toBeGreaterThan(1);
    expect(cli.hits).toEqual(http.items.map(withoutMissing));
    const older = await served.get<{ results: { id: string }[] }>('/api/search/by-type?type=prompt');
    expect(older.results.map(({ id }) => id)).toEqual(http.items.map(({ id }) => id));
    expect((await served.fetch('/api/v1/recall')).status).toBe(200);
  });

  it('finds the same lines of code', async () => {
    const cli = sandbox.json<{ files: { path: string; hits: { line: number }[] }[] }>(
      'search',
      'parseRetryHeader',
    );
    const tool = await mcp.call('search_content', { query: 'parseRetryHeader' });
    const { items: files } = await served.get<{ items: (typeof cli)['files'] }>(
      '/api/v1/code/search?query=parseRetryHeader',
    );
    const places = (found: typeof cli) =>
      found.files.flatMap(({ path, hits }) => hits.map(({ line }) => `${path}:${line}`));
    const results = tool.structuredContent?.results as { path: string; matches: { line: number }[] }[];
    expect(places(cli)).toHaveLength(3);
    expect(places({ files })).toEqual(places(cli));
    expect(results.flatMap(({ path, matches }) => matches.map(({ line }) => `${path}:${line}`))).toEqual(
      places(cli),
    );
  });

  it('reports the same errors', async () => {
    const cli = JSON.parse(sandbox.cli('recall', 'x', '--since', 'neverday', '--json').stdout);
    const tool = await mcp.call('recall', { query: 'x', since: 'neverday' });
    const http = await (await served.fetch('/api/v1/recall?query=x&since=neverday')).json();
    const { code, message, retryable, suggested_action } = cli.error;
    expect(http).toMatchObject({ code, detail: message, retryable, hint: suggested_action });
    expect(JSON.parse(tool.content[0]?.text ?? '')).toEqual(cli);
  });
});
