import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { canCreateLinks } from '../../test/support/symbolic-links.ts';
import { AppError } from '../base/errors.ts';
import { resolveSubject, resolveTarget } from './target.ts';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'backstory-target-'));
  mkdirSync(join(root, 'src'));
  for (const path of ['src/a.js', 'top.js', 'both.js', 'src/both.js']) writeFileSync(join(root, path), 'x\n');
});
afterAll(() => rmSync(root, { recursive: true }));

/** Code in which `load` is defined, and only these paths are searchable. */
const context = ({ cwd = 'src', searchable = ['src/a.js'], mayBeIgnored = true } = {}) => {
  const asked: unknown[] = [];
  const code = async () => ({
    definitions: async ({ name, path }: { name: string; path?: string | undefined }) => {
      asked.push([name, path]);
      const found = { path: path ?? 'src/a.js', startLine: 3, endLine: 6 };
      return { definitions: name === 'load' ? [found] : [] } as never;
    },
    lines: async ({ path }: { path: string }) =>
      ({ path: searchable.find((one) => one.endsWith(path)) ?? '' }) as never,
  });
  return { context: { root, cwd: join(root, cwd), code, mayBeIgnored }, asked };
};
const target = (text: string, options?: Parameters<typeof context>[0]) =>
  resolveTarget(text, context(options).context);

describe('what a question is about', () => {
  it('is a file, from the working directory or else from the top', async () => {
    expect(await target('a.js')).toEqual({ path: 'src/a.js' });
    expect(await target('src/a.js')).toEqual({ path: 'src/a.js' });
    expect(await target('top.js')).toEqual({ path: 'top.js' });
    expect(await target('both.js')).toEqual({ path: 'src/both.js' });
    expect(await target('both.js', { cwd: '' })).toEqual({ path: 'both.js' });
  });

  it.skipIf(!canCreateLinks)('is a file also in a working directory behind a link', async () => {
    symlinkSync('src', join(root, 'linked'));
    expect(await target('a.js', { cwd: 'linked' })).toEqual({ path: 'src/a.js' });
  });

  it('is a line, lines or a symbol of a file, or a symbol alone', async () => {
    expect(await target('a.js:3')).toEqual({ path: 'src/a.js', range: { from: 3, to: 3 } });
    expect(await target('a.js:3-7')).toEqual({ path: 'src/a.js', range: { from: 3, to: 7 } });
    const symbol = context();
    expect(await resolveTarget('top.js:load', symbol.context)).toEqual({
      path: 'top.js',
      range: { from: 3, to: 6 },
    });
    expect(await resolveTarget('load', symbol.context)).toMatchObject({ path: 'src/a.js' });
    expect(symbol.asked).toEqual([
      ['load', 'top.js'],
      ['load', undefined],
    ]);
  });

  it('is not found if it is no file and no symbol; a path or several words are no symbol', async () => {
    for (const text of ['gone.js:3', 'lib/gone.js', 'two words', 'lib\\gone.js']) {
      const { context: asking, asked } = context();
      await expect(resolveTarget(text, asking)).rejects.toThrow('is not a file of this checkout');
      expect(asked, text).toEqual([]);
    }
    await expect(target('gone.js:3')).rejects.toThrow(/^gone\.js is not/);
    await expect(target('lost')).rejects.toThrow('lost is neither a file');
    await expect(target('a.js:lost')).rejects.toThrow('lost is neither a file');
  });

  it('is only a searchable file, unless the user asks at a terminal', async () => {
    expect(await target('a.js', { mayBeIgnored: false })).toEqual({ path: 'src/a.js' });
    await expect(target('top.js', { mayBeIgnored: false })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(
      target('top.js', { mayBeIgnored: false, searchable: ['other/top.js'] }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('may be a change, if it is nothing else; outside git there is none', async () => {
    expect(await resolveSubject('a.js', context().context)).toEqual({ path: 'src/a.js' });
    await expect(resolveSubject('HEAD', context().context)).rejects.toThrow('HEAD is neither');
    const invalid = new AppError('INVALID_QUERY', 'invalid symbol name', { hint: '' });
    const code = () => Promise.reject(invalid);
    await expect(resolveSubject('HEAD~9..HEAD', { ...context().context, code })).rejects.toThrow(
      'HEAD~9..HEAD is no range of commits',
    );
    await expect(resolveSubject('a-', { ...context().context, code })).rejects.toBe(invalid);
    for (const failure of [
      new Error('damaged'),
      new AppError('OVERLOADED', 'busy', { hint: '' }),
      Object.assign(new Error(), { code: 'NOT_FOUND' }),
    ])
      await expect(
        resolveSubject('load', { ...context().context, code: () => Promise.reject(failure) }),
      ).rejects.toBe(failure);
  });
});
