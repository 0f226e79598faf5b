import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { hashId } from '../../../src/base/hash.ts';
import type { Prose } from '../../harness/prose.ts';
import type { Random } from '../../harness/random.ts';

export interface Turn {
  id: string;
  prompt: string;
  answer: string;
}

/** A transcript like those of Claude Code that grows turn by turn. */
export interface GrowingTranscript {
  path: string;
  session: string;
  addTurn(random: Random): Turn;
  /** Leaves the first record of the next turn half written. A reader can find a transcript in this state. */
  writeHalf(): void;
  /** Ids that the log must contain exactly once. */
  expected: { prompts: string[]; answers: string[]; tools: string[] };
}

/** The id of an event is the hash of the agent and its own record id. */
const recordId = (nativeId: string): string => hashId('claude-code', nativeId);

const session = 'a0000000-0000-4000-8000-000000000001';

export function createTranscript(path: string, cwd: string, prose: Prose): GrowingTranscript {
  mkdirSync(dirname(path), { recursive: true });
  const expected: GrowingTranscript['expected'] = { prompts: [], answers: [], tools: [] };
  let turns = 0;
  let parentUuid: string | null = null;
  let unwritten = '';
  const record = (uuid: string, turn: string, fields: object): string => {
    const line = `${JSON.stringify({
      parentUuid,
      isSidechain: false,
      cwd,
      sessionId: session,
      version: '2.1.325',
      gitBranch: 'main',
      promptId: turn,
      uuid,
      timestamp: new Date(Date.UTC(2026, 10, 1) + turns * 60_000).toISOString(),
      ...fields,
    })}\n`;
    parentUuid = uuid;
    return line;
  };
  const flush = (lines: string): void => {
    appendFileSync(path, unwritten + lines);
    unwritten = '';
  };
  return {
    path,
    session,
    expected,
    addTurn(random) {
      const number = turns++;
      const id = `turn-${number}`;
      const prompt = `Question ${number}. ${prose.take(random.size(100, 4_000), random)}`.trim();
      const answer = `Answer ${number}. ${prose.take(random.size(100, 20_000), random)}`.trim();
      const tool = `tool-${number}`;
      flush(
        [
          record(`prompt-${number}`, id, { type: 'user', message: { role: 'user', content: prompt } }),
          record(`use-${number}`, id, {
            type: 'assistant',
            message: {
              id: `message-${number}`,
              role: 'assistant',
              content: [
                { type: 'tool_use', id: tool, name: 'Bash', input: { command: `npm test ${number}` } },
              ],
            },
          }),
          record(`result-${number}`, id, {
            type: 'user',
            message: {
              role: 'user',
              content: [{ type: 'tool_result', tool_use_id: tool, content: 'passed' }],
            },
            toolUseResult: { stdout: prose.take(random.size(20, 3_000), random), stderr: '' },
          }),
          record(`answer-${number}`, id, {
            type: 'assistant',
            message: { id: `last-${number}`, role: 'assistant', content: [{ type: 'text', text: answer }] },
          }),
        ].join(''),
      );
      expected.prompts.push(recordId(`prompt-${number}`));
      expected.tools.push(recordId(tool));
      expected.answers.push(recordId(`answer-${number}`));
      return { id, prompt, answer };
    },
    writeHalf() {
      if (unwritten !== '') return;
      const line = record(`half-${turns}`, `turn-${turns}`, { type: 'system', subtype: 'half' });
      appendFileSync(path, line.slice(0, 40));
      unwritten = line.slice(40);
    },
  };
}
