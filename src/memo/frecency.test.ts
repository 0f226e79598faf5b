import { expect, it } from 'vitest';
import type { MemoStep } from '../domain/memo.ts';
import { frecency } from './steps.ts';

const day = 24 * 60 * 60 * 1000;
const now = 100 * day;
const touch = (kind: 'read' | 'edit', path: string, daysAgo: number, checkout = 'c'): MemoStep =>
  ({ kind, path, at: now - daysAgo * day, checkout }) as MemoStep;

it('[frecency] ranks files by how often and how recently they were read and edited', () => {
  const steps = [
    touch('read', 'often-long-ago.ts', 60),
    touch('read', 'often-long-ago.ts', 60),
    touch('read', 'often-long-ago.ts', 60),
    touch('read', 'once-today.ts', 0),
    touch('edit', 'edited-today.ts', 0),
    touch('read', 'twice-this-week.ts', 2),
    touch('read', 'twice-this-week.ts', 2),
    touch('read', 'elsewhere.ts', 0, 'other'),
  ];
  expect(frecency(steps, 'c', now).map(({ path }) => path)).toEqual([
    'edited-today.ts',
    'twice-this-week.ts',
    'once-today.ts',
    'often-long-ago.ts',
  ]);
});
