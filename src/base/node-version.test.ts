import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isVersionAtLeast, minNodeVersion, oldNodeMessage } from './node-version.ts';

describe('The minimum version of Node', () => {
  it('is the one that package.json requires', () => {
    const { engines } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(engines.node).toBe(`>=${minNodeVersion}`);
  });

  it.each([
    ['v22.23.0', true],
    ['v22.23.1', true],
    ['v23.0.0', true],
    ['v100.0.0', true],
    ['v22.22.9', false],
    ['v9.99.99', false],
  ])('compares numbers, not text: %s', (version, expected) => {
    expect(isVersionAtLeast(version, '22.23.0')).toBe(expected);
    expect(oldNodeMessage(version, '/usr/bin/node') === undefined).toBe(expected);
  });
});
