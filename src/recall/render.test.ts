import { describe, expect, it } from 'vitest';
import { aChunk } from '../../test/contract/samples.ts';
import { answerOf } from '../../test/support/recall-answer.ts';
import { type Chunk, disputeConcept, everywhereConcept } from '../domain/chunk.ts';
import type { Hit } from './hit.ts';
import {
  ageOf,
  hitRecord,
  kindLabel,
  labelParts,
  renderForAgent,
  renderTimeline,
  shortHitId,
  shownChunk,
  sourceLabel,
  stateLines,
  teamRemark,
  triedLine,
  triedLines,
  withinBudget,
} from './render.ts';

const day = 86_400_000;
const now = Date.UTC(2026, 5, 30);

const aHit = (chunk: Partial<Chunk>, more: Partial<Hit> = {}): Hit => {
  const own = aChunk({ at: now - 2 * day, ...chunk });
  return { id: own.id, chunk: own, preview: own.text, ranks: {}, score: 1, why: {}, ...more };
};

describe('ageOf', () => {
  it.each([
    ['just now', 30_000],
    ['1 min ago', 60_000],
    ['5 min ago', 5 * 60_000],
    ['3 h ago', 3 * 3_600_000],
    ['29 d ago', 29 * day],
    ['2026-05-31', 30 * day],
    ['2025-06-30', 365 * day],
  ])('%s', (age, ms) => {
    expect(ageOf(now - ms, now)).toBe(age);
  });
});

describe('the source of a hit', () => {
  const team = { name: 'core', source: 'issue' as const, author: 'eve' };
  it.each([
    [{ origin: 'user', trust: 2 }, 'you'],
    [{ origin: 'user', trust: 1 }, 'not typed by you'],
    [{ origin: 'assistant', trust: 1 }, 'the agent'],
    [{ origin: 'tool', trust: 0 }, 'a tool'],
    [{ origin: 'teammate', trust: 1, concepts: ['by ada'] }, 'ada, a teammate, not trusted'],
    [{ kind: 'commit', concepts: [] }, 'by somebody'],
    [{ source: 'note', origin: 'teammate', trust: 2 }, "a teammate's note, approved"],
    [{ source: 'note', origin: 'teammate', trust: 1 }, "a teammate's note, unreviewed"],
    [{ source: 'note', origin: 'file', trust: 1 }, 'text of the repository, not trusted'],
    [{ source: 'note', origin: 'import', trust: 1 }, 'imported, not trusted'],
    [{ source: 'note', origin: 'import', trust: 2 }, 'said or approved by you'],
    [{ origin: 'unconfirmed', trust: 1 }, 'not confirmed as yours'],
    [{ source: 'note', origin: 'assistant', trust: 1 }, 'note by an agent, unreviewed'],
    [{ source: 'note', kind: 'summary', origin: 'assistant', trust: 1 }, 'made from the session, unreviewed'],
    [{ source: 'note', origin: 'user', trust: 2 }, 'said or approved by you'],
    [{ source: 'note', origin: 'user', trust: 3 }, 'written by you'],
    [{ team, trust: 1 }, 'team core, issue by eve'],
    [{ team: { ...team, author: '' }, trust: 2 }, 'team core, issue, approved'],
  ] satisfies [Partial<Chunk>, string][])('%j: %s', (chunk, label) => {
    expect(sourceLabel(aChunk({ agentSession: '', ...chunk }))).toBe(label);
  });

  it('has the beginning of the session of an event, and none for a note', () => {
    const chunk = { agentSession: '0123456789' };
    expect(sourceLabel(aChunk(chunk))).toBe('you, claude-code session 01234567');
    expect(sourceLabel(aChunk({ ...chunk, source: 'note', trust: 3 }))).toBe('written by you');
  });

  it.each([
    [{ origin: 'teammate', trust: 1 }, ['not approved by you']],
    [{ origin: 'import', trust: 0 }, ['from tools or others']],
    [{ origin: 'import', trust: 2 }, []],
    [{ origin: 'user', trust: 1 }, []],
    [{ origin: 'teammate', trust: 1, team: { name: 'core', source: 'issue', author: 'eve' } }, []],
  ] satisfies [Partial<Chunk>, string[]][])(
    'of others says how far it is trusted, except for a team: %j',
    (chunk, trust) => {
      const [, ...rest] = labelParts({ chunk: aChunk({ at: now, ...chunk }) }, now);
      expect(rest).toEqual([...trust, 'just now']);
    },
  );

  it('says in which state its code is, unless it refers to none', () => {
    const chunk = aChunk({ at: now });
    const lines = { keptLines: 0, of: 2, path: 'a.ts' };
    const labels = (state: 'gone' | 'unanchored') =>
      labelParts({ chunk, drift: { state, ...lines } }, now, { mark: (text) => `!${text}` });
    expect(labels('gone').slice(2).join()).toMatch(/^!GONE/);
    expect(labels('unanchored')).toHaveLength(2);
  });
});

it('a hit of a note has its kind, topic, marks and who disputes it; an event has no marks', () => {
  const concepts = ['candidate', 'superseded', everywhereConcept, disputeConcept('eve', '2026-06-01')];
  const chunk = { kind: 'rule' as const, topic: 'deploys', pinned: true, concepts };
  expect(kindLabel(aChunk({ ...chunk, source: 'note' }))).toBe(
    'rule (deploys), pinned, not reviewed, superseded, yours, in every project, disputed by eve on 2026-06-01',
  );
  expect(kindLabel(aChunk({ concepts }))).toBe('prompt');
});

it('[recall-decision] calls what a person chose in a dialog a decision, and a plan a plan', () => {
  const text = 'The agent asked: Which store?\nThe user answered: Postgres';
  expect(labelParts({ chunk: aChunk({ text, at: now }) }, now)[0]).toBe('decision');
  expect(kindLabel(aChunk({ text, trust: 1 }))).toBe('prompt');
  expect(kindLabel(aChunk({ text, kind: 'answer' }))).toBe('answer');
  expect(kindLabel(aChunk({ text: '# Sessions', concepts: ['plan'] }))).toBe('plan');
});

it('a hit is opened by the random end of the id of a note, or else by the beginning of its own id', () => {
  const sourceId = '0190a000-0000-7000-8000-000012345678';
  expect(shortHitId({ id: 'abcdef0123', source: 'note', sourceId })).toBe('12345678');
  expect(shortHitId({ id: 'abcdef0123', source: 'event', sourceId })).toBe('abcdef01');
  expect(shortHitId({ id: sourceId, source: 'note', sourceId })).toBe('0190a000');
});

describe('a hit as a record', () => {
  it('has the state of a note instead of its concept', () => {
    const note = aChunk({ source: 'note', concepts: ['yen', 'superseded'] });
    expect(shownChunk(note)).toMatchObject({ concepts: ['yen'], state: 'superseded' });
    expect(shownChunk({ ...note, concepts: [] })).toMatchObject({ state: 'active' });
    const event = shownChunk({ ...note, source: 'event' });
    expect(event.concepts).toEqual(['yen', 'superseded']);
    const team = { name: 'core', source: 'note' as const, author: 'eve' };
    for (const one of [event, shownChunk({ ...note, team })]) expect(one).not.toHaveProperty('state');
    expect(event).not.toHaveProperty('topic');
    expect(shownChunk({ ...note, topic: 'yen\u001b' }).topic).toBe('yen');
  });

  it('has the beginnings of earlier statements, and where copies are', () => {
    const chunk = aChunk({ text: 'x'.repeat(300) });
    const { id, at } = chunk;
    expect(hitRecord(aHit({}, { earlier: [chunk], copies: [chunk] }))).toMatchObject({
      earlier: [{ id, at, text: 'x'.repeat(200) }],
      copies: [{ id, at }],
    });
    expect(Object.keys(hitRecord(aHit({})))).not.toEqual(expect.arrayContaining(['earlier', 'copies']));
  });
});

describe('the lines below a hit', () => {
  const past = (count: number): Chunk[] =>
    Array.from({ length: count }, (_, at) =>
      aChunk({ id: `${at}`.repeat(8), at: now, text: `Text ${at} ${'word '.repeat(30)}end` }),
    );

  it('have on a page the last statement before it, in short', () => {
    const [line = '', ...others] = stateLines(aHit({}, { earlier: past(2), copies: past(2) }), 'index');
    expect(line).toMatch(/^before, 2026-06-30 \[00000000\]: Text 0 .*…$/);
    expect(others).toEqual([]);
  });

  it('have otherwise three statements before it, and three of its copies', () => {
    const linesOf = (count: number) =>
      stateLines(aHit({}, { earlier: past(count), copies: past(count) }), 'full');
    expect(linesOf(0)).toEqual([]);
    expect(linesOf(4).map((line) => line.slice(0, 40))).toEqual([
      'before, 2026-06-30 [00000000]: Text 0 wo',
      'before, 2026-06-30 [11111111]: Text 1 wo',
      'before, 2026-06-30 [22222222]: Text 2 wo',
      'also 2026-06-30 [00000000], 2026-06-30 [',
    ]);
    expect(linesOf(1)[0]).toMatch(/end$/);
    expect(linesOf(3).at(-1)).toMatch(/\[22222222\]$/);
    expect(linesOf(5).at(-1)).toMatch(/\[22222222\], 2 more$/);
  });

  it('name its session, and how that ended', () => {
    const session = { id: '0123456789', title: 'yen totals' };
    expect(stateLines(aHit({}, { session: session as never }), 'index')).toEqual([
      'session 01234567: yen totals',
    ]);
    expect(stateLines(aHit({}, { session: { ...session, end: 'failing' } as never }), 'index')).toEqual([
      'session 01234567: yen totals, failing',
    ]);
  });
});

it.each([
  ['answered', undefined, []],
  ['not-asked', undefined, []],
  ['silent', undefined, ['Team core did not answer; there is no local copy yet.']],
  ['silent', '2026-06-29', ['Team core did not answer; its hits are from 2026-06-29.']],
  [
    'refused',
    '2026-06-29',
    ['Team core does not accept this machine; its hits are from 2026-06-29. See: backstory team status'],
  ],
] as const)('an answer names a team that took no part: %s, copied %s', (state, syncedAt, expected) => {
  const team = { name: 'core', state, ...(syncedAt === undefined ? {} : { syncedAt }) };
  expect(teamRemark(answerOf([], { team }))).toEqual(expected);
  expect(teamRemark(answerOf([]))).toEqual([]);
});

describe('what was tried before', () => {
  const quote = { id: 'abcdef0123', at: now, by: 'user' as const, text: 'round the yen' };
  const tried = { path: 'src/yen.ts', agent: 'codex' as const, agentSession: 's', at: now - day, lines: 2 };

  it('has the ids of what was said, unless it is for a text without ids', () => {
    const what = '2 lines in src/yen.ts, reverted by codex 1 d ago';
    expect(triedLine({ ...tried, prompt: quote }, now)).toBe(`${what}; [abcdef01] round the yen`);
    expect(triedLine({ ...tried, failure: quote }, now, { isWithoutIds: true })).toBe(
      `${what}; round the yen`,
    );
    expect(triedLine(tried, now)).toBe(what);
  });

  it('is one short line on a page, and all of it otherwise', () => {
    const answer = answerOf([], {
      failedPaths: [{ ...tried, prompt: { ...quote, text: 'round the yen '.repeat(9).trim() } }, tried],
    });
    const [line = '', ...others] = triedLines(answer, now, 'index');
    expect([line.length <= 96, line.endsWith('…'), others]).toEqual([true, true, []]);
    expect(triedLines(answer, now, 'full').map((one) => one.endsWith('…'))).toEqual([false, false]);
  });
});

it.each([
  ['with all that fits', [7_999, 7_999], 2],
  ['without what does not fit and all after it', [7_999, 8_000, 1], 1],
  ['with the first entry, however long it is', [20_000, 1], 1],
])('an answer is at most 16,000 bytes, line ends included: %s', (_, bytes, expected) => {
  const entries = bytes.map((length) => 'é'.repeat(length >> 1) + 'x'.repeat(length % 2));
  expect(withinBudget([...entries])).toEqual(entries.slice(0, expected));
});

describe('an answer for an agent', () => {
  it('without hits says so, for a question and for a list', () => {
    expect(renderForAgent(answerOf([]), 'yen?', { now })).toBe(
      'Nothing in this project\'s memory matches "yen?".',
    );
    expect(renderForAgent(answerOf([]), '', { now })).toMatch(/^Nothing of this is recorded/);
  });

  it('has a recap before its hits, or alone', () => {
    const recap = ['Last: yen totals.'];
    const text = renderForAgent(
      answerOf([aHit({ text: 'round the yen' })], { recap, match: 'weak' }),
      'yen',
      { now },
    );
    expect(text.indexOf('Last: yen totals.')).toBeLessThan(text.indexOf('round the yen'));
    expect(text).not.toContain('No good match');
    expect(renderForAgent(answerOf([], { recap }), 'yen', { now })).toContain('Last: yen totals.');
  });

  it('explains the scores only if asked', () => {
    const hit = aHit({}, { why: { words: 1.234 }, ranks: { lexical: 2 } });
    expect(renderForAgent(answerOf([hit]), 'yen', { now, explain: true })).toContain(
      '  why: words 1.23, lexical rank 2',
    );
    expect(renderForAgent(answerOf([hit]), 'yen', { now })).not.toContain('why:');
  });
});

describe('a timeline for an agent', () => {
  const chunks = Array.from({ length: 90 }, (_, at) =>
    aChunk({ at: now, text: `Text ${at} ${'東'.repeat(190)}` }),
  );
  const shown = (anchor?: Chunk, all = chunks): string[] =>
    renderTimeline({ ...(anchor && { anchor }), chunks: all }, now)
      .split('\n')
      .slice(2, -1);
  const numbersIn = (lines: string[]): number[] =>
    lines.flatMap((line) => (/^ {2}Text (\d+)/.exec(line)?.[1] ?? []).slice()).map(Number);

  it('marks its anchor, and has everything if it fits', () => {
    const few = chunks.slice(0, 3);
    const lines = shown(few[1], few);
    expect(lines.map((line) => line[0])).toEqual(['[', ' ', '→', ' ', '[', ' ']);
    expect(renderTimeline({ chunks: [] }, now)).toMatch(/^Nothing/);
  });

  it('has what is nearest to its anchor if not everything fits, and says how much is left out', () => {
    const lines = shown(chunks[45]);
    const numbers = numbersIn(lines);
    const [first = 0, last = 0] = [numbers[0], numbers.at(-1)];
    expect(numbers).toHaveLength(last - first + 1);
    expect([45 - first, 45 - first + 1]).toContain(last - 45 + 1);
    expect(lines[0]).toBe(`${first} earlier did not fit: call again with the first id shown.`);
    expect(lines.at(-1)).toBe(`${89 - last} later did not fit: call again with the last id shown.`);
    expect(Buffer.byteLength(lines.join('\n'))).toBeGreaterThan(15_000);
  });

  it('has the newest if its anchor is a time', () => {
    const lines = shown();
    expect(numbersIn(lines).at(-1)).toBe(89);
    expect(lines[0]).toBe(`${numbersIn(lines)[0]} earlier did not fit: call again with the first id shown.`);
    expect(lines.at(-1)).toMatch(/^ {2}Text/);
  });
});
