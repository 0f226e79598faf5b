import { describe, expect, it } from 'vitest';
import { parseFilter, questionOf } from './parse-filter.ts';

const now = Date.parse('2026-11-15T12:00:00Z');

describe('parseFilter', () => {
  it('rejects an unknown kind instead of returning no results', () => {
    for (const kind of ['decisions', 'fix,bogus', '', ' , '])
      expect(() => parseFilter({ kind }, now), kind).toThrow(/unknown kind/);
  });

  it('accepts the kinds of notes that users write', () => {
    expect(parseFilter({ kind: 'rule, failed, open,preference,fact' }, now).kinds).toEqual([
      'rule',
      'failed',
      'open',
      'preference',
      'fact',
    ]);
  });

  it('reads today and yesterday as the beginning of those local days', () => {
    const noon = new Date(2026, 10, 15, 12).getTime();
    expect(parseFilter({ since: 'yesterday', until: 'Today' }, noon)).toEqual({
      since: new Date(2026, 10, 14).getTime(),
      until: new Date(2026, 10, 15).getTime(),
    });
    expect(() => parseFilter({ since: 'tomorrow' }, noon)).toThrow(/use|neither/);
  });

  it('parses every field', () => {
    expect(
      parseFilter(
        {
          kind: 'bugfix, decision',
          file: 'a.ts',
          folder: 'src',
          concept: 'gotcha',
          agent: 'claude',
          session: 's1',
          branch: 'main',
          since: '3d',
          until: '2026-11-14',
          trust: 'approved',
        },
        now,
      ),
    ).toEqual({
      kinds: ['fix', 'decision'],
      file: 'a.ts',
      folder: 'src',
      concept: 'gotcha',
      agent: 'claude-code',
      agentSession: 's1',
      branch: 'main',
      since: now - 3 * 86_400_000,
      until: Date.parse('2026-11-14'),
      minTrust: 2,
    });
  });

  it.each([
    ['notes', { source: 'note' }],
    ['prompts', { source: 'event', kinds: ['prompt'] }],
    ['sessions', { source: 'event' }],
    ['observations', { observations: true }],
    ['all', {}],
    [undefined, {}],
  ])('parses the scope %s', (scope, filter) => {
    expect(parseFilter({ in: scope }, now)).toEqual(filter);
  });

  it.each([{ since: 'soon' }, { until: '12' + 'x' }, { trust: '2' }, { in: 'attic' }])(
    'rejects %j',
    (words) => {
      expect(() => parseFilter(words, now)).toThrowError(
        expect.objectContaining({ code: 'INVALID_ARGUMENT', hint: expect.any(String) }),
      );
    },
  );

  it('ignores an empty topic', () => {
    expect(parseFilter({ topic: ' ' }, now)).toEqual({});
    expect(parseFilter({ topic: ' mail ' }, now)).toEqual({ topic: 'mail' });
  });

  it('does not compile for a parameter that nothing reads', () => {
    const given = { kind: 'rule', unread: true };
    // @ts-expect-error No field of a filter is called `unread`.
    expect(parseFilter(given, now)).toEqual({ kinds: ['rule'] });
  });
});

describe('questionOf', () => {
  it('takes the first wording that is not blank as the text', () => {
    expect(questionOf({ text: ' ', wordings: ['', 'heron', 'crane '] }, {})).toEqual({
      text: 'heron',
      wordings: ['crane'],
    });
    expect(questionOf({ text: 'heron' }, {})).toEqual({ text: 'heron' });
  });

  it('without a question lists what the filter matches, or asks for the last work, or fails', () => {
    expect(questionOf({}, { file: 'a.ts' }, 'hint')).toEqual({ text: '' });
    expect(questionOf({}, {})).toEqual({ text: 'where were we' });
    expect(() => questionOf({}, {}, 'Give one')).toThrowError(
      expect.objectContaining({ code: 'INVALID_QUERY', hint: 'Give one' }),
    );
  });
});
