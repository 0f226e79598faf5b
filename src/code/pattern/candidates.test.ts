import { describe, expect, it, vi } from 'vitest';
import { createRandom } from '../../../test/harness/random.ts';
import { randomLine, randomRegex } from '../../../test/harness/random-regex.ts';
import { accepts, indexFolder, openSegment, writeSegment } from '../../../test/support/index-segment.ts';
import type { Segment } from '../index/segment.ts';
import { candidateBlocks } from './candidates.ts';
import { parseRegex } from './parse.ts';
import { type Plan, planOf } from './plan.ts';

const plan = (regex: string): Plan => planOf(parseRegex(regex, { ignoreCase: false, wholeWord: false }));

function segmentOf(texts: string[]): Segment {
  const folder = indexFolder();
  return openSegment(
    folder,
    writeSegment(folder, 'a.seg', new Map(texts.map((text, at) => [`${at}`, text]))),
  );
}

const accepted = (required: Plan, texts: string[]): number[] =>
  texts.flatMap((text, at) => (accepts(required, text) ? [at] : []));

describe('The candidates of a plan', () => {
  it.each([
    'alpha',
    'alpha.*gamma',
    'alpha.*beta.*gamma',
    'alpha|gamma',
    '(?:alpha|beta)-(?:gamma|delta)',
    'alpha.*(?:beta|gamma)',
    '(?:alpha|beta).*(?:gamma|delta)',
    '[a-c]lpha',
    '[a-c]lpha.*gam[^ ]a',
    'nowhere',
    'nowhere.*alpha',
    'alpha.*nowhere',
    '(?:nowhere|nothing)',
  ])('%s are the blocks that contain what it requires', (regex) => {
    const words = ['alpha', 'beta', 'gamma', 'delta'];
    const texts = Array.from({ length: 400 }, (_, at) =>
      ['#', ...words.filter((_, word) => at % (word + 2) === 0 || at % 11 === word)].join('-'),
    );
    const segment = segmentOf(texts);
    expect([...candidateBlocks(plan(regex), segment)]).toEqual(accepted(plan(regex), texts));
  });

  it('are all blocks if it requires nothing', () => {
    const segment = segmentOf(['alpha', 'beta']);
    expect(candidateBlocks(plan('a'), segment)).toBe('all');
    expect(candidateBlocks({ kind: 'or', parts: [plan('alpha'), plan('a')] }, segment)).toBe('all');
    expect(candidateBlocks({ kind: 'and', parts: [plan('a'), plan('.')] }, segment)).toBe('all');
    expect(candidateBlocks({ kind: 'and', parts: [plan('a'), plan('[ab]eta|alpx')] }, segment)).toEqual(
      Uint32Array.of(1),
    );
  });

  it('are found without reading more lists when at most four are left', () => {
    const segment = segmentOf(Array.from({ length: 200 }, (_, at) => (at < 4 ? 'alpha gamma' : 'gamma')));
    const read = vi.spyOn(segment, 'listAt');
    expect([...candidateBlocks(plan('gamma.*gamma.*alp'), segment)]).toEqual([0, 1, 2, 3]);
    expect(read).toHaveBeenCalledTimes(1);
    expect([...candidateBlocks(plan('alp.*(?:gam|del)'), segment)]).toEqual([0, 1, 2, 3]);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('of random patterns contain every block that contains what they require', () => {
    const random = createRandom(7);
    const regexes = Array.from({ length: 300 }, () => randomRegex(random));
    const texts = regexes.map((regex) => `${randomLine(regex, random)}\n${randomLine(regex, random)}`);
    const segment = segmentOf(texts);
    for (const { source } of regexes) {
      const found = candidateBlocks(plan(source), segment);
      const missing = accepted(plan(source), texts).filter((at) => found !== 'all' && !found.includes(at));
      expect(missing, source).toEqual([]);
    }
  });
});
