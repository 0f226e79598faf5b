import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { promptEvent } from '../../test/support/sample-event.ts';
import type { HookCall } from '../agents/agent.ts';
import { isoTime } from '../base/clock.ts';
import { homePaths } from '../base/paths.ts';
import {
  type PreludeLine,
  preludeMaxChars,
  preludeMaxEstimate,
  preludeText,
  writePrelude,
} from '../memory/prelude/prelude-file.ts';
import { createEventLog } from '../store/events/event-log.ts';
import { estimateTokens } from '../text/tokens.ts';
import { sessionStart } from './session-start.ts';

const home = mkdtempSync(join(tmpdir(), 'backstory-start-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
beforeEach(() => rmSync(home, { recursive: true, force: true }));

const paths = homePaths(home);
const now = Date.parse('2026-11-14T12:00:00Z');
const clock = { now: () => now };
const log = createEventLog(paths.project('p').events, clock);
const place = { project: 'p', name: 'shop', checkout: 'c', root: '/work', branch: 'main', head: 'h' };
const start = (more: Partial<HookCall> = {}): string =>
  sessionStart({ cause: 'startup', agentSession: 'own', ...more } as HookCall, place, log, { paths, clock });
const line = (text: string): PreludeLine => ({ section: 'Decided', text, reason: 'x' });
const store = (lines: PreludeLine[]) =>
  writePrelude(paths.project('p').prelude, { v: 1, position: {}, lines });
const ask = (text: string, secondsAgo: number, agentSession = 'other') =>
  log.append([promptEvent(text, { agentSession, at: isoTime(now - secondsAgo * 1_000) })]);
/** Ten lines that make the whole text as long as asked, in one of the two measures. */
function linesOf(
  size: number,
  measure: (text: string) => number,
  letter: string,
  news: string[],
): PreludeLine[] {
  const lines = Array.from({ length: 10 }, (_, at) => line(`${at}`));
  const missing = size - measure(preludeText(lines, news, 'shop'));
  return lines.map(({ text }, at) => line(text + letter.repeat(Math.floor((missing + at) / 10))));
}

describe('the prelude of a session that starts', () => {
  it('is empty if nothing is known', () => expect(start()).toBe(''));

  it('is whole up to its limit of characters, and beyond it loses as many lines as it must', () => {
    const long = (size: number) => linesOf(size, ({ length }) => length, 'x', []);
    store(long(preludeMaxChars));
    expect(start()).toHaveLength(preludeMaxChars);
    store(long(preludeMaxChars + 1));
    expect(start().match(/^- /gm)).toHaveLength(9);
    store(long(preludeMaxChars + 1_700));
    expect(start().match(/^- /gm)).toHaveLength(8);
  });

  it('is whole up to its limit of tokens, and loses lines for what happened since', () => {
    ask('look at the tests', 60);
    const news = ['2026-11-14 11:59 UTC you asked: look at the tests'];
    const long = (size: number) => linesOf(size, estimateTokens, '数', news);
    const told = () => start().match(/^- \d/gm)?.length;
    store(long(preludeMaxEstimate));
    expect(estimateTokens(start())).toBe(preludeMaxEstimate);
    // The news has a date in front.
    expect(told()).toBe(11);
    store(long(preludeMaxEstimate + 1));
    expect(told()).toBe(10);
    store(long(preludeMaxEstimate + 400));
    expect(told()).toBe(9);
    expect(start()).toContain('you asked: look at the tests');
  });

  it('is not measured again if nothing happened since it was rendered', () => {
    store(linesOf(preludeMaxEstimate + 50, estimateTokens, '数', []));
    expect(start().match(/^- /gm)).toHaveLength(10);
  });

  it('has the news even if no line fits beside it', () => {
    store([line('x'.repeat(preludeMaxChars))]);
    expect(start()).toBe('');
    ask('look at the tests', 60);
    expect(start()).toContain('you asked: look at the tests');
  });

  it.each(['resume', 'fork'])('has only what others did since the last answer, after a %s', (cause) => {
    store([line('decided.')]);
    expect(start({ cause })).toBe('');
    ask('one', 100);
    ask('two', 99, 'own');
    ask('three', 50);
    const news = start({ cause });
    expect(news).toContain('you asked: three');
    expect(news).not.toMatch(/asked: (?:one|two)|decided\./);
    expect(start({ cause, idleSeconds: 101 })).toMatch(/asked: one[\s\S]*asked: three/);
    expect(start({ cause, idleSeconds: 100.05 })).toContain('asked: one');
    expect(start({ cause, idleSeconds: 100 })).not.toContain('asked: one');
    expect(start({ cause, idleSeconds: 50 })).toBe('');
  });
});
