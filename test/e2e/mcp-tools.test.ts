import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { shortNoteId } from '../../src/domain/note.ts';
import { type McpServerUnderTest, startMcp, type ToolResult } from '../support/mcp.ts';
import { openWire } from '../support/mcp-wire.ts';
import { createSandbox, git, type Sandbox } from '../support/sandbox.ts';

/** Fields about how the search ran, not about what it found. They are only in the structured content. */
const bookkeeping = new Set([
  'version',
  'schema_version',
  'repo_root',
  'strategy',
  'fallback_used',
  'cache',
  'routing_reason',
  'generation',
  'index_lag_ms',
  'coverage',
  'symbol_coverage',
  'counts_exact',
  'reason',
  // The preview next to it contains the match.
  'column',
  // The text says it in words.
  'truncated',
  'estimated',
  'completed',
  'rebuilt_full',
  'detail',
  'inner',
  'depth',
  'total_line_matches',
  'in_comments_and_strings',
  'watching',
  'building',
  'repo_category',
  'routing_hint',
  // The request is repeated only for programs.
  'intent',
  'budget_tokens',
  'max_files',
  'goal',
  'estimated_tokens',
  'score',
]);

/** All values of an envelope, as words that the text must contain too. */
function wordsOf(value: unknown, key = ''): string[] {
  if (bookkeeping.has(key) || value === null || value === '' || typeof value === 'boolean') return [];
  if (Array.isArray(value)) return value.flatMap((item) => wordsOf(item, key));
  if (typeof value === 'object')
    return Object.entries(value as object).flatMap(([name, item]) => wordsOf(item, name));
  return String(value)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

const withoutSpaces = (text: string): string => text.replace(/\s+/g, ' ');

describe('every tool', () => {
  let sandbox: Sandbox;
  let server: McpServerUnderTest;
  const hook = (hook_event_name: string, more: object): void => {
    const call = { session_id: 'agent-1', prompt_id: 'turn-1', cwd: sandbox.repo, hook_event_name, ...more };
    expect(sandbox.hook(call, { CLAUDE_PID: String(process.pid) }).status).toBe(0);
  };
  const read = (path: string, content: string): void =>
    hook('PostToolUse', {
      tool_name: 'Read',
      tool_use_id: `read-${path}`,
      tool_input: { file_path: join(sandbox.repo, path) },
      tool_response: {
        type: 'text',
        file: { filePath: join(sandbox.repo, path), content, numLines: 3, startLine: 1, totalLines: 3 },
      },
    });
  const write = (path: string, content: string): void => {
    mkdirSync(join(sandbox.repo, path, '..'), { recursive: true });
    writeFileSync(join(sandbox.repo, path), content);
  };

  /** Each turn has other words, because equal texts are shown once. */
  const long = (turn: number): string =>
    Array.from({ length: 120 }, (_, at) => `heron 数据库 "word${turn}x${at}\\"`).join(' ');
  const wideName = `${'very-long-name-'.repeat(14)}`;
  beforeAll(async () => {
    sandbox = createSandbox(inject('installedPackage'));
    write('src/queue.ts', 'export class Queue {\n  retry(): void {}\n}\n');
    write('src/use.ts', "import { Queue } from './queue';\nnew Queue().retry();\n");
    for (let at = 0; at < 120; at++)
      write(`heron/${wideName}${at}/heron.ts`, `export const heron${at} = "${'heron "\\" '.repeat(30)}";\n`);
    write(
      'heron/many.ts',
      Array.from({ length: 400 }, (_, at) => `export function heron_many_${at}() { return heron1; }`).join(
        '\n',
      ),
    );
    git(sandbox.repo, 'add', '.');
    git(sandbox.repo, 'commit', '-qm', 'queue: heron heron');
    expect(sandbox.cli('install', 'claude-code').status).toBe(0);
    hook('SessionStart', { source: 'startup' });
    hook('UserPromptSubmit', {
      prompt: 'We decided to keep the queue in one process because two reordered the jobs.',
    });
    read('src/queue.ts', 'export class Queue {\n  retry(): void {}\n}\n');
    hook('Stop', { last_assistant_message: 'Kept the queue in one process.' });
    for (let turn = 0; turn < 60; turn++)
      hook('UserPromptSubmit', { prompt: long(turn), prompt_id: `t${turn}`, session_id: 'agent-2' });
    server = await startMcp(sandbox, inject('installedPackage'));
  });
  afterAll(async () => {
    await server.stop();
    sandbox.remove();
  });

  const text = ({ content }: ToolResult): string => content.map((block) => block.text).join('\n');
  const snapshots: string[] = [];
  const idOf = async (query: string): Promise<string> =>
    /^ *\[([0-9a-f]{8})\]/m.exec(text(await server.call('recall', { query })))?.[1] ?? '';

  /** Their structured content is a record for programs, with more than the text. */
  const forPrograms = ['recall', 'rag_search', 'timeline', 'get_notes', 'remember', 'why'];
  /** One typical call of each tool. */
  const usual = async (): Promise<[string, object][]> => [
    ['recall', { query: 'queue one process' }],
    ['timeline', { query: 'queue one process' }],
    ['get_notes', { ids: [await idOf('queue one process')] }],
    ['remember', { topic: 'queue', quote: 'The queue is one process, because two reordered the jobs.' }],
    ['why', { target: 'src/queue.ts:2' }],
    ['rag_search', { query: 'queue one process' }],
    ['forge_memory', { query: 'queue one process', limit: 3 }],
    ['search_content', { query: 'retry', path: 'src' }],
    ['find_files', { query: 'src queue' }],
    ['context_pack', { goal: 'why does the queue retry' }],
    ['search_path_and_content', { path_query: 'src/**', content_query: 'Queue' }],
    ['outline', { path: 'src/queue.ts' }],
    ['definition', { name: 'Queue' }],
    ['references', { name: 'retry' }],
    ['index_status', {}],
    ['reindex', { mode: 'incremental' }],
    ['memo_check', { path: 'src/queue.ts' }],
    ['memo_status', { files: ['src/queue.ts', 'src/use.ts'] }],
    ['memo_session', {}],
    ['session_open', { goal: 'Make the queue retry' }],
    ['session_status', {}],
    ['session_list', {}],
    ['session_snapshot', {}],
    ['session_snapshot_list', {}],
    ['session_snapshot_get', { snapshot_id: snapshots[0] ?? '' }],
    ['session_snapshot_diff', { snapshot_a: snapshots[0] ?? '', snapshot_b: snapshots[1] ?? '' }],
    ['session_resume', { snapshot_id: snapshots[0] ?? '' }],
    ['session_close', {}],
    ['session_handoff', { session_id: 'work' }],
  ];

  it('[mcp-same] has the same information in text and in structured content', async () => {
    await server.call('session_open', { goal: 'work', session_id: 'work' });
    for (let count = 0; count < 2; count++) {
      const { structuredContent } = await server.call('session_snapshot', { session_id: 'work' });
      snapshots.push(String(structuredContent?.snapshot_id));
    }
    const calls = await usual();
    const listed = (await server.tools()).map(({ name }) => name);
    expect(calls.map(([name]) => name).sort()).toEqual(listed.sort());
    const missing: string[] = [];
    for (const [name, given] of calls) {
      const result = await server.call(name, given);
      expect(result.isError, `${name}: ${text(result)}`).not.toBe(true);
      const plain = withoutSpaces(text(result));
      // If the text is JSON, it is escaped once more.
      const words = plain + plain.replaceAll('\\"', '"').replaceAll('\\\\', '\\');
      expect(words.length, name).toBeGreaterThan(0);
      const record = result.structuredContent ?? {};
      expect(Object.keys(record).length, name).toBeGreaterThan(0);
      missing.push(
        ...wordsOf(forPrograms.includes(name) ? {} : record)
          .filter((word) => !words.includes(withoutSpaces(word)))
          .map((word) => `${name}: ${word}`),
      );
    }
    expect(missing).toEqual([]);
  });

  it('[mcp-same] of the memory tools sends its record only to clients that show their model the text', async () => {
    const other = await startMcp(sandbox, inject('installedPackage'), 'all', 'claude-code');
    for (const [name, given] of (await usual()).filter(([tool]) => forPrograms.includes(tool)))
      expect((await other.call(name, given)).structuredContent, name).toBeUndefined();
    const wrong = await other.call('recall', { query: 5 });
    expect([wrong.isError, wrong.structuredContent]).toEqual([true, JSON.parse(text(wrong))]);
    await other.stop();
  });

  it('[mcp-size] stays below 20 KB in either form and says how to get the rest', async () => {
    const ids = [
      ...text(await server.call('recall', { query: 'heron', limit: 100 })).matchAll(/^ *\[([0-9a-f]{8})\]/gm),
    ].map((match) => match[1] as string);
    for (let at = 0; at < 150; at++)
      await server.call('session_open', {
        goal: `${at} ${'goal "\\" '.repeat(60)}`,
        session_id: `big-${at}`,
      });
    const absurd = 'x'.repeat(3_900);
    const hostile: [string, object, more: boolean][] = [
      ['recall', { query: 'heron', limit: 100 }, true],
      ['recall', { query: 'heron', limit: 100, format: 'full', explain: true }, true],
      ['recall', { query: `nothing ${'y'.repeat(50_000)}` }, false],
      ['timeline', { query: 'heron', depth_before: 50, depth_after: 50 }, true],
      ['get_notes', { ids: ids.slice(0, 20) }, true],
      ['get_notes', { ids: Array.from({ length: 20 }, () => absurd) }, false],
      ['remember', { topic: 'heron', quote: 'heron '.repeat(300) }, false],
      ['why', { target: 'heron/many.ts' }, false],
      ['rag_search', { query: 'heron', limit: 100 }, true],
      ['forge_memory', { query: 'heron', limit: 100 }, true],
      ['search_content', { query: 'heron', limit: 100 }, true],
      ['find_files', { query: 'heron', limit: 100 }, true],
      ['context_pack', { goal: 'heron '.repeat(3_000), budget_tokens: 4_000, max_files: 12 }, false],
      ['search_path_and_content', { path_query: 'heron', content_query: 'heron', limit: 100 }, true],
      ['outline', { path: 'heron/many.ts', limit: 100 }, true],
      ['definition', { name: 'heron_many_1', limit: 100 }, false],
      ['references', { name: 'heron1', limit: 100 }, true],
      ['memo_check', { path: absurd }, false],
      ['memo_status', { files: Array.from({ length: 50 }, (_, at) => `${at}${absurd}`) }, false],
      ['memo_session', {}, false],
      ['session_status', { session_id: 'big-1' }, false],
      ['session_list', {}, true],
      ['session_snapshot', { session_id: 'big-1', source_harness: 'h'.repeat(100) }, false],
      ['session_snapshot_list', {}, false],
      ['session_snapshot_get', { snapshot_id: snapshots[0] ?? '' }, false],
      ['session_snapshot_diff', { snapshot_a: snapshots[0] ?? '', snapshot_b: snapshots[1] ?? '' }, false],
      ['session_resume', { snapshot_id: snapshots[0] ?? '', budget_tokens: 8_000 }, false],
      ['session_open', { goal: absurd }, false],
      ['session_close', { session_id: 'big-2' }, false],
      ['session_handoff', { session_id: 'big-3' }, false],
      ['index_status', {}, false],
      ['reindex', { mode: 'full' }, false],
    ];
    const listed = (await server.tools()).map(({ name }) => name);
    expect([...new Set(hostile.map(([name]) => name))].sort()).toEqual(listed.sort());
    for (const [name, given, hasMore] of hostile) {
      const result = await server.call(name, given);
      expect(Buffer.byteLength(text(result)), name).toBeLessThan(20_000);
      expect(Buffer.byteLength(JSON.stringify(result.structuredContent ?? {})), name).toBeLessThan(20_000);
      expect(text(result), name).not.toContain('\uFFFD');
      if (hasMore)
        expect(text(result), name).toMatch(
          /did not fit|There is more|More with cursor|next_cursor|ask for it alone|"truncated":true/,
        );
    }
  });

  it('[mcp-aliases] rag_search and forge_memory return what recall finds, with the field names of their designs', async () => {
    const query = 'queue one process';
    const ids = [
      ...text(await server.call('recall', { query, limit: 5 })).matchAll(/^ *\[([0-9a-f]{8})\]/gm),
    ].map((match) => match[1]);
    const older = text(await server.call('rag_search', { query, limit: 5 }));
    expect([...older.matchAll(/^ *\[([0-9a-f]{8})\]/gm)].map((match) => match[1])).toEqual(ids);
    const { structuredContent } = await server.call('forge_memory', { query, limit: 5 });
    const { results } = structuredContent as {
      results: { documentId: string; project: string; source: string; sourceRef: string }[];
    };
    const names = results.map(({ documentId, source, sourceRef }) =>
      source === 'job' ? documentId.slice(0, 8) : shortNoteId(sourceRef),
    );
    expect(names).toEqual(ids);
    expect(results[0]).toEqual({
      documentId: expect.any(String),
      project: expect.any(String),
      source: expect.stringMatching(/^(?:job|note|knowledge)$/),
      sourceRef: expect.any(String),
      text: expect.any(String),
      metadata: expect.any(Object),
      embeddedAt: null,
      score: expect.any(Number),
      drift: expect.objectContaining({ state: expect.any(String) }),
    });
    const projectId = results[0]?.project ?? '';
    expect((await server.call('forge_memory', { query, projectId })).isError).not.toBe(true);
    expect((await server.call('forge_memory', { query, projectId: 'another' })).isError).toBe(true);
    expect((await server.call('forge_memory', { query, source: 'issue' })).structuredContent).toMatchObject({
      results: [],
    });
  });

  it('[mcp-sets] belongs to the requested set, and descriptions mention only tools of that set', async () => {
    const namesIn = async (set: string): Promise<string[]> => {
      const other = await startMcp(sandbox, inject('installedPackage'), set);
      const names = (await other.tools())
        .map(({ name }) => name)
        // It is present only while handed-over work is waiting.
        .filter((name) => name !== 'session_resume');
      await other.stop();
      return names;
    };
    const [core, memory, code, unknown] = await Promise.all(['core', 'memory', 'code', 'poems'].map(namesIn));
    expect(unknown).toEqual(core);
    expect(memory).toEqual(['recall', 'timeline', 'get_notes', 'remember', 'why', 'memo_check']);
    expect(code).toContain('reindex');
    expect(code).not.toContain('recall');
    const wire = await openWire(sandbox, inject('installedPackage'), 'code');
    expect(wire.received[0]?.result?.instructions).not.toContain('recall');
    await wire.stop();
  });
});

describe('a long call', () => {
  let sandbox: Sandbox;
  beforeAll(() => {
    sandbox = createSandbox(inject('installedPackage'));
    for (let folder = 0; folder < 30; folder++) {
      mkdirSync(join(sandbox.repo, `part-${folder}`));
      for (let at = 0; at < 200; at++)
        writeFileSync(
          join(sandbox.repo, `part-${folder}`, `file-${at}.ts`),
          `export const value_${folder}_${at} = ${at};\n`.repeat(40),
        );
    }
    expect(sandbox.cli('install', 'claude-code').status).toBe(0);
  });
  afterAll(() => sandbox.remove());

  const call = (id: number, name: string, given: object, progressToken?: string) => ({
    id,
    method: 'tools/call',
    params: { name, arguments: given, ...(progressToken === undefined ? {} : { _meta: { progressToken } }) },
  });

  it('[mcp-progress] reports increasing progress to clients that asked for it, and to no other', async () => {
    const wire = await openWire(sandbox, inject('installedPackage'));
    wire.send(call(1, 'context_pack', { goal: 'change value_3_7' }, 'cold'));
    await wire.until(({ id }) => id === 1);
    wire.send(call(2, 'reindex', { mode: 'full' }, 'full'));
    await wire.until(({ id }) => id === 2);
    const before = wire.received.length;
    wire.send(call(3, 'reindex', { mode: 'full' }));
    await wire.until(({ id }) => id === 3);
    for (const token of ['cold', 'full']) {
      const steps = wire.received
        .filter(
          ({ method, params }) => method === 'notifications/progress' && params?.progressToken === token,
        )
        .map(({ params }) => params as { progress: number; total: number; message: string });
      expect(steps.length, token).toBeGreaterThan(0);
      expect(steps.map(({ progress }) => progress)).toEqual(
        [...new Set(steps.map(({ progress }) => progress))].sort((a, b) => a - b),
      );
      expect(
        steps.every(({ progress, total, message }) => progress < total && /files read$/.test(message)),
      ).toBe(true);
    }
    expect(wire.received.slice(before).filter(({ method }) => method !== undefined)).toEqual([]);
    await wire.stop();
  });

  it('[mcp-cancel] stops when it is cancelled, leaves a complete index or none, and the next call works', async () => {
    const wire = await openWire(sandbox, inject('installedPackage'));
    wire.send(call(1, 'index_status', {}));
    await wire.until(({ id }) => id === 1);
    wire.send(call(2, 'reindex', { mode: 'full' }, 'cancelled'));
    await wire.until(({ params }) => params?.progressToken === 'cancelled');
    wire.send({ method: 'notifications/cancelled', params: { requestId: 2, reason: 'enough' } });
    wire.send(call(3, 'search_content', { query: 'value_29_199' }));
    const found = await wire.until(({ id }) => id === 3);
    expect(JSON.stringify(found.result)).toContain('part-29/file-199.ts');
    expect(wire.received.some(({ id }) => id === 2)).toBe(false);
    wire.send(call(4, 'reindex', { mode: 'incremental' }));
    const again = await wire.until(({ id }) => id === 4);
    expect(again.result?.structuredContent).toMatchObject({ completed: true, indexed_files: 6_000 });
    expect(
      wire.received.some(({ id }) => id === 2),
      'never answered',
    ).toBe(false);
    await wire.stop();
  });
});
