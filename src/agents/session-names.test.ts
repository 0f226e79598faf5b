import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../base/sqlite.ts';
import type { KnownAgent } from '../domain/event.ts';
import { transcriptSources } from './transcripts.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'names-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const nameIn = (agent: KnownAgent, transcript: string) =>
  [
    ...(transcriptSources[agent]?.read(transcript, transcript, { offset: 0, turn: 't' }, (words) => words) ??
      []),
  ]
    .flatMap(({ observations }) => observations)
    .flatMap(({ kind, body }) => (kind === 'title' ? [body] : []));

const at = '2026-11-10T10:00:00Z';
const records: [KnownAgent, string, object[]][] = [
  [
    'codex',
    'rename',
    [
      { type: 'session_meta', timestamp: at, payload: { id: 's', cwd: '/w' } },
      {
        type: 'event_msg',
        timestamp: at,
        payload: { type: 'thread_name_updated', thread_id: 's', thread_name: 'Retries' },
      },
    ],
  ],
  ['gemini', 'agent', [{ sessionId: 's', startTime: at }, { $set: { summary: 'Retries' } }]],
  [
    'pi',
    'rename',
    [
      { type: 'session', id: 's', timestamp: at, cwd: '/w' },
      { type: 'session_info', id: 'e1', parentId: null, timestamp: at, name: 'Retries' },
    ],
  ],
  [
    'qwen',
    'agent',
    [
      {
        type: 'system',
        subtype: 'custom_title',
        uuid: 'u',
        sessionId: 's',
        timestamp: at,
        systemPayload: { customTitle: 'Retries', titleSource: 'auto' },
      },
    ],
  ],
  [
    'qwen',
    'rename',
    [
      {
        type: 'system',
        subtype: 'custom_title',
        uuid: 'u',
        sessionId: 's',
        timestamp: at,
        systemPayload: { customTitle: 'Retries', titleSource: 'manual' },
      },
    ],
  ],
  [
    'droid',
    'rename',
    [{ type: 'session_start', id: 's', title: 'Retries', cwd: '/w', isSessionTitleManuallySet: true }],
  ],
  [
    'grok',
    'agent',
    [
      {
        timestamp: 1,
        params: {
          _meta: { eventId: 'e' },
          update: { sessionUpdate: 'session_summary_generated', session_summary: 'Retries' },
        },
      },
    ],
  ],
];

it.each(records)('[session-title] of %s is read from its transcript (%s)', (agent, by, lines) => {
  const file = join(home, 'a', 's', agent === 'grok' ? 'updates.jsonl' : 'session.jsonl');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  expect(nameIn(agent, file)).toEqual([{ turn: expect.any(String), title: 'Retries', by }]);
});

it('[session-title] of Droid is not the beginning of the first prompt, with which Droid fills it in', () => {
  const file = join(home, 'session.jsonl');
  const start = { type: 'session_start', id: 's', title: 'please change it', cwd: '/w' };
  writeFileSync(file, `${JSON.stringify({ ...start, isSessionTitleManuallySet: false })}\n`);
  expect(nameIn('droid', file)).toEqual([]);
});

it.each(['opencode', 'kilo'] as const)(
  '[session-title] of %s is in its database, unless it has none yet',
  (agent) => {
    const file = join(home, `${agent}.db`);
    const database = openDatabase(file, {});
    database.exec(`create table session (id text, parent_id text, directory text, title text, time_created integer, time_updated integer);
    create table message (id text, session_id text, time_created integer, time_updated integer, data text);
    insert into session values ('ses_1', null, '/w', 'Retries', 1, 2), ('ses_2', null, '/w', 'New session - 2026-11-10T10:00:00.000Z', 1, 2)`);
    database.close();
    expect(nameIn(agent, `${file}#ses_1`)).toEqual([{ turn: 't', title: 'Retries', by: 'agent' }]);
    expect(nameIn(agent, `${file}#ses_2`)).toEqual([]);
  },
);
