import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { HookEnvironment, Observation, TranscriptStep } from '../../../src/agents/agent.ts';
import { readClaudeHook } from '../../../src/agents/claude-code/hook.ts';
import { readCodexHook } from '../../../src/agents/codex/hook.ts';
import { readOtherHook } from '../../../src/agents/other-hooks.ts';
import { installableAgents } from '../../../src/agents/settings.ts';
import type { TranscriptSource } from '../../../src/agents/transcript-source.ts';
import { transcriptSources } from '../../../src/agents/transcripts.ts';
import { type Json, record, text } from '../../../src/base/json.ts';
import type { AgentName, EventEnvelope } from '../../../src/domain/event.ts';
import { type CaptureContext, toEvent } from '../../../src/memory/capture/capture.ts';
import { redact, rulesOnly } from '../../../src/memory/redact/redact.ts';
import { createMemoryHome, type MemoryHome } from '../../support/memory-home.ts';
import { claudeRecordings } from './claude-code.ts';
import { codexRecordings } from './codex.ts';
import { cursorRecordings } from './cursor.ts';
import { mutate, randomOf } from './mutate.ts';
import { openCodeRecordings, openCodeRows, writeDatabase } from './opencode.ts';
import { piRecordings } from './pi.ts';
import { homeRecordings } from './recorded-homes.ts';
import { type Played, type Recording, writeRecordedFile } from './recording.ts';

const recordings = [
  ...claudeRecordings,
  ...codexRecordings,
  ...openCodeRecordings,
  ...piRecordings,
  ...cursorRecordings,
  ...homeRecordings,
];

let memory: MemoryHome;
const homes: MemoryHome[] = [];
afterEach(() => {
  for (const home of homes.splice(0)) home.remove();
});

const play = (recording: Recording): Played => {
  memory = createMemoryHome();
  homes.push(memory);
  return recording.play({ home: memory.home, work: memory.work });
};

/** The events that remain after transcript records have replaced the hook events of the same turns. */
function live(events: EventEnvelope[]): EventEnvelope[] {
  const superseded = new Set(
    events.flatMap(({ body }) => ('supersedes' in body ? (body.supersedes ?? []) : [])),
  );
  const first = new Map(events.toReversed().map((event) => [event.id, event]));
  return [...first.values()].reverse().filter(({ id }) => !superseded.has(id));
}

const isSubagents = ({ body }: EventEnvelope): boolean => 'subagent' in body && body.subagent !== undefined;
const wordsOf = (events: EventEnvelope[], kind: 'prompt' | 'answer'): string[] =>
  events.flatMap((event) => (event.kind === kind && !isSubagents(event) ? [event.body.text] : [])).sort();

for (const recording of recordings) {
  const { agent, title } = recording;
  describe(`${agent}, ${title}`, () => {
    const capture = async (): Promise<EventEnvelope[]> => {
      const { calls } = play(recording);
      for (const call of calls) memory.hook(call);
      await memory.drain();
      return live(memory.events()).filter((event) => event.agent === agent);
    };

    it('[agents-contract] captures every turn once: prompts, answers, edits, commands, compactions, subagents', async () => {
      const events = await capture();
      expect(wordsOf(events, 'prompt')).toEqual([...recording.prompts].sort());
      expect(wordsOf(events, 'answer')).toEqual([...recording.answers].sort());
      const edits = events.flatMap((event) => (event.kind === 'edit' ? [event.body] : []));
      expect(edits.map(({ path }) => path).sort()).toEqual([...recording.edits].sort());
      expect(
        edits.every(({ hunks }) => hunks.some(({ added, removed }) => added.length + removed.length > 0)),
      ).toBe(true);
      const commands = events.flatMap((event) => (event.kind === 'command' ? [event.body] : []));
      expect(commands.map(({ command, ok, exit }) => ({ command, ok, exit }))).toEqual(
        recording.commands.map(({ command, ok, exit }) => ({ command, ok, exit })),
      );
      expect(events.filter(({ kind }) => kind === 'compaction')).toHaveLength(recording.compactions);
      for (const { type, kinds } of recording.subagents ?? []) {
        const own = events.filter((event) => 'subagent' in event.body && event.body.subagent?.type === type);
        expect(own.map(({ kind }) => kind).sort()).toEqual(kinds);
        expect(own.every(({ parentAgent, trust }) => parentAgent !== undefined && trust <= 1)).toBe(true);
      }
      const trusted = events.filter(({ trust }) => trust >= 2);
      expect(trusted.every(({ kind, origin }) => kind === 'prompt' && origin === 'user')).toBe(true);
    });

    it('[agents-own-words] never captures text that Backstory gave to the agent', async () => {
      const events = await capture();
      expect(events.filter(({ body }) => JSON.stringify(body).includes('backstory-memory'))).toEqual([]);
    });

    it('[agents-again] adds nothing when all hooks and transcripts are read again', async () => {
      const before = await capture();
      await memory.drain();
      const { calls } = recording.play({ home: memory.home, work: memory.work });
      for (const call of calls) memory.hook(call);
      await memory.drain();
      const after = live(memory.events()).filter((event) => event.agent === agent);
      const kept = (events: EventEnvelope[]) =>
        events
          .filter(({ kind }) => kind !== 'session')
          .map(({ id }) => id)
          .sort();
      expect(kept(after)).toEqual(kept(before));
    });
  });
}

const environment: HookEnvironment = {
  aiAgent: '',
  clientPid: 1,
  nowMs: 1,
  userHome: '/home',
  variables: {},
  redact,
};
const readHook = (agent: string, stdin: Json): { observations: Observation[] } => {
  if (agent === 'claude-code') return readClaudeHook(stdin, environment);
  if (agent === 'codex') return readCodexHook(stdin, environment);
  const isPlugin = ['opencode', 'pi'].includes(agent);
  return readOtherHook(isPlugin ? 'plugin' : (agent as AgentName), stdin, environment);
};
const perAgent = Number(process.env.BACKSTORY_MUTATIONS ?? 1_000);
const context: CaptureContext = {
  device: 'd',
  actor: 'a',
  agent: 'backstory',
  agentVersion: '',
  agentSession: '',
  clientPid: 0,
  project: 'p',
  checkout: 'c',
  branch: '',
  head: '',
  root: '/work',
  exclude: ['*.pem'],
  userHome: '/home',
  redactor: rulesOnly,
};
const store = (observations: Observation[]): void => {
  for (const observation of observations) JSON.stringify(toEvent(observation, context, { now: () => 0 }));
};
const readAll = (source: TranscriptSource, name: string): TranscriptStep[] => [
  ...source.read(name, name, { offset: 0, turn: '' }, redact),
];

const agents = [...new Set(recordings.map(({ agent }) => agent))];
for (const agent of agents) {
  const own = recordings.filter((recording) => recording.agent === agent);
  const seed = Date.now() % 1_000_000;

  describe(`${agent}, with records of another version`, () => {
    // The seed is not part of the name, so that a second run counts as the same test.
    it(`[agents-mutated] survives ${perAgent} mutated calls and as many mutated records`, ({
      onTestFailed,
    }) => {
      onTestFailed(() => console.error(`seed ${seed}`));
      const random = randomOf(seed);
      const pick = <T>(list: T[]): T => list[Math.floor(random() * list.length)] as T;
      const played = own.map((recording) => play(recording));
      const calls = played.flatMap((each) => each.calls);
      for (let at = 0; at < perAgent; at++) {
        const call = record(mutate(pick(calls), random));
        store(readHook(agent, call).observations);
      }
      const source = transcriptSources[agent as AgentName];
      if (source === undefined) return;
      const name = mutatedTranscript(agent, played, perAgent, random);
      const steps = name.flatMap((each) => readAll(source, each));
      expect(steps.length).toBeGreaterThan(0);
      for (const { observations } of steps) store(observations);
    });

    it('[agents-unknown] skips and counts records of unknown types', () => {
      const [recording] = own;
      const { transcripts } = play(recording as Recording);
      const source = transcriptSources[agent as AgentName];
      const [name] = transcripts;
      if (source === undefined || name === undefined) return;
      const known = readAll(source, name);
      expect(known.filter(({ unknown }) => unknown !== undefined)).toEqual([]);
      addUnknown(agent, name);
      const steps = readAll(source, name);
      expect(steps.filter(({ unknown }) => unknown?.includes('brand-new'))).toHaveLength(3);
      expect(steps.flatMap(({ observations }) => observations)).toHaveLength(
        known.flatMap(({ observations }) => observations).length,
      );
    });
  });
}

/** A transcript of mutated copies of recorded records, one of them torn. */
function mutatedTranscript(agent: string, played: Played[], count: number, random: () => number): string[] {
  const place = { home: join(memory.home, 'mutated'), work: memory.work };
  if (agent === 'opencode') {
    const rows = openCodeRows(place);
    const parts = rows.filter(({ table }) => table !== 'session');
    const mutated = Array.from({ length: count }, (_, at) => {
      const row = parts[Math.floor(random() * parts.length)] as Json;
      const data = JSON.stringify(mutate(JSON.parse(text(row.data)), random)) ?? '';
      return {
        ...row,
        id: `${text(row.id)}${at}`,
        data: random() < 0.05 ? data.slice(0, data.length / 2) : data,
      };
    });
    const file = writeDatabase(place, [...rows, ...mutated]);
    return rows.filter(({ table }) => table === 'session').map(({ id }) => `${file}#${text(id)}`);
  }
  if (agent === 'cline') {
    const messages = played.flatMap(({ transcripts }) => transcripts.flatMap(messagesOf));
    const mutated = Array.from({ length: count }, () =>
      mutate(messages[Math.floor(random() * messages.length)] as Json, random),
    );
    const path = join(place.home, 'mutated.messages.json');
    return [writeRecordedFile(path, JSON.stringify({ messages: mutated }))];
  }
  const lines = played.flatMap(({ transcripts }) =>
    transcripts.flatMap((file) => readFileSync(file, 'utf8').trim().split('\n')),
  );
  const mutated = Array.from({ length: count }, () => {
    const line = lines[Math.floor(random() * lines.length)] as string;
    const changed = JSON.stringify(mutate(JSON.parse(line), random)) ?? '';
    return random() < 0.05 ? changed.slice(0, changed.length / 2) : changed;
  });
  return [
    writeRecordedFile(join(place.home, 'rollout-mutated.jsonl'), `${lines[0]}\n${mutated.join('\n')}\n`),
  ];
}

/** The messages of a session of Cline. */
const messagesOf = (file: string): unknown[] =>
  (JSON.parse(readFileSync(file, 'utf8')) as { messages: unknown[] }).messages;

function addUnknown(agent: string, name: string): void {
  const strange = {
    type: 'brand-new',
    id: 'x1',
    uuid: 'u1',
    timestamp: '2026-11-14T23:00:00Z',
    payload: {},
    message: {},
  };
  if (agent === 'cline') {
    const unknown = Array.from({ length: 3 }, () => ({ role: 'brand-new' }));
    writeRecordedFile(name, JSON.stringify({ messages: [...messagesOf(name), ...unknown] }));
    return;
  }
  if (agent !== 'opencode') {
    appendFileSync(name, `${JSON.stringify(strange)}\n`.repeat(3));
    return;
  }
  const [file, session] = name.split('#') as [string, string];
  const [message] = openCodeRows({ home: memory.home, work: memory.work }).filter(
    (row) => row.table === 'message' && row.session_id === session,
  );
  const part = {
    table: 'part',
    message_id: message?.id,
    session_id: session,
    time_created: 1,
    time_updated: 1,
  };
  const rows = [1, 2, 3].map((at) => ({ ...part, id: `prt_new${at}`, data: JSON.stringify(strange) }));
  writeDatabase({ home: file.replace('/.local/share/opencode/opencode.db', ''), work: memory.work }, rows);
}

it('[agents-contract] is run on recordings of every agent', () => {
  // Kilo runs the adapter of OpenCode.
  expect([...agents, 'kilo'].sort()).toEqual([...installableAgents].sort());
});
