import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aNote } from '../../test/contract/samples.ts';
import { createMemoryHome, type MemoryHome } from '../../test/support/memory-home.ts';
import { sampleEvent } from '../../test/support/sample-event.ts';
import { unconfirmed } from '../domain/event.ts';
import { forget } from '../memory/notes/forget.ts';
import { notePartsOf } from '../memory/notes/note-parts.ts';
import { readAgentSession } from '../memory/sessions/agent-sessions.ts';
import { accountLines } from '../text/session-account.ts';
import { hitFields } from '../wire/answers/memory.ts';
import { withEvidence } from './evidence.ts';
import { summaryNoteId } from './extracted-note-id.ts';
import type { RecallQuery } from './hit.ts';
import { observationsOf } from './observations.ts';
import { recall } from './recall.ts';
import { quickLimits } from './with-index.ts';

let memory: MemoryHome;
let turn = 0;
beforeEach(() => {
  memory = createMemoryHome();
  turn = 0;
});
afterEach(() => memory.remove());

type Act = { edit: string } | { read: string } | { run: string; failed?: string; printed?: string };

/** One turn, answered unless the answer is empty. */
function work(prompt: string, acts: Act[], answer = 'Done.', session_id = 'session-1'): void {
  turn += 1;
  const common = { session_id, prompt_id: `turn-${turn}` };
  memory.prompt(prompt, common);
  for (const [at, act] of acts.entries()) {
    const failed = 'failed' in act ? act.failed : undefined;
    const path = join(memory.work, 'edit' in act ? act.edit : 'read' in act ? act.read : '');
    const file = { filePath: path, content: 'a\n', numLines: 1, startLine: 1, totalLines: 1 };
    memory.hook({
      ...common,
      hook_event_name: failed === undefined ? 'PostToolUse' : 'PostToolUseFailure',
      cwd: memory.work,
      tool_name: 'run' in act ? 'Bash' : 'read' in act ? 'Read' : 'Edit',
      tool_use_id: `tool-${turn}-${at}`,
      tool_input: 'run' in act ? { command: act.run } : { file_path: path },
      tool_response:
        'run' in act
          ? { stdout: act.printed ?? '', stderr: '' }
          : 'read' in act
            ? { type: 'text', file }
            : { filePath: path, structuredPatch: [] },
      ...(failed === undefined ? {} : { error: `Exit code 1\n${failed}` }),
    });
  }
  if (answer !== '') memory.answer(answer, common);
}

const observed = async (session = 'session-1') =>
  (await withEvidence(memory.open(), quickLimits, (evidence) => observationsOf(evidence, session))).map(
    ({ observation }) => observation,
  );
const typesOf = async () => (await observed()).map(({ type }) => type);
const find = async (query: Partial<RecallQuery>) =>
  (await recall(memory.open(), { text: '', observations: true, ...query }, quickLimits)).hits.map(
    ({ chunk, observation }) => [chunk.kind, observation?.title ?? chunk.text],
  );

describe('observationsOf', () => {
  it('[observations] calls a turn a fix if a check failed before its first edit and passed after it', async () => {
    work('why are the totals off for yen?', [{ run: 'npm test', failed: '1 failed' }]);
    work('go on', [{ edit: 'src/amount.ts' }, { run: 'npm test', printed: '9 passed' }]);
    const expected = [
      { type: 'discovery', ended: 'failing', concepts: ['how-it-works'] },
      {
        type: 'fix',
        title: 'go on; edited src/amount.ts; `npm test` passed',
        titleBy: 'record',
        done: 'edited src/amount.ts; `npm test` passed',
        files: ['src/amount.ts'],
        concepts: ['problem-solution', 'what-changed', 'src'],
        ended: 'finished',
      },
    ];
    expect(await observed()).toMatchObject(expected);
    await memory.drain();
    expect(await observed()).toMatchObject(expected);
  });

  it('calls it a change if the check failed only after an edit, or another check passed', async () => {
    work('add yen to the totals', [
      { edit: 'src/amount.ts' },
      { run: 'npm test', failed: '1 failed' },
      { edit: 'src/amount.ts' },
      { run: 'npm test', printed: '9 passed' },
    ]);
    work('and rupees too please', [
      { run: 'npm test', failed: '1 failed' },
      { edit: 'src/amount.ts' },
      { run: 'npm run lint', printed: '0 errors' },
    ]);
    expect(await typesOf()).toEqual(['change', 'change']);
  });

  it('takes the type that the commits of a turn declare, as their account', async () => {
    work('round the yen to whole units', [
      { edit: 'src/amount.ts' },
      { run: 'git commit -qam "refactor(amount): one place for units"' },
    ]);
    work('commit it', [
      { run: 'git commit -m x', printed: '[main 1a2b3c4] feat: totals in yen\n 1 file changed' },
    ]);
    work('clean up the test', [
      { run: 'rtk git commit --amend --no-edit', printed: '[main 9a8b7c6] feat: totals in yen' },
    ]);
    expect(await observed()).toMatchObject([
      { type: 'refactor', title: 'round the yen to whole units', titleBy: 'user', account: 'commit' },
      { type: 'feature', title: 'feat: totals in yen', titleBy: 'agent', account: 'commit' },
      { type: 'change', title: 'clean up the test', titleBy: 'user' },
    ]);
  });

  it('takes type and title from the account of the model that the user chose, marked as one', async () => {
    work('round the yen to whole units', [{ edit: 'src/amount.ts' }]);
    const [{ turn: id = '' } = {}] = await observed();
    const title = 'Yen has no decimals';
    const account = accountLines({ title, summary: '', turns: [{ turn: id, type: 'feature', title }] });
    const text = ['yen', 'Session of today.', ...account].join('\n');
    await memory.open().notes.put(aNote({ id: summaryNoteId('session-1'), kind: 'summary', text }));
    const told = { type: 'feature', title, titleBy: 'agent', account: 'agent', done: 'edited src/amount.ts' };
    expect(await observed()).toMatchObject([told]);
  });

  it('calls it a discovery only if nothing was changed', async () => {
    work('where are units rounded?', [{ read: 'src/amount.ts' }, { run: 'rg round src > /dev/null' }]);
    work('remove the old totals', [{ run: 'rm src/old.ts' }, { edit: 'src/old.ts' }]);
    work('install the library for yen', [{ run: 'npm install yen' }, { edit: 'package.json' }]);
    work('how would you plan it?', [{ edit: '.claude/plans/yen.md' }]);
    expect(await observed()).toMatchObject([
      { type: 'discovery', done: 'read src/amount.ts' },
      { type: 'change' },
      { type: 'change' },
      { type: 'discovery' },
    ]);
  });

  it('has the fields that the HTTP API describes', async () => {
    work('where are units rounded?', [{ read: 'src/amount.ts' }]);
    for (const one of await observed()) expect(hitFields.observation.parse(one)).toEqual(one);
    expect(await observed()).toHaveLength(1);
  });

  it('has none for a turn without an answer in which nothing was done', async () => {
    work('is anybody there today?', [], '');
    expect(await observed()).toEqual([]);
  });
});

describe('recall of observations', () => {
  beforeEach(() => {
    work('the login page is slow', [
      { run: 'npm test', failed: '1 failed' },
      { edit: 'src/login.ts' },
      { run: 'npm test' },
    ]);
    work('document the yen totals', [{ edit: 'docs/yen.md' }], 'Done.', 'session-2');
  });
  const fix = ['fix', 'the login page is slow'];
  const change = ['change', 'document the yen totals'];

  it.each([
    [{ kinds: ['fix'] }, [fix]],
    [{ kinds: ['fix', 'change'] }, [change, fix]],
    [{ concept: 'problem-solution' }, [fix]],
    [{ file: 'yen.md' }, [change]],
    [{ text: 'what did we do?', agentSession: 'session-2' }, [change]],
    [{ text: 'login', kinds: ['change'] }, []],
  ] satisfies [Partial<RecallQuery>, string[][]][])('[observations] finds by %j', async (query, expected) => {
    expect(await find(query)).toEqual(expected);
    await memory.drain();
    expect(await find(query)).toEqual(expected);
  });

  it('[prompt-typed] splits a session that no hook saw into turns, and names who typed each prompt', async () => {
    const { log, project } = memory.open();
    const where = { project, agentSession: 'unseen', trust: 1 } as const;
    const older = { origin: 'assistant', untyped: unconfirmed.notReported } as const;
    const now = { origin: 'unconfirmed', untyped: unconfirmed.notReported } as const;
    const agents = { origin: 'assistant', untyped: 'headless session' } as const;
    for (const [turn, { origin, untyped }] of Object.entries({ older, now, agents })) {
      const body = { text: `Describe the ${turn} export in detail`, turn, untyped };
      log.append([
        sampleEvent({ ...where, origin, kind: 'prompt', body }),
        sampleEvent({ ...where, origin: 'assistant', kind: 'answer', body: { text: 'Done.', turn } }),
      ]);
    }
    await memory.drain();
    expect((await observed('unseen')).map(({ title }) => title.split(' ')[2])).toEqual(['older', 'now']);
    const opened = await readAgentSession(memory.open(), 'unseen');
    const origins = opened.turns.flatMap(({ events }) =>
      events.filter(({ kind }) => kind === 'prompt').map(({ origin }) => origin),
    );
    expect(origins).toEqual(['unconfirmed', 'unconfirmed', 'assistant']);
    expect(opened.session).toMatchObject({
      title: 'Describe the older export in detail',
      titleBy: 'unconfirmed',
    });
  });

  it('finds nothing of a turn that was forgotten', async () => {
    await memory.drain();
    const [{ turn: id = '' } = {}] = await observed();
    await forget(memory.open(), { ids: [id] }, notePartsOf(memory.open()).context);
    expect(await find({ kinds: ['fix'] })).toEqual([]);
    expect(await find({ text: 'login' })).toEqual([]);
  });
});
