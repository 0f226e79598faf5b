import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blocksOf, splitPrompt, surelyTyped, typedBlocks, typedText } from './prompt-blocks.ts';

const typed = (text: string): string[] => typedBlocks({ text });
const lines = (...all: string[]): string => all.join('\n');

describe('blocks of a prompt', () => {
  it('keeps a sentence over several lines in one block', () => {
    const wrapped = lines('Under no circumstances should an agent', 'push to main without a review.');
    expect(typed(`${wrapped}\n\nThen run the tests.`)).toEqual([wrapped, 'Then run the tests.']);
  });

  it.each([
    [lines('## Never do', '- push to main', '- skip tests')],
    [lines('## Never do', '', '- push to main', '', '- skip tests')],
    [lines('## Never do', '', 'Push to main.', '', 'Skip tests.')],
    [lines('**Never:**', '- push to main')],
    [lines('Bitte nicht:', '', '1. auf main pushen', '', '2. Tests auslassen')],
    [lines('禁止事項：', '', '・mainへのpush')],
    [lines('The following sentence of the docs is wrong, remove it:', '', 'Push to main directly.')],
    [lines('Please leave these alone', '', '* the release branch')],
  ])('keeps a list or a text with the heading above it: %j', (text) => {
    expect(typed(text)).toEqual([text]);
  });

  it('ends what a heading introduces at the next heading, and a list at the next paragraph', () => {
    const text = lines('# Never', '', 'Push.', '', '# Always', '', '- test', '', 'Go on.');
    expect(typed(text)).toEqual([
      lines('# Never', '', 'Push.'),
      lines('# Always', '', '- test', '', 'Go on.'),
    ]);
    expect(typed(lines('Never:', '', '- push', '', 'Go on.'))).toEqual([
      lines('Never:', '', '- push'),
      'Go on.',
    ]);
  });

  it.each([
    ['code', lines('```', 'Always deploy.', '', 'And never test.', '```')],
    ['code', lines('~~~ts', 'Always deploy.', '~~~')],
    ['code', lines('    Always deploy.', '', '    Never test.')],
    ['quote', lines('> Always deploy.', '> Never test.')],
    ['quote', '“Always deploy from main.”'],
    ['markup', lines('<issue title="x">', 'Always deploy.', '', 'Never test.', '</issue>')],
    ['markup', '<document>Always deploy.</document>'],
    ['output', lines('TypeError: x is not a function', '    at run (a.js:1:2)')],
    ['output', lines('2026-11-02T10:11:12Z Always deploy.', 'Never test.')],
    ['output', lines('$ make', 'Always deploy.')],
    ['output', lines('@@ -1,2 +1,2 @@', '-Never test.', '+Always deploy.')],
    ['output', lines('ann  10:42 AM', 'Always deploy.')],
    ['output', lines('{', '  "rule": "Always deploy."', '}')],
    ['output', lines('| rule | why |', '|---|---|', '| Always deploy | it is fast |')],
  ])('marks as not typed: %s %j', (not, quoted) => {
    const blocks = blocksOf({ text: `Look at this please.\n\n${quoted}` });
    expect(blocks[0]).toEqual({ text: 'Look at this please.' });
    expect(blocks.slice(1).every((block) => block.not === not)).toBe(true);
    expect(typedText({ text: `${quoted}\n\nWhat does it mean?` })).not.toContain('Always deploy');
  });

  it('takes all of a mail for pasted but its last paragraph, which is not sure', () => {
    const mail = ['From: Ann <ann@example.org>', 'Subject: Deploys', '', 'Always deploy.', '', 'Ann'];
    const text = lines('Answer this.', '', ...mail, '', 'We never deploy on Fridays.');
    expect(typed(text)).toEqual(['Answer this.', 'We never deploy on Fridays.']);
    expect(surelyTyped({ text })).toEqual([]);
  });

  it.each([
    'Use <Link> instead of <a> in the viewer.',
    'Deploy at 10:30 on Fridays, never later.',
    'src/a.ts:18 has to use tabs.',
    '+1 for pnpm in this repository',
    '<3 this, keep the layout',
    'Never commit secrets!  From now on, ask me first.',
  ])('takes what looks like text of a program only from afar for typed: %s', (text) => {
    expect(typed(text)).toEqual([text]);
    expect(surelyTyped({ text })).toEqual([text]);
  });

  it('marks what an agent reports as pasted or added, wherever it stands', () => {
    const text = 'Please read Always deploy. and say\n\nAlways deploy.\n\nwhat it means';
    const blocks = splitPrompt(text, { pasted: ['Always deploy.'] });
    expect(typedText({ text, blocks })).toBe('Please read\n\nand say\n\nwhat it means');
    expect(typedText({ text, blocks: splitPrompt(text, { added: [text] }) })).toBe('');
  });

  it('splits a text anew that was changed after capture', () => {
    const blocks = splitPrompt('Use tabs.\n\n> quoted');
    expect(typedText({ text: '> quoted\n\nUse.', blocks })).toBe('Use.');
  });

  it.each([
    'Use tabs.\n\nAnd spaces.',
    '## Rules\n- Use tabs.',
    'Support writes:\nUse tabs.',
    'Support writes:\n\nUse tabs.',
    '> Use tabs.',
    'Use tabs.\n\n```\nx\n```',
  ])('is no single block if nothing shows who wrote a part of it: %j', (text) => {
    expect(surelyTyped({ text })).toEqual([]);
  });

  it('are all surely typed if the agent records pastes, but for what is below a heading or after a colon', () => {
    const text = 'Use tabs.\n\nAnd spaces.\n\nSupport writes:\n\nUse neither.';
    const blocks = splitPrompt(text, { pasted: [] });
    expect(surelyTyped({ text, blocks })).toEqual(['Use tabs.', 'And spaces.']);
    expect(surelyTyped({ text, blocks: splitPrompt(text, { pasted: ['And spaces.'] }) })).toEqual([
      'Use tabs.',
    ]);
  });

  it('covers every text with blocks in order, also if it is hostile', () => {
    const piece = fc.constantFrom(
      '<a>',
      '</a>',
      '```\n',
      '~~~',
      '\n\n',
      '\n',
      '> ',
      '- ',
      '# ',
      'x:',
      'word ',
      'From: a@b.c\n',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join('');
        const ends = splitPrompt(text).map(({ end }) => end);
        expect(ends).toEqual([...ends].sort((a, b) => a - b));
        expect(ends.at(-1) ?? text.length).toBe(text.length);
        expect(
          blocksOf({ text })
            .map((block) => block.text)
            .join('')
            .replace(/\s/g, ''),
        ).toBe(text.replace(/\s/g, ''));
      }),
    );
  });

  it('reads a long hostile prompt in linear time, and its end as not typed', () => {
    const text = `${'<a>'.repeat(100_000)}\n\nAlways deploy.`;
    expect(typedText({ text })).not.toContain('Always deploy');
  });
});
