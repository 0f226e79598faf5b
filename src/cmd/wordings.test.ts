import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createHttpHome, type HttpHome } from '../../test/support/http-home.ts';
import { mcpOf } from '../../test/support/mcp-over-http.ts';
import type { AppError, errorEnvelope } from '../base/errors.ts';
import type { App } from '../cli/command.ts';
import { recallCommand } from '../cli/recall.ts';
import { searchCommand } from '../cli/search.ts';
import { resolvePlace } from '../memory/projects/projects.ts';

let home: HttpHome;
let mcp: ReturnType<typeof mcpOf>['mcp'];
const job = 'The flamingo job wakes at four, after the backups.';
const question = 'when does the nightly task run';

beforeAll(async () => {
  home = await createHttpHome();
  home.prompt(job);
  home.answer('Understood.');
  await home.drain();
  mcp = mcpOf(home).mcp;
});
afterAll(async () => {
  await mcp.close();
  await home.close();
});

interface Asked {
  query?: string;
  wordings?: string[];
  kind?: string;
}

/** Each answers with what it found, or with the code of its error. */
const surfaces: Record<string, (asked: Asked) => Promise<string>> = {
  async cli({ query = '', wordings: or, ...values }) {
    const same = (text: string): string => text;
    const app = {
      ...home,
      style: { bold: same, dim: same, good: same, bad: same, mark: same },
      columns: 100,
      agentAround: () => ({ pids: [], sessions: [] }),
      progress: () => ({ update() {}, end() {} }),
      checkedCode: () => ({ root: home.work, key: '', symbols: async () => undefined }),
    } as unknown as App;
    const args = { positionals: [query], values: { ...values, ...(or === undefined ? {} : { or }) } };
    return recallCommand.run(app, args).then(
      ({ text }) => text,
      (error: AppError) => error.code,
    );
  },
  async http({ wordings = [], ...asked }) {
    const params = new URLSearchParams({ ...asked });
    for (const wording of wordings) params.append('wordings', wording);
    const { status, text } = await home.ask(`/api/v1/recall?${params}`);
    return status === 200 ? text : (JSON.parse(text) as { code: string }).code;
  },
  async mcp(asked) {
    const place = resolvePlace(home.paths, home.work, home.clock).place;
    const params = { name: 'recall', arguments: asked };
    const request = new Request('http://localhost/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    const body = await (await mcp.answer(request, place, 'core')).text();
    const { result } = JSON.parse(body.replace(/^[^{]*data: /, '')) as {
      result: { isError?: boolean; content: { text: string }[] };
    };
    const text = result.content[0]?.text ?? '';
    return result.isError === true ? (JSON.parse(text) as ReturnType<typeof errorEnvelope>).error.code : text;
  },
};

describe('[code-wordings] search over the CLI', () => {
  it('takes other wordings of a question and a task only', async () => {
    const opened = new Error('opened');
    const app = { openCode: () => Promise.reject(opened) } as unknown as App;
    const search = (values: object) =>
      searchCommand.run(app, { positionals: ['x'], values: { or: ['y'], ...values } });
    for (const mode of ['files', 'outline', 'definition', 'references', 'literal', 'regex'])
      await expect(search({ [mode]: true }), mode).rejects.toThrow(`--${mode} and --or exclude each other`);
    for (const values of [{}, { ask: true }, { task: true }, { files: true, or: [] }])
      await expect(search(values)).rejects.toBe(opened);
  });
});

describe.each(Object.entries(surfaces))('[recall-wordings] recall over %s', (_, recall) => {
  it('finds what only another wording of the question names', async () => {
    expect(await recall({ query: question })).not.toContain(job);
    expect(await recall({ query: question, wordings: ['cron', 'flamingo job'] })).toContain(job);
  });

  it('takes the first wording as the question if there is no other, and ignores blank ones', async () => {
    expect(await recall({ wordings: ['', 'flamingo'] })).toContain(job);
    expect(await recall({ query: 'flamingo', wordings: [' '] })).toContain(job);
  });

  it('lists what matches a filter if there is no question', async () => {
    expect(await recall({ kind: 'prompt' })).toContain(job);
    expect(await recall({ query: '', kind: 'prompt', wordings: [''] })).toContain(job);
    // Who asks nothing at all is told the last work; the API needs a question.
    expect(await recall({ query: '', wordings: [''] })).toMatch(/^INVALID_QUERY$|Last work here/);
    expect(await recall({})).toMatch(/^INVALID_QUERY$|Last work here/);
  });

  it('rejects more than eight wordings, and a wording of more than 200 characters', async () => {
    const eight = Array.from({ length: 7 }, (_, at) => `other ${at}`).concat(`flamingo ${'o'.repeat(191)}`);
    expect(await recall({ query: question, wordings: eight })).toContain(job);
    expect(await recall({ query: question, wordings: [...eight, 'ninth'] })).toBe('INVALID_ARGUMENT');
    expect(await recall({ query: question, wordings: ['o'.repeat(201)] })).toBe('INVALID_ARGUMENT');
  });
});
