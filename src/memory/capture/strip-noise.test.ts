import { describe, expect, it } from 'vitest';
import { isLockFile, shortOutput, withoutBlobs, withoutNoise } from './strip-noise.ts';

describe('withoutNoise', () => {
  it('[signal-blobs] replaces a blob by its size', () => {
    const blob = 'iVBORw0KGgo'.repeat(1_200);
    expect(withoutBlobs(`see ${blob} here`)).toBe('see [… 13 KB of base64 …] here');
    expect(withoutBlobs(`src="data:image/png;base64,${blob}"`)).toMatch(
      /^src="data:image\/png;base64,\[… 13 KB of base64 …\]"$/,
    );
    expect(withoutBlobs('function(){var a=1;return[a,b]};'.repeat(40))).toMatch(
      /^\[… 1 KB of minified text …\]$/,
    );
  });

  it('leaves sentences, code and long paths as they are', () => {
    const text = `${'We keep the queue in Postgres. '.repeat(100)}\n${'a/b-c'.repeat(50)}`;
    expect(withoutBlobs(text)).toBe(text);
  });

  it('[signal-blobs] keeps prose that is written without spaces', () => {
    const sentences = [
      '我们决定把重试队列保存在数据库里，',
      'キューはデータベースに保存します。',
      'ข้อความภาษาไทยไม่มีช่องว่าง',
    ];
    for (const sentence of sentences) expect(withoutBlobs(sentence.repeat(200))).toBe(sentence.repeat(200));
  });

  it('does not fail on twenty million letters without a separator', () => {
    for (const letter of ['x', '"', 'ä', ' '])
      expect(() => withoutBlobs(letter.repeat(20_000_000))).not.toThrow();
  });

  it('[signal-output] keeps the end of an output and the lines that report a failure', () => {
    const noise = Array.from({ length: 500 }, (_, at) => `compiled module ${at}`);
    noise[100] = "src/queue.ts(3,1): error TS2304: Cannot find name 'Job'.";
    const output = shortOutput([...noise, 'Tests: 1 failed, 41 passed'].join('\n'));
    expect(output).toContain('error TS2304');
    expect(output).toContain('Tests: 1 failed, 41 passed');
    expect(output).toMatch(/\[… \d+ more lines …\]/);
    expect(output.length).toBeLessThan(2_500);
    expect(shortOutput('short and whole')).toBe('short and whole');
  });

  it('[signal-lock-files] keeps where and how much a lock file changed, but not its lines', () => {
    expect(isLockFile('web/pnpm-lock.yaml')).toBe(true);
    expect(isLockFile('src/lock.ts')).toBe(false);
    const hunks = [
      { oldStart: 1, newStart: 1, added: Array.from({ length: 900 }, () => 'abc'), removed: [] },
    ];
    const body = withoutNoise({ tool: 'Edit', path: 'package-lock.json', hunks });
    expect(body.hunks).toEqual([{ oldStart: 1, newStart: 1, added: ['900 lines'], removed: [] }]);
    expect(withoutNoise({ tool: 'Edit', path: 'src/a.ts', hunks }).hunks).toEqual(hunks);
  });
});
