import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { claudeProjectFolder } from '../../src/agents/claude-code/transcript.ts';
import type { Sandbox } from './sandbox.ts';

const turns: [prompt: string, answer: string][] = [
  [
    'We decided to keep retries in Postgres instead of Redis, because Redis lost jobs on failover. Change queue.js.',
    'Retries are in Postgres now.',
  ],
  ['The login page needs a link to reset the password.', 'Added the link below the form.'],
  ['Why is the build slow since Monday?', 'The type checker runs twice. I removed one run.'],
  ['Rename the worker to runner, and its tests too.', 'Renamed in 14 files.'],
  ['Use pnpm in this project, never npm.', 'Understood.'],
];
export const pastSessionCount = 24;

/** Writes transcripts as Claude Code does, of sessions in the sandbox's repository. */
export function writePastSessions(sandbox: Sandbox): void {
  const folder = claudeProjectFolder(join(sandbox.home, '.claude'), sandbox.repo);
  mkdirSync(folder, { recursive: true });
  for (let at = 0; at < pastSessionCount; at++) {
    const sessionId = `session-${at}`;
    const common = { sessionId, cwd: sandbox.repo, version: '2.1.325', isSidechain: false };
    const [prompt, answer] = turns[at === 0 ? 0 : 1 + (at % (turns.length - 1))] as [string, string];
    const timestamp = new Date(Date.UTC(2026, 9, 1 + at)).toISOString();
    const records = [
      {
        ...common,
        type: 'user',
        uuid: `${sessionId}-u`,
        promptId: `${sessionId}-p`,
        promptSource: 'typed',
        timestamp,
        message: { role: 'user', content: prompt },
      },
      {
        ...common,
        type: 'assistant',
        uuid: `${sessionId}-a`,
        parentUuid: `${sessionId}-u`,
        timestamp,
        message: { id: `m-${sessionId}`, role: 'assistant', content: [{ type: 'text', text: answer }] },
      },
    ];
    writeFileSync(
      join(folder, `${sessionId}.jsonl`),
      records.map((record) => `${JSON.stringify(record)}\n`).join(''),
    );
  }
}
