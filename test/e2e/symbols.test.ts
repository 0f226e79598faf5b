import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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
    'src/queue.ts',
    `// retry is described here
export class Queue {
  retry(times: number): void {
    this.retry(times - 1);
  }
}
export function drain(queue: Queue): void {
  queue.retry(3);
  log('retry');
}
`,
  );
  put(
    'src/other.ts',
    "import { drain } from './queue.ts';\nexport class Other {\n  retry() {}\n}\ndrain(q);\n",
  );
  put('tests/queue.test.ts', 'class Queue {\n  retry() {}\n}\n');
  put('pkg/store/store.go', 'package store\n\nfunc Open() error { return nil }\n');
  put('pkg/net/net.go', 'package net\n\nfunc Open() error { return nil }\n');
  put('src/mode.rs', 'pub fn open() {}\n');
  put('script.lua', 'function retry()\nend\n');
  put(
    'wide.ts',
    Array.from(
      { length: 900 },
      (_, at) => `export class Wide${at} {\n  field = ${at};\n  run${at}(): void {}\n}\n`,
    ).join(''),
  );
  put('uses.ts', `const a${'b'.repeat(300)} = 1;\n${'many();\n'.repeat(500)}`);
  put('min.js', 'var a=function(b,c){return b};'.repeat(350_000));
  put('.gitignore', 'hidden.ts\n');
  put('hidden.ts', 'export const hidden = 1;\n');
  writeFileSync(join(sandbox.repo, 'binary.ts'), Buffer.from([0, 1, 2, 0]));
  writeFileSync(
    join(sandbox.repo, 'broken.py'),
    Buffer.from([0x78, 0x3d, 0xff, 0x0a, ...Buffer.from('def fine():\n  pass\n')]),
  );
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

const resultsOf = ({ structuredContent }: ToolResult): { path: string; name: string; reason: string }[] =>
  (structuredContent?.results ?? []) as unknown as { path: string; name: string; reason: string }[];

const envelope = { ...searchEnvelope, strategy: expect.stringMatching(/^(?:indexed|direct_scan)$/) };

describe('symbols over MCP', () => {
  it('[symbols-mcp] outline returns its envelope', async () => {
    const { structuredContent, content } = await callTool('outline', { path: 'src/queue.ts' });
    expect(structuredContent).toEqual({
      ...envelope,
      routing_reason: 'parsed',
      path: 'src/queue.ts',
      language: 'typescript',
      lines: 10,
      total_symbols: 3,
      detail: 'all',
      results: [
        {
          name: 'Queue',
          kind: 'class',
          container: '',
          depth: 0,
          start_line: 2,
          end_line: 6,
          signature: 'export class Queue',
          inner: 1,
        },
        {
          name: 'retry',
          kind: 'method',
          container: 'Queue',
          depth: 1,
          start_line: 3,
          end_line: 5,
          signature: 'retry(times: number): void',
          inner: 0,
        },
        {
          name: 'drain',
          kind: 'function',
          container: '',
          depth: 0,
          start_line: 7,
          end_line: 10,
          signature: 'export function drain(queue: Queue): void',
          inner: 0,
        },
      ],
    });
    expect(content[0]?.text).toBe(
      'search-0001: src/queue.ts (typescript): 10 lines, 3 symbols\n2-6 export class Queue\n  3-5 method retry(times: number): void\n7-10 export function drain(queue: Queue): void',
    );
  });

  it('[symbols-definition] definition returns its envelope, sources before tests', async () => {
    const { structuredContent, content } = await callTool('definition', { name: 'Queue.retry' });
    expect(structuredContent).toEqual({
      ...envelope,
      total_definitions: 2,
      symbol_coverage: { files_with_name: 4, parsed: 3, by_lines: 1, not_read: 0 },
      counts_exact: true,
      results: [
        {
          path: 'src/queue.ts',
          line: 3,
          start_line: 3,
          end_line: 5,
          kind: 'method',
          name: 'retry',
          container: 'Queue',
          signature: 'retry(times: number): void',
          reason: 'definition_match',
        },
        expect.objectContaining({ path: 'tests/queue.test.ts', line: 2 }),
      ],
    });
    expect(content[0]?.text).toContain('1 without a parser: text match');
    expect(content[0]?.text).toContain('src/queue.ts:3 method in Queue: retry(times: number): void');
  });

  it('[symbols-definition] knows packages, modules, languages without a parser and other spellings', async () => {
    const answers = await callTools([
      ['definition', { name: 'store.Open' }],
      ['definition', { name: 'mode::open' }],
      ['definition', { name: 'retry', path: '*.lua' }],
      ['definition', { name: 'DRAIN' }],
      ['definition', { name: 'nowhere' }],
      ['definition', { name: 'hidden' }],
    ]);
    const found = answers.map((each) => resultsOf(each).map(({ path, reason }) => `${path} ${reason}`));
    expect(found).toEqual([
      ['pkg/store/store.go definition_match'],
      ['src/mode.rs definition_match'],
      ['script.lua text_match'],
      ['src/queue.ts definition_match'],
      [],
      [],
    ]);
    expect(answers[3]?.content[0]?.text).toContain('(case-insensitive match)');
  });

  it('[symbols-mcp] a long outline drops details first, stays below the limit and can be paged', async () => {
    let cursor: string | undefined;
    const seen: string[] = [];
    for (let page = 0; page < 60; page++) {
      const answer = await callTool('outline', {
        path: 'wide.ts',
        ...(cursor === undefined ? {} : { cursor }),
      });
      expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(20_000);
      expect(answer.structuredContent).toMatchObject({ total_symbols: 2_700, detail: 'main' });
      seen.push(...resultsOf(answer).map(({ name }) => name));
      cursor = answer.structuredContent?.next_cursor as string | undefined;
      if (cursor === undefined || page === 3) break;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen.slice(0, 4)).toEqual(['Wide0', 'run0', 'Wide1', 'run1']);
    const within = await callTool('outline', { path: 'wide.ts', within: 'Wide7' });
    expect(resultsOf(within).map(({ name }) => name)).toEqual(['Wide7', 'field', 'run7']);
  });

  it('[symbols-contained] no path and no link leads an outline out of the checkout', async () => {
    writeFileSync(join(sandbox.home, 'secret.ts'), 'export const outside = 1;\n');
    symlinkSync(join(sandbox.home, 'secret.ts'), join(sandbox.repo, 'link.ts'));
    symlinkSync(sandbox.home, join(sandbox.repo, 'up'));
    const paths = [
      '../secret.ts',
      '/etc/passwd',
      join(sandbox.home, 'secret.ts'),
      '~/secret.ts',
      'link.ts',
      'up/secret.ts',
      'src/../../secret.ts',
      'hidden.ts',
      '.git/config',
      'src',
      'secret.ts',
    ];
    const answers = await callTools(paths.map((path): [string, object] => ['outline', { path }]));
    for (const [at, { content, isError }] of answers.entries()) {
      expect(isError, paths[at]).toBe(true);
      expect(content[0]?.text).not.toContain('outside');
      expect(JSON.parse(content[0]?.text ?? '')).toMatchObject({
        version: '1',
        error: {
          code: expect.stringMatching(/^(?:INVALID_QUERY|NOT_FOUND)$/),
          suggested_action: expect.stringMatching(/./),
        },
      });
    }
    rmSync(join(sandbox.repo, 'link.ts'));
    rmSync(join(sandbox.repo, 'up'));
  });
});

describe('symbols in the terminal', () => {
  it('[symbols-cli] outline, definition and references work, and exit code 1 means no match', () => {
    expect(sandbox.cli('search', '--outline', 'queue.ts').stdout).toBe(
      [
        ' 2-6  export class Queue',
        ' 3-5    retry(times: number): void',
        '7-10  export function drain(queue: Queue): void',
        'src/queue.ts: 10 lines, 3 symbols\n',
      ].join('\n'),
    );
    expect(sandbox.cli('search', '--definition', 'Queue.retry').stdout).toMatch(
      /^src\/queue\.ts:3 {2}method in Queue\n {2}retry\(times: number\): void\n/,
    );
    expect(sandbox.cli('search', '--references', 'drain').stdout).toContain(
      'src/other.ts\n     1  import      import { drain } from',
    );
    expect(sandbox.cli('search', '--definition', 'nowhere_at_all').status).toBe(1);
    expect(sandbox.cli('search', '--references', 'nowhere_at_all').status).toBe(1);
    expect(sandbox.cli('search', '--outline', 'nowhere.ts').status).toBe(1);
    expect(sandbox.cli('search', '--outline', '../x.ts').status).toBe(2);
    expect(sandbox.cli('search', '--definition').status).toBe(2);
  });
});
