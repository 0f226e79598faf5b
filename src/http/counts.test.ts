import { afterAll, beforeAll, expect, it } from 'vitest';
import { editAs, runAs } from '../../test/support/agent-edits.ts';
import { createHttpHome, type HttpHome } from '../../test/support/http-home.ts';
import { sampleEvent } from '../../test/support/sample-event.ts';
import { isoTime } from '../base/clock.ts';
import { distilAuthor } from '../memory/notes/distil-mark.ts';
import { notePartsOf } from '../memory/notes/note-parts.ts';
import { type NewNote, rememberNote } from '../memory/notes/remember.ts';

/** A number that several pages show may not differ between them. */
let home: HttpHome;
let answers: Record<string, Answer>;
// biome-ignore lint/suspicious/noExplicitAny: the answers of many routes, which other tests compare with their schemas
type Answer = any;

const paths = {
  overview: '/viewer/overview',
  today: '/viewer/today',
  activity: '/viewer/activity',
  timeline: '/agent-sessions?limit=100',
  story: '/agent-sessions/session-a',
  review: '/review?limit=100',
  topics: '/viewer/topics?limit=100',
  told: '/viewer/topics?limit=100&list=told',
  closed: '/viewer/topics?limit=100&list=closed',
  notes: '/notes?limit=100',
  superseded: '/notes?limit=100&state=superseded',
  prelude: '/prelude',
  recent: '/agent-sessions?limit=100&since=90d',
  stats: '/stats',
  spend: '/spend',
  health: '/health',
};

const sum = (numbers: number[]): number => numbers.reduce((all, one) => all + one, 0);

/** Each number, as every answer says it. */
function countsIn(of: Record<string, Answer>): Record<string, unknown[]> {
  const { overview, today, timeline, review, topics, told, closed, notes, prelude, stats, spend } = of;
  const digests: Answer[] = timeline.items;
  const costOf = (one: Answer) => one.preludeTokens + one.answerTokens + one.definitionTokens;
  const namedLines = (lines: Answer[]) => lines.filter(({ note }) => note !== undefined).length;
  const tokens = (entries: Answer[]) => sum(entries.map(({ tokensIn, tokensOut }) => tokensIn + tokensOut));
  return {
    'waiting for review': [
      overview.waiting,
      today.waiting.total + today.waiting.changes,
      review.total + review.changes.length,
      of.health.status.candidates,
    ],
    'proposals of sessions': [
      new Set(
        digests.flatMap(({ decisions }) => decisions.filter((one: Answer) => one.waits)).map(({ id }) => id),
      ).size,
      review.items.filter(({ source }: Answer) => source !== undefined).length,
    ],
    'failing commands': [
      today.open.failing
        .map(({ id }: Answer) => id)
        .sort()
        .join(),
      digests
        .flatMap(({ failing }) => failing.map((one: Answer) => one.id))
        .sort()
        .join(),
    ],
    prompts: [
      digests.find(({ id }) => id === 'session-a').prompts,
      of.story.session.prompts,
      of.story.turns.flatMap(({ events }: Answer) => events).filter(({ kind }: Answer) => kind === 'prompt')
        .length,
    ],
    'open items': [
      today.open.total,
      notes.items.filter(({ kind, state }: Answer) => kind === 'open' && state === 'active').length,
    ],
    'told lines': [today.prelude.lines.length, prelude.lines.length],
    'told notes': [
      namedLines(today.prelude.lines),
      told.total,
      topics.items.filter(({ isTold }: Answer) => isTold).length,
    ],
    'tokens of the prelude': [today.prelude.tokens, prelude.tokens],
    sessions: [timeline.total, of.recent.total, of.activity.items.length],
    'failed commands': [
      sum(digests.map(({ failedCommands }) => failedCommands)),
      sum(of.recent.items.map(({ failedCommands }: Answer) => failedCommands)),
    ],
    notes: [notes.total, of.health.status.notes, sum(Object.values(topics.counts)) - topics.counts.told],
    'closed notes': [closed.total, of.superseded.total],
    'notes that hold': [
      topics.total,
      notes.items.filter(({ kind, state }: Answer) => kind !== 'summary' && state === 'active').length,
    ],
    net: [stats.total.netTokens, sum(stats.sessions.map(({ netTokens }: Answer) => netTokens))],
    cost: [costOf(stats.total), sum(stats.sessions.map(costOf))],
    'sessions with Backstory': [stats.sessions.length, stats.total.definitionTokens / 1_000],
    'spent tokens': [spend.month.tokens, tokens(spend.entries)],
  };
}

const contradictions = (of: Record<string, Answer>): string[] =>
  Object.entries(countsIn(of)).flatMap(([name, said]) =>
    new Set(said).size === 1 ? [] : [`${name}: ${said}`],
  );

beforeAll(async () => {
  home = await createHttpHome();
  const run = (session: string, command: string, isOk: boolean) =>
    runAs(home, session, `${session}-1`, command, isOk);
  const begin = (session: string) =>
    home.hook({ hook_event_name: 'SessionStart', source: 'startup', session_id: session, cwd: home.work });
  const asked = (session: string, text: string) => {
    home.prompt(text, { session_id: session, prompt_id: `${session}-1` });
    return home.events().at(-1)?.id ?? '';
  };
  // The first session ran before Backstory was installed: no hook reported its start.
  const imported = asked('session-a', 'Make the tests pass.');
  editAs(home, 'session-a', 'session-a-1', 'queue.ts', 'export const size = 1;\n');
  home.hook({
    hook_event_name: 'PostToolUse',
    session_id: 'session-a',
    prompt_id: 'session-a-1',
    cwd: home.work,
    tool_name: 'AskUserQuestion',
    tool_use_id: 'dialog',
    tool_response: { questions: [{ question: 'All of them?' }], answers: { 'All of them?': 'Yes, all.' } },
  });
  run('session-a', 'npm test', false);
  run('session-a', 'npm run lint', false);
  run('session-a', 'npm run build', true);
  run('session-a', 'gh pr diff 7', false);
  begin('session-b');
  const prompt = asked('session-b', 'Now mend what is left.');
  editAs(home, 'session-b', 'session-b-1', 'queue.ts', 'export const size = 2;\n');
  run('session-b', 'npm test 2>&1', true);
  run('session-b', 'npm run lint', false);
  run('session-b', 'npm run build', false);
  run('session-b', 'cat <<EOF | go run -\npackage main\nEOF', false);
  home.answer('Done.', { session_id: 'session-b', prompt_id: 'session-b-1' });
  home.open().log.append([
    sampleEvent({
      ...{ agentSession: 'mcp-1', at: isoTime(home.clock.now()), project: home.open().project },
      ...{ kind: 'served', origin: 'system', trust: 1, body: { tool: 'recall', tokens: 10 } },
    }),
    sampleEvent({
      ...{ agentSession: '', at: isoTime(home.clock.now() + 60_000), project: home.open().project },
      ...{ kind: 'probe', origin: 'system', trust: 1, body: { nonce: '1' } },
    }),
  ]);
  await home.drain();
  const parts = notePartsOf(home.open());
  const write = (text: string, more: Partial<NewNote>) =>
    rememberNote(parts, {
      text,
      kind: 'decision',
      concepts: [],
      files: [],
      trust: 3,
      author: 'ana',
      ...more,
    });
  const port = await write('The port is 8080.', { topic: 'port' });
  await write('The port is 9090.', {
    topic: 'port',
    trust: 1,
    author: 'codex',
    replaces: [port.id],
    derivedFrom: [prompt],
  });
  await write('The flaky test is mended.', {
    kind: 'fix',
    trust: 1,
    author: distilAuthor,
    derivedFrom: [imported],
  });
  await write('Uploads end at 10 MB.', { topic: 'uploads' });
  await write('Uploads end at 25 MB.', { topic: 'uploads' });
  await write('Document the new flag.', { kind: 'open' });
  const wrong = await write('Deploys go out on Fridays.', {});
  await home.askAsPerson(`/api/v1/notes/${wrong.id}/wrong`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  await home.drain();
  const read = Object.entries(paths).map(async ([name, path]) => {
    const answered = await home.ask(`/api/v1${path}`);
    expect(answered.status, path).toBe(200);
    return [name, JSON.parse(answered.text)];
  });
  answers = Object.fromEntries(await Promise.all(read));
});
afterAll(() => home.close());

it('[one-number] no number differs between two pages', () => {
  expect(contradictions(answers)).toEqual([]);
  // None of them is zero everywhere, which would prove nothing, except what no model has spent.
  const isEmpty = ([, said]: [string, unknown[]]): boolean => said.every((one) => one === 0 || one === '');
  expect(
    Object.entries(countsIn(answers))
      .filter(isEmpty)
      .map(([name]) => name),
  ).toEqual(['spent tokens']);
});

it('counts the checks whose newest run failed, no command that was run once, and bills only sessions that ran with Backstory', () => {
  const { today, stats } = answers;
  const commands = today.open.failing.map(({ command }: Answer) => command);
  expect(commands.sort()).toEqual(['npm run build', 'npm run lint']);
  const billed = stats.sessions.map(({ agentSession, title }: Answer) => [agentSession, title]);
  expect(billed.sort()).toEqual([
    ['mcp-1', undefined],
    ['session-b', 'Now mend what is left; edited queue.ts; tests failed'],
  ]);
});

it('does not take the probe of doctor for the last capture', () => {
  const [{ id, lastAt }] = answers.timeline.items;
  expect(id).toBe('session-b');
  expect(answers.health.status.lastCapture['claude-code']).toBe(lastAt);
});

it('has no page for an MCP connection whose session is not known', async () => {
  expect((await home.ask('/api/v1/agent-sessions/mcp-1')).status).toBe(404);
});

it('[muted-lines] does not tell a line without a note that a person muted, until the person undoes it', async () => {
  const mute = (line: string, isMuted: boolean, ask = home.askAsPerson) =>
    ask('/api/v1/prelude/mute', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ line, isMuted }),
    });
  const prelude = async () => JSON.parse((await home.ask('/api/v1/prelude')).text);
  const told = (await prelude()).lines.find(({ line }: Answer) => line !== undefined);
  expect((await mute(told.line, true, home.ask)).status).toBe(403);
  expect((await mute('0123456789', true)).status).toBe(404);
  for (const turn of ['first', 'second']) {
    expect((await mute(told.line, true)).status, turn).toBe(200);
    const after = await prelude();
    expect(after.text).not.toContain(told.text);
    expect(after.muted).toMatchObject([{ line: told.line, text: told.text }]);
    await mute(told.line, false);
    expect((await prelude()).text).toContain(told.text);
  }
});

it('gives each told line a reason, and a note or an event with a key to mute it', () => {
  const lines: Answer[] = answers.today.prelude.lines.filter(({ section }: Answer) => section !== 'Going on');
  expect(lines.some(({ line }) => line !== undefined)).toBe(true);
  for (const { note, source, line, reason, text } of lines) {
    expect(reason, text).not.toBe('');
    expect(note !== undefined || (source !== undefined && line !== undefined), text).toBe(true);
  }
});

it('notices a number that one answer has wrong', () => {
  const faults: ((of: Record<string, Answer>) => void)[] = [
    ({ overview }) => overview.waiting++,
    ({ today }) => today.open.failing.pop(),
    ({ timeline }) => timeline.items[0].failing.push({ id: 'another' }),
    ({ story }) => story.turns.pop(),
    ({ today }) => today.open.total--,
    ({ prelude }) => prelude.lines.pop(),
    ({ topics }) => topics.total++,
    ({ stats }) => stats.sessions.push(stats.sessions[0]),
    ({ activity }) => activity.items.pop(),
    ({ health }) => health.status.notes++,
    ({ spend }) => spend.month.tokens++,
    ({ timeline }) =>
      timeline.items.forEach((one: Answer) => {
        one.decisions = [];
      }),
  ];
  for (const fault of faults) {
    const broken = structuredClone(answers);
    fault(broken);
    expect(contradictions(broken), fault.toString()).not.toEqual([]);
  }
});

it('[topic-story] says how a topic came about: by which prompt, what changed it, and who was told it', async () => {
  const start = home.hook({
    hook_event_name: 'SessionStart',
    source: 'startup',
    session_id: 'session-c',
    cwd: home.work,
  });
  expect(start).toContain('The port is 8080.');
  const read = async (session: string) =>
    JSON.parse((await home.ask(`/api/v1/agent-sessions/${session}`)).text).told;
  const told = await read('session-c');
  expect(told).toMatchObject([{ tokens: expect.any(Number) }]);
  expect(told[0].lines).toContainEqual(
    expect.objectContaining({ kind: 'decision', text: 'The port is 8080.' }),
  );
  expect(await read('session-a')).toEqual([]);
  const { items } = answers.review;
  const proposal = items.find(({ note }: Answer) => note.text === 'The port is 9090.');
  const json = { 'content-type': 'application/json' };
  await home.askAsPerson(`/api/v1/notes/${proposal.note.id}/accept`, {
    method: 'POST',
    headers: json,
    body: '{}',
  });
  const { story } = JSON.parse((await home.ask(`/api/v1/notes/${proposal.note.id}`)).text);
  expect(story).toMatchObject([
    { text: 'The port is 8080.', closedBy: proposal.note.id, told: [{ agentSession: 'session-c' }] },
    {
      text: 'The port is 9090.',
      steps: [{ action: 'say', source: { agentSession: 'session-b' } }, { action: 'approve' }],
      told: [],
    },
  ]);
});
