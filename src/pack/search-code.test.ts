import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMemoryHome } from '../../test/support/memory-home.ts';
import { systemClock } from '../base/clock.ts';
import { createJobRunner } from '../cmd/run-index-job.ts';
import { type CodeSearch, createCodeSearch } from '../code/code-search.ts';
import { createWorktreeFiles } from '../git/worktree-files.ts';
import { loadStaticModel } from '../models/static-embed.ts';
import { tryWriterLock } from '../store/sqlite/writer-lock.ts';
import type { QuestionAnswer } from './code-question.ts';
import { contextPack } from './context-pack.ts';
import { createPastWork } from './past-changes.ts';
import { type CodeQuery, type SearchAnswer, searchCode } from './search-code.ts';

const work = realpathSync(mkdtempSync(join(tmpdir(), 'backstory-ask-')));
const root = join(work, 'repo');
const programs = join(import.meta.dirname, '..', 'cmd');
let code: CodeSearch;

const put = (path: string, ...lines: string[]): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), `${lines.join('\n')}\n`);
};
const git = (...args: string[]): void => {
  execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
};

beforeAll(async () => {
  put(
    'src/queue/backoff.ts',
    '/** Waits longer after each failure before a job is tried again. */',
    'export function nextAttemptAt(failures: number, now: number): number {',
    '  return now + 1000 * 2 ** failures;',
    '}',
  );
  put(
    'src/http/router.ts',
    'export class Router {',
    '  handle(path: string) {',
    '    return path;',
    '  }',
    '}',
  );
  put('src/http/server.ts', "import { Router } from './router.ts';", 'export const router = new Router();');
  put('test/backoff.test.ts', "it('waits longer after a job failure', () => nextAttemptAt(1, 0));");
  execFileSync('git', ['init', '-q', root]);
  git('add', '-A');
  git('commit', '-qm', 'Schedule retries with exponential backoff');
  code = createCodeSearch({
    root,
    folder: join(work, 'index'),
    userHome: join(work, 'home'),
    parser: join(programs, 'parse-code.ts'),
    grammars: '',
    embedder: async () => loadStaticModel('assets/static-en.bin'),
    files: createWorktreeFiles(root),
    clock: systemClock,
    mayWrite: true,
    watches: false,
    tryLock: tryWriterLock,
    runJob: createJobRunner(join(programs, 'index-code.ts'), true),
  });
});
afterAll(async () => {
  await code.close();
  rmSync(work, { recursive: true, force: true });
});

const search = (text: string, more: Partial<CodeQuery> = {}): Promise<SearchAnswer> =>
  searchCode(
    { code, pastWork: createPastWork(root) },
    {
      text,
      mode: undefined,
      ignoreCase: false,
      wholeWord: false,
      limit: 10,
      offset: 0,
      deadlineMs: 600_000,
      ...more,
    },
  );
async function ask(text: string, more: Partial<CodeQuery> = {}): Promise<QuestionAnswer> {
  const found = await search(text, { mode: 'ask', ...more });
  if (found.kind !== 'question') throw new Error('not answered as a question');
  return found.answer;
}

describe('searchCode', () => {
  it('[code-ask] answers a question in plain words with the definition, before its test', async () => {
    const { kind, answer } = await search('how long does a failed job wait before it is tried again');
    expect(kind).toBe('question');
    const { match, results } = answer as QuestionAnswer;
    expect(match).toBe('good');
    expect(results[0]).toMatchObject({ path: 'src/queue/backoff.ts', from: 1, symbol: 'nextAttemptAt' });
    expect(results[0]?.lines[0]).toContain('Waits longer after each failure');
    expect(results[0]?.reasons).toContain('similar_meaning');
  });

  it('[code-ask] finds a file by the message of the commit that changed it', async () => {
    const { results } = await ask('exponential retry scheduling');
    expect(results[0]?.path).toBe('src/queue/backoff.ts');
    expect(results[0]?.reasons).toContain('similar_change');
  });

  it('[code-ask] finds the definition of a name before its uses', async () => {
    const { results } = await ask('Router');
    expect(results[0]).toMatchObject({ path: 'src/http/router.ts', symbol: 'Router' });
    expect(results[0]?.reasons).toContain('definition_match');
  });

  it('[code-ask] searches literally if a line contains the text, if it is one word, or if it looks like code', async () => {
    expect(await search('export class Router')).toMatchObject({ kind: 'lines', answer: { lineCount: 1 } });
    expect(await search('unheardOf')).toMatchObject({ kind: 'lines', answer: { lineCount: 0 } });
    expect(await search('new Router(options)')).toMatchObject({ kind: 'lines', answer: { lineCount: 0 } });
    expect(await search('job tried often', { mode: 'literal' })).toMatchObject({ kind: 'lines' });
  });

  it('[code-ask] sees a file that was written a moment ago, and the path filter applies', async () => {
    put(
      'src/mail/invoice.ts',
      '/** Sends an invoice to the customer by mail. */',
      'export function sendInvoice() {}',
    );
    expect((await ask('who mails invoices to customers')).results[0]?.path).toBe('src/mail/invoice.ts');
    expect((await ask('who mails invoices to customers', { path: 'src/queue' })).results).toEqual([]);
    rmSync(join(root, 'src/mail/invoice.ts'));
    expect((await ask('who mails invoices to customers')).results.map(({ path }) => path)).not.toContain(
      'src/mail/invoice.ts',
    );
  });

  it('[code-ask] says so if nothing matches, or nothing matches well', async () => {
    expect(await ask('zebra quantum teleportation')).toMatchObject({ match: 'none', results: [] });
    expect((await ask('which path does the migrating zebra herd prefer in summer')).match).toBe('weak');
  });

  it('[code-wordings] finds what only another wording of the question names', async () => {
    const oblique = 'zebra quantum teleportation';
    const { match, results } = await ask(oblique, { wordings: ['backoff of a job', 'nextAttemptAt', ' '] });
    expect([match, results[0]?.symbol]).toEqual(['good', 'nextAttemptAt']);
    expect((await search(oblique, { wordings: ['exponential retry'] })).kind).toBe('question');
    await expect(search('Router', { mode: 'literal', wordings: ['routes'] })).rejects.toThrow(/exclude/);
    expect((await search('Router', { mode: 'literal', wordings: [''] })).kind).toBe('lines');
  });

  it('[code-wordings] calls an answer good only if the wordings fit together, not one by chance', async () => {
    const zebras = ['zebra herd migration', 'savannah rainfall', 'hoofed mammals'];
    expect((await ask('where do zebras go', { wordings: ['job failure', ...zebras] })).match).toBe('weak');
  });

  it('[code-wordings] starts a task with the files that another wording names', async () => {
    const home = createMemoryHome();
    const pack = (wordings: string[]) =>
      contextPack(
        {
          code,
          pastWork: createPastWork(root),
          memory: home.open(),
          checkedCode: { root, key: '', symbols: async () => undefined },
          clock: systemClock,
        },
        {
          goal: 'Calm the thing down',
          wordings,
          intent: 'bugfix',
          budgetTokens: 1_200,
          maxFiles: 4,
          changedFiles: [],
        },
      );
    expect((await pack([])).items).toEqual([]);
    expect((await pack(['exponential backoff'])).items[0]?.path).toBe('src/queue/backoff.ts');
    home.remove();
  });
});
