import { describe, expect, it } from 'vitest';
import { ageOf } from './render.ts';

const day = 86_400_000;
const now = Date.UTC(2026, 5, 30);

describe('ageOf', () => {
  it.each([
    ['just now', 30_000],
    ['5 min ago', 5 * 60_000],
    ['3 h ago', 3 * 3_600_000],
    ['29 d ago', 29 * day],
    ['2026-05-31', 30 * day],
    ['2025-06-30', 365 * day],
  ])('%s', (age, ms) => {
    expect(ageOf(now - ms, now)).toBe(age);
  });
});
