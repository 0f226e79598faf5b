import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { callToolsIn, type ToolResult } from '../support/call-tools.ts';
import { createSandbox, type Sandbox } from '../support/sandbox.ts';
import { searchEnvelope } from '../support/search-envelope.ts';

let sandbox: Sandbox;
beforeAll(() => {
  sandbox = createSandbox(inject('installedPackage'));
  sandbox.cli('install', 'claude-code');
  put(
    'src/auth/router.rs',
    'use std::io;\n\npub fn route_auth(args: &[String]) -> Result<(), Error> {\n    panic!("auth");\n}\n',
  );
  put(
    'src/cli/parser.rs',
    'pub fn parse_arguments(args: &[String]) -> Config {\n    parse_arguments_inner(args)\n}\n',
  );
  put('tests/parser_test.rs', 'fn uses() { parse_arguments(&[]); }\n');
  put('.gitignore', 'target/\n');
  put('target/out.rs', 'parse_arguments\n');
  put('wide.txt', `${'x'.repeat(5_000)} needle_in_a_long_line ${'y'.repeat(5_000)}\n`);
  put('many.txt', `${'a line with many_hits in it, again and again and again\n'.repeat(3_000)}`);
});
afterAll(() => sandbox.remove());

const put = (path: string, text: string): void => {
  mkdirSync(join(sandbox.repo, path, '..'), { recursive: true });
  writeFileSync(join(sandbox.repo, path), text);
};

const callTools = (calls: [string, object][], env: Record<string, string> = {}): Promise<ToolResult[]> =>
  callToolsIn(sandbox, calls, env);
const callTool = async (name: string, given: object): Promise<ToolResult> =>
  (await callTools([[name, given]]))[0] as ToolResult;

describe('code search over MCP', () => {
  it('[code-mcp] find_files returns its envelope, best file first', async () => {
    const { structuredContent, content } = await callTool('find_files', {
      query: 'router auth',
      limit: 20,
      force_refresh: false,
    });
    expect(structuredContent).toMatchObject({
      ...searchEnvelope,
      results: [{ path: 'src/auth/router.rs', reason: 'path_match' }],
    });
    expect(content[0]?.text).toContain('src/auth/router.rs');
  });

  it('[code-mcp] search_content returns its envelope, the definition first and tests last', async () => {
    const { structuredContent } = await callTool('search_content', {
      query: 'parse_arguments',
      mode: 'literal',
      limit: 20,
      force_refresh: false,
    });
    expect(structuredContent).toMatchObject(searchEnvelope);
    expect(structuredContent?.results?.[0]).toEqual({
      path: 'src/cli/parser.rs',
      matches: [
        { line: 1, column: 8, preview: 'pub fn parse_arguments(args: &[String]) -> Config {' },
        { line: 2, column: 5, preview: 'parse_arguments_inner(args)' },
      ],
      reason: 'definition_match',
    });
    expect(structuredContent?.results?.map(({ path }) => path)).toEqual([
      'src/cli/parser.rs',
      'tests/parser_test.rs',
    ]);
  });

  it('[code-mcp] search_path_and_content filters by a glob first', async () => {
    const { structuredContent } = await callTool('search_path_and_content', {
      path_query: 'src/**/*.rs',
      content_query: 'Result<',
      mode: 'literal',
    });
    expect(structuredContent).toMatchObject({
      ...searchEnvelope,
      results: [
        {
          path: 'src/auth/router.rs',
          matches: [{ line: 3, column: expect.any(Number), preview: expect.stringContaining('Result<') }],
          reason: 'content_match',
        },
      ],
    });
  });

  it('[code-mcp] index_status and reindex return their envelopes', async () => {
    const [reindexed, status, full] = (await callTools([
      ['reindex', { mode: 'incremental' }],
      ['index_status', {}],
      ['reindex', { mode: 'full' }],
    ])) as [ToolResult, ToolResult, ToolResult];
    expect(reindexed.structuredContent).toEqual({
      version: '1',
      repo_root: expect.any(String),
      completed: true,
      mode: 'incremental',
      rebuilt_full: false,
      elapsed_ms: expect.any(Number),
      indexed_files: 6,
    });
    expect(status.structuredContent).toMatchObject({
      version: '1',
      repo_root: expect.any(String),
      index_present: true,
      index_fresh: true,
      indexed_files: 6,
      index_bytes: expect.any(Number),
      last_updated: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      repo_category: 'small',
      routing_hint: 'indexed_default',
    });
    expect(full.structuredContent).toMatchObject({
      completed: true,
      mode: 'full',
      rebuilt_full: true,
      indexed_files: 6,
    });
  });

  it('[code-reuse] a repeated search refers to the first, unless forced', async () => {
    const question = { query: 'parse_arguments' };
    const [first, again, forced] = (await callTools(
      [
        ['search_content', question],
        ['search_content', question],
        ['search_content', { ...question, force_refresh: true }],
      ],
      { CLAUDE_CODE_SESSION_ID: 'session-1' },
    )) as [ToolResult, ToolResult, ToolResult];
    const id = first.structuredContent?.search_id;
    expect(again.structuredContent).toMatchObject({
      version: '1',
      cache: 'hit',
      search_id: id,
      prior_search_id: id,
      reuse_status: 'fresh_duplicate',
      reuse_reason: 'unchanged',
      generation: expect.any(Number),
      context_epoch: 0,
      files_with_matches: 2,
      total_line_matches: 3,
      results: [],
      results_omitted: true,
      truncated: false,
    });
    expect(forced.structuredContent).toMatchObject({
      cache: 'bypass',
      results: first.structuredContent?.results,
    });
  });

  it('[code-reuse] another client without a session of its own gets full results', async () => {
    const question = { query: 'parse_arguments' };
    const [first] = await callTools([['search_content', question]]);
    const [again] = await callTools([['search_content', question]]);
    expect(again?.structuredContent).toMatchObject({
      cache: 'miss',
      results: first?.structuredContent?.results,
    });
  });

  it('[code-mcp] pages with a cursor, without repeating or skipping a line', async () => {
    const seen: number[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < 4; page++) {
      const { structuredContent, content } = await callTool('search_content', {
        query: 'many_hits',
        limit: 100,
        ...(cursor && { cursor }),
      });
      expect(structuredContent).toMatchObject({ truncated: true });
      expect(
        Buffer.byteLength(JSON.stringify(structuredContent)) + Buffer.byteLength(content[0]?.text ?? ''),
      ).toBeLessThan(20_000);
      seen.push(
        ...(structuredContent?.results?.flatMap(({ matches }) => matches?.map(({ line }) => line) ?? []) ??
          []),
      );
      cursor = structuredContent?.next_cursor as string;
    }
    expect(seen).toEqual(seen.map((_, at) => at + 1));
    expect(seen.length).toBeGreaterThan(200);
  });

  it('[code-mcp] previews have at most 200 characters and show the match', async () => {
    const preview =
      (await callTool('search_content', { query: 'needle_in_a_long_line' })).structuredContent?.results?.[0]
        ?.matches?.[0]?.preview ?? '';
    expect(preview).toContain('needle_in_a_long_line');
    expect(preview.length).toBeLessThanOrEqual(200);
  });

  it('[code-off] works where nothing may be stored, and writes nothing', async () => {
    const [answer, refused] = (await callTools(
      [
        ['search_content', { query: 'route_auth' }],
        ['reindex', {}],
      ],
      { BACKSTORY_OFF: '1', BACKSTORY_HOME: join(sandbox.home, 'nothing') },
    )) as [ToolResult, ToolResult];
    expect(answer.structuredContent).toMatchObject({
      strategy: 'direct_scan',
      fallback_used: true,
      results: [{ path: 'src/auth/router.rs' }],
    });
    expect(refused.isError).toBe(true);
    expect(
      spawnSync('find', [join(sandbox.home, 'nothing'), '-name', '*.seg'], { encoding: 'utf8' }).stdout,
    ).toBe('');
  });
});

describe('code search in the terminal', () => {
  it('[code-cli] search finds lines, files finds paths, and exit code 1 means no match', () => {
    expect(sandbox.cli('search', 'route_auth').stdout).toContain(
      'src/auth/router.rs\n     3  pub fn route_auth',
    );
    expect(sandbox.cli('search', '--regex', 'parse_\\w+_inner').stdout).toContain('src/cli/parser.rs');
    expect(sandbox.cli('search', '-i', 'ROUTE_AUTH', '--path', '*.rs').status).toBe(0);
    expect(sandbox.cli('search', 'nowhere_to_be_found').status).toBe(1);
    expect(sandbox.cli('search', '--regex', '(').status).toBe(2);
    expect(sandbox.cli('search', '--files', 'parser').stdout).toMatch(
      /^src\/cli\/parser\.rs\ntests\/parser_test\.rs\n/,
    );
    expect(sandbox.json<{ files: { path: string }[] }>('search', '--files', 'rtr').files[0]?.path).toBe(
      'src/auth/router.rs',
    );
  });

  it('[code-cli] build PATH makes the index that search then uses, also if no agent is connected', () => {
    const alone = createSandbox(inject('installedPackage'));
    const strategy = () => alone.json<{ route: { strategy: string } }>('search', 'route_auth').route.strategy;
    writeFileSync(join(alone.repo, 'a.rs'), 'fn route_auth() {}\n');
    expect(strategy()).toBe('direct_scan');
    expect(alone.cli('build', '/nope').stderr).toContain('there is no folder /nope');
    expect(alone.cli('build', '.').stdout).toMatch(/Indexed \d+ files?/);
    expect(strategy()).toBe('indexed');
    alone.remove();
  });
});
