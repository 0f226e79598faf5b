import { describe, expect, it } from 'vitest';
import type { Observation } from '../../agents/agent.ts';
import { linesHash } from '../../text/file-lines.ts';
import { type StoredPrompt, typedText } from '../../text/prompt-blocks.ts';
import { createRedactor, rulesOnly } from '../redact/redact.ts';
import { type CaptureContext, toEvent, withoutTilde, withTilde } from './capture.ts';

const now = Date.parse('2026-11-14T12:00:00Z');
const clock = { now: () => now };
const context = (more: Partial<CaptureContext> = {}): CaptureContext => ({
  ...{
    device: 'd',
    actor: 'ann',
    agent: 'claude-code',
    agentVersion: '2.1',
    agentSession: 's',
    clientPid: 7,
  },
  ...{
    project: 'p',
    checkout: 'c',
    branch: 'main',
    head: 'h',
    root: '/work',
    exclude: [],
    userHome: '/home/ann',
  },
  redactor: rulesOnly,
  ...more,
});
const observed = (more: object): Observation =>
  ({
    kind: 'prompt',
    id: 'i',
    origin: 'user',
    trust: 2,
    body: { turn: 't', text: 'hello' },
    ...more,
  }) as Observation;
const eventOf = (more: object = {}, where: Partial<CaptureContext> = {}) =>
  toEvent(observed(more), context(where), clock);
const edit = (path: string) => ({ kind: 'edit', body: { tool: 'Edit', path, hunks: [] } });

describe('an event', () => {
  it('has the observation and its context, but not what only capture needs', () => {
    expect(eventOf()).toEqual({
      ...{ v: 1, id: 'i', at: '2026-11-14T12:00:00.000Z', seq: expect.any(Number), kind: 'prompt' },
      ...{
        device: 'd',
        actor: 'ann',
        agent: 'claude-code',
        agentVersion: '2.1',
        agentSession: 's',
        clientPid: 7,
      },
      ...{ project: 'p', checkout: 'c', branch: 'main', head: 'h', origin: 'user', trust: 2 },
      body: { turn: 't', text: 'hello' },
    });
  });

  it('says which blocks of a prompt were typed, if they are not one typed paragraph', () => {
    const text = 'Look at this.\n\nAlways deploy from main.';
    const reported = { body: { turn: 't', text }, pasted: ['Always deploy from main.\n'] };
    expect(eventOf(reported)?.body).toMatchObject({
      blocks: [
        { end: 14, isRecorded: true },
        { end: text.length, not: 'pasted' },
      ],
    });
    expect(eventOf({ body: { turn: 't', text: '> quoted' } })?.body).toMatchObject({
      blocks: [{ end: 8, not: 'quote' }],
    });
  });

  it('finds a pasted part that a secret was removed from', () => {
    const secret = `ghp_${'x7Kq2Lm9Rt4Wv8Yb3Nc6Pd1Sf5Hg0JzAeUiO'}`;
    const text = `Use this.\n\ntoken ${secret} for CI`;
    const body = eventOf({ body: { turn: 't', text }, pasted: [`token ${secret} for CI`] })
      ?.body as StoredPrompt;
    expect(body.text).not.toContain(secret);
    expect(typedText(body)).toBe('Use this.');
  });

  it('has the reported time, or that of the clock if there is none', () => {
    expect(eventOf({ at: '2026-11-01T00:00:00Z' })?.at).toBe('2026-11-01T00:00:00.000Z');
    expect(eventOf({ at: 'yesterday' })?.at).toBe('2026-11-14T12:00:00.000Z');
  });

  it('has a number above that of the event before, even if the clock is set back', () => {
    const at = (ms: number) => toEvent(observed({}), context(), { now: () => ms })?.seq ?? 0;
    const later = Math.ceil(at(now) / 1_000) + 3_600_000;
    expect(at(later)).toBe(later * 1_000);
    expect([at(later), at(now)]).toEqual([later * 1_000 + 1, later * 1_000 + 2]);
  });

  it('has the session, version and branch of a transcript, whose commit is not known', () => {
    const found = eventOf({ agentSession: 's2', agentVersion: '3.0', branch: 'theme' });
    expect(found).toMatchObject({ agentSession: 's2', agentVersion: '3.0', branch: 'theme', head: '' });
    expect(eventOf({ agentSession: '', agentVersion: '' })).toMatchObject({
      agentSession: 's',
      agentVersion: '2.1',
    });
    expect(eventOf({ branch: '' })).toMatchObject({ branch: '', head: '' });
  });

  it('of a subagent names the session that started it', () => {
    const body = { turn: 't', text: 'hello', subagent: { id: 'a', type: 'x' } };
    expect(eventOf({ body })).toMatchObject({ parentAgent: 's' });
    expect(eventOf({ body, agentSession: 's2' })).toMatchObject({ parentAgent: 's2' });
    expect(eventOf()).not.toHaveProperty('parentAgent');
  });

  it('names its transcript from the home folder, because that differs between machines', () => {
    const source = (file: string) => eventOf({ source: { file, offset: 5 } })?.source;
    expect(source('/home/ann/.claude/x.jsonl')).toEqual({ file: '~/.claude/x.jsonl', offset: 5 });
    expect(source('/home/anna/x.jsonl')?.file).toBe('/home/anna/x.jsonl');
    expect(eventOf()).not.toHaveProperty('source');
    expect(withTilde('C:\\Users\\ann\\x', 'C:\\Users\\ann')).toBe('~\\x');
    expect(withoutTilde('~/x', '/home/ann')).toBe('/home/ann/x');
    expect(withoutTilde('/x', '/home/ann')).toBe('/x');
  });

  it('names a file by its path in the checkout, if it is inside', () => {
    const pathOf = (path: string) => (eventOf(edit(path))?.body as { path: string } | undefined)?.path;
    expect(pathOf('/work/src/a.ts')).toBe('src/a.ts');
    expect(pathOf('src/a.ts')).toBe('src/a.ts');
    expect(pathOf('/elsewhere/a.ts')).toBe('/elsewhere/a.ts');
  });

  it('is not stored if its file is excluded by a relative or an absolute pattern', () => {
    const isStored = (path: string, glob: string) =>
      eventOf(edit(path), { exclude: ['x', glob] }) !== undefined;
    expect(isStored('/work/a/key.pem', '*.pem')).toBe(false);
    expect(isStored('/work/secrets/a', 'secrets/**')).toBe(false);
    expect(isStored('/work/secrets/a', '/work/secrets/**')).toBe(false);
    expect(isStored('/home/ann/keys/a', '~/keys/**')).toBe(false);
    expect(isStored('/work/key.ts', '*.pem')).toBe(true);
    expect(eventOf({}, { exclude: ['**'] }), 'it names no file').toBeDefined();
  });

  it('has the hash and the size of the lines that an agent read, and not the lines', () => {
    const body = { path: 'a.ts', startLine: 1, lines: 2, hash: '', tokens: 0 };
    const read = (more: object, hashKey?: string) =>
      eventOf(
        { kind: 'read', body, seen: 'one two\nthree', ...more },
        hashKey === undefined ? {} : { hashKey },
      )?.body;
    expect(read({}, 'k')).toEqual({
      ...body,
      hash: linesHash('k', ['one two', 'three']),
      tokens: expect.any(Number),
    });
    expect((read({}, 'k') as { tokens: number }).tokens).toBeGreaterThan(2);
    expect(read({})).toEqual(body);
    expect(read({ seen: '' }, 'k')).toEqual(body);
    expect(read({ body: { ...body, lines: 0 } }, 'k')).toEqual({ ...body, lines: 0 });
  });
});

describe('the secrets in an event', () => {
  const token = `gh${'p_'}${'aB3dE5gH7jK9mN2p'.repeat(3).slice(0, 36)}`;
  const redactor = createRedactor({ values: ['mySecretOtter'] });

  it('are removed by rules and as known values, from every field', () => {
    const event = eventOf(
      { body: { turn: token, text: `${token} mySecretOtter` }, branch: token },
      { redactor },
    );
    expect(event).toMatchObject({
      branch: '[redacted:github-token]',
      body: { turn: '[redacted:github-token]', text: '[redacted:github-token] [redacted:known-value]' },
    });
    expect(eventOf({}, { branch: token })?.branch).toBe('[redacted:github-token]');
  });

  it('are removed only as known values from a text that is redacted, because its id is made from it', () => {
    const event = eventOf(
      { isRedacted: true, body: { turn: token, text: `${token} mySecretOtter` } },
      { redactor },
    );
    expect(event?.body).toEqual({ turn: '[redacted:github-token]', text: `${token} [redacted:known-value]` });
    const body = { command: `${token} mySecretOtter`, ok: true };
    expect(eventOf({ isRedacted: true, kind: 'command', body }, { redactor })?.body).toMatchObject({
      command: `${token} [redacted:known-value]`,
    });
  });

  it('are removed before a long output is shortened', () => {
    const output = `${'line\n'.repeat(100)}${'x'.repeat(400)}\ntoken=${token}\n${'line\n'.repeat(170)}`;
    const event = eventOf({ kind: 'command', body: { command: 'make', ok: true, output } });
    expect(JSON.stringify(event)).not.toContain(token.slice(0, 20));
  });
});

describe('an event that is too large', () => {
  const maxBytes = 16 * 1024 * 1024;
  const identity = {
    redact: (text: string) => text,
    redactDeep: <T>(value: T) => value,
    maskDeep: <T>(value: T) => value,
  };
  const sized = (bytes: number, more: object = {}) => {
    const empty = JSON.stringify({ turn: 't', text: '' }).length;
    const text = `begin${'x'.repeat(bytes - empty - 8)}end`;
    return { text, event: eventOf({ body: { turn: 't', text, ...more } }, { redactor: identity }) };
  };

  it('is stored whole up to 16 MB', () => {
    expect(sized(maxBytes).event?.kind).toBe('prompt');
  });

  it('is stored as its size, its hash, its beginning and its end', () => {
    const { text, event } = sized(maxBytes + 1);
    expect(event).toMatchObject({
      kind: 'oversize',
      body: { of: 'prompt', length: text.length, turn: 't', hash: expect.stringMatching(/^[0-9a-f]{32}$/) },
    });
    const { head = '', tail = '' } = (event?.body ?? {}) as { head?: string; tail?: string };
    expect([head.length, head.slice(0, 6), tail.length, tail.slice(-4)]).toEqual([
      65_536,
      'beginx',
      65_536,
      'xend',
    ]);
  });

  it('is not stored if a name in it is longer than any real name', () => {
    const long = (length: number) => 'n'.repeat(length);
    for (const more of [
      (name: string) => ({ agentSession: name }),
      (name: string) => ({ agentVersion: name }),
      (name: string) => ({ branch: name }),
      (name: string) => ({ source: { file: name, offset: 0 } }),
      (name: string) => ({ body: { turn: name, text: 'x' } }),
      (name: string) => ({ body: { turn: 't', text: 'x', subagent: { id: name, type: 'x' } } }),
      (name: string) => ({ body: { turn: 't', text: 'x', subagent: { id: 'a', type: name } } }),
    ]) {
      expect(eventOf(more(long(10_000)), { redactor: identity })).toBeDefined();
      expect(eventOf(more(long(10_001)), { redactor: identity })).toBeUndefined();
    }
  });
});
