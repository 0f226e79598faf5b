import { describe, expect, it } from 'vitest';
import { sampleEvent } from '../../test/support/sample-event.ts';
import { unconfirmedConcept } from '../domain/chunk.ts';
import {
  type EventEnvelope,
  type Origin,
  type Trust,
  type Typist,
  typistOf,
  unconfirmed,
} from '../domain/event.ts';
import { chunksOfEvent } from './chunks.ts';

const prompt = (trust: Trust, origin: Origin, untyped?: string): EventEnvelope =>
  sampleEvent({ kind: 'prompt', trust, origin, body: { text: 'Use tabs.', ...(untyped && { untyped }) } });

describe('a prompt', () => {
  it.each([
    [2, 'user', undefined, 'person'],
    [1, 'unconfirmed', unconfirmed.notReported, 'unconfirmed'],
    [1, 'unconfirmed', unconfirmed.declined, 'unconfirmed'],
    // As older versions wrote it.
    [1, 'assistant', 'no hook reported it', 'unconfirmed'],
    [1, 'assistant', 'imported by an agent', 'unconfirmed'],
    [1, 'assistant', 'headless session', 'agent'],
    [1, 'assistant', 'started by claude-code (pid 4711)', 'agent'],
    [1, 'assistant', undefined, 'agent'],
    [1, 'user', undefined, 'agent'],
  ] satisfies [Trust, Origin, string | undefined, Typist][])(
    '[prompt-typed] of trust %i and origin %s, "%s", is the words of: %s',
    (trust, origin, untyped, typist) => {
      const event = prompt(trust, origin, untyped);
      expect(typistOf(event)).toBe(typist);
      for (const chunk of chunksOfEvent(event)) expect(typistOf(chunk)).toBe(typist);
    },
  );

  it('[prompt-typed] waits for a person until one was asked', () => {
    const waits = (untyped: string) =>
      chunksOfEvent(prompt(1, 'assistant', untyped)).map(({ concepts }) => concepts);
    expect(waits(unconfirmed.notReported)).toEqual([[unconfirmedConcept]]);
    expect(waits(unconfirmed.declined)).toEqual([[]]);
    expect(waits(unconfirmed.perhapsExpanded)).toEqual([[]]);
    expect(waits('headless session')).toEqual([[]]);
  });
});
