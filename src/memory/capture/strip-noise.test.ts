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

  it('[signal-blobs] replaces runs of at least 400 characters, in commands as in texts', () => {
    const run = (length: number) => 'aB3dE5gH7j'.repeat(120).slice(0, length);
    for (const change of [
      (text: string) => withoutBlobs(text),
      (text: string) => withoutNoise({ turn: 't', text }).text,
      (text: string) => withoutNoise({ command: text, ok: true }).command,
      (text: string) => withoutNoise({ command: '', ok: true, output: text }).output,
    ]) {
      expect(change(`see ${run(399)} here`)).toBe(`see ${run(399)} here`);
      expect(change(`see ${run(400)} here`)).toBe('see [… 400 bytes of base64 …] here');
      expect(change(run(400))).toBe('[… 400 bytes of base64 …]');
      expect(change(`short\n${run(400)}`)).toBe('short\n[… 400 bytes of base64 …]');
    }
    expect(withoutBlobs(`see ${run(1_023)}`)).toBe('see [… 1023 bytes of base64 …]');
    expect(withoutBlobs(`see ${run(1_024)}`)).toBe('see [… 1 KB of base64 …]');
  });

  it('[signal-blobs] keeps a text of more than a megabyte, of which only the ends are stored', () => {
    const text = (length: number) => `${'x'.repeat(500)} `.padEnd(length, '. ');
    expect(withoutBlobs(text(1024 * 1024))).toMatch(/^\[… 1024 KB|^\[… 500 bytes/);
    expect(withoutBlobs(text(1024 * 1024 + 1))).toBe(text(1024 * 1024 + 1));
  });

  it('[signal-blobs] takes a line of 1,000 characters with fewer than 8 % spaces for minified code', () => {
    const line = (length: number, spaces: number) => ' '.repeat(spaces).padEnd(length, 'f(x);');
    const minified = (text: string) => withoutBlobs(text) !== text;
    expect([minified(line(999, 0)), minified(line(1_000, 0))]).toEqual([false, true]);
    expect([minified(line(1_000, 78)), minified(line(1_000, 79))]).toEqual([true, false]);
    const withOthers = (others: number) => 'é;'.repeat(others).padEnd(1_000, 'f(x);');
    expect([minified(withOthers(199)), minified(withOthers(200))]).toEqual([true, false]);
  });

  describe('of an output', () => {
    const lines = (count: number, text: string) => Array.from({ length: count }, (_, at) => `${text} ${at}`);
    const outputOf = (text: string) => withoutNoise({ command: '', ok: true, output: text }).output;

    it('[signal-output] keeps all up to 1,200 characters', () => {
      expect(outputOf('a\n'.repeat(600))).toBe('a\n'.repeat(600));
      expect(outputOf(`a${'a\n'.repeat(600)}`)).toContain('more lines');
    });

    it('[signal-output] keeps whole lines of the last 900 characters, and counts the others', () => {
      const short = outputOf(Array.from({ length: 30 }, (_, at) => `${at}`.padStart(99, '.')).join('\n'));
      expect(short?.split('\n')).toHaveLength(10);
      expect(short).toMatch(/^\[… 22 more lines …\]\n\.+21\n/);
      const unbroken = outputOf(`${'ab. '.repeat(350)}`);
      expect(unbroken).toBe(`[… 1 more lines …]\n${'ab. '.repeat(350).slice(-900)}`);
    });

    it('[signal-output] keeps the first six and the last six lines that report a result', () => {
      const noise = lines(80, 'compiled module');
      const kept = (results: number) =>
        outputOf([...lines(results, 'error'), ...noise].join('\n'))
          ?.split('\n')
          .filter((line) => line.startsWith('error'));
      expect(kept(12)).toEqual(lines(12, 'error'));
      expect(kept(14)).toEqual([...lines(6, 'error'), ...lines(14, 'error').slice(-6)]);
      expect(kept(3)).toEqual(lines(3, 'error'));
      expect(outputOf([...lines(14, 'error'), ...noise].join('\n'))).toMatch(/error 13\n\[… \d+ more lines/);
    });

    it('[signal-output] cuts a line that reports a result after 300 characters', () => {
      const long = `error ${'x '.repeat(200)}`;
      const [first] = outputOf([long, ...lines(80, 'compiled module')].join('\n'))?.split('\n') ?? [];
      expect(first).toBe(long.slice(0, 300));
    });

    it('[signal-output] counts no lines if it kept all', () => {
      expect(outputOf(`error\n${'x. '.repeat(299)}${'y'.repeat(3)}`.padEnd(1_201, '.'))).toBeDefined();
      const all = outputOf(`error one\n${'z. '.repeat(400)}`);
      expect(all).toMatch(/^error one\n\[… 1 more lines …\]\n/);
    });
  });

  it('[signal-lock-files] counts added and removed lines of a lock file', () => {
    const hunk = { oldStart: 1, newStart: 1, added: ['a'], removed: ['b', 'c'] };
    const body = (more: object) =>
      withoutNoise({ tool: 'Edit', path: 'yarn.lock', hunks: [{ ...hunk, ...more }] }).hunks[0];
    expect(body({})).toMatchObject({ added: ['1 lines'], removed: ['2 lines'] });
    expect(body({ added: [], removed: [] })).toMatchObject({ added: [], removed: [] });
  });
});
