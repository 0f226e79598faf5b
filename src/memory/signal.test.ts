import { describe, expect, it } from 'vitest';
import { withoutBlobs } from './signal.ts';

describe('withoutBlobs', () => {
  it('says of a blob only how long it was, and leaves the words around it', () => {
    expect(withoutBlobs(`see ${'aB3d'.repeat(500)} here`)).toBe('see [… 2 KB of base64 …] here');
    expect(withoutBlobs(`see ${'a(b){c};'.repeat(100)} here`)).toBe(
      'see [… 800 bytes of minified text …] here',
    );
  });

  it('[prose-stays] leaves prose of any script whole, also where it is written without spaces', () => {
    for (const sentence of [
      '我们决定把重试队列保存在数据库里，',
      'キューはデータベースに保存します。',
      'ข้อความภาษาไทยไม่มีช่องว่าง',
      'An ordinary sentence. ',
    ]) {
      const text = sentence.repeat(100);
      expect(withoutBlobs(text)).toBe(text);
    }
  });

  it('does not fail on a run of twenty million letters', () => {
    for (const letter of ['x', '"', 'ä', ' '])
      expect(() => withoutBlobs(letter.repeat(20_000_000))).not.toThrow();
  });
});
