import { describe, expect, it } from 'vitest';
import { createBertTokens } from './bert-tokens.ts';

const entries = `[PAD] [UNK] [CLS] [SEP] the cafe un ##able ##s , . ' 缓 存 $ don t $5`.split(' ');
const tokens = createBertTokens(entries.join('\n'));
const read = (text: string, limit = 64): string[] =>
  tokens.encode(text, limit).map((number) => entries[number] as string);

describe('tokens of BERT models', () => {
  it.each([
    ['The Café', 'the cafe'],
    ['unables.', 'un ##able ##s .'],
    ["don't", "don ' t"],
    ['缓存the', '缓 存 the'],
    ['the zebra,the', 'the [UNK] , the'],
    ['the\u0000\u200b $\tcafe\n', 'the $ cafe'],
    ['the'.repeat(60), '[UNK]'],
    ['', ''],
  ])('are as the reference cuts them: %j', (text, expected) => {
    expect(read(text).slice(1, -1).join(' ')).toBe(expected);
  });

  it('begin and end as the model expects, however long the text is', () => {
    expect(read('the the the the', 4)).toEqual(['[CLS]', 'the', 'the', '[SEP]']);
    expect(read('', 4)).toEqual(['[CLS]', '[SEP]']);
  });
});
