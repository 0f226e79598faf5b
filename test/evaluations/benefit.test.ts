import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readClaude, readCodex } from '../../bench/benefit/agent-reports.ts';
import { decisionPhrases } from '../../bench/benefit/decision-phrases.ts';
import { readTasks, type TaskSet } from '../../bench/benefit/read-tasks.ts';
import { openResults, type ResultRow, summaryOf } from '../../bench/benefit/results.ts';
import { toldIn } from '../../bench/benefit/told.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'backstory-benefit-test-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const row = (changes: Partial<ResultRow>): ResultRow => ({
  agent: 'claude',
  model: 'm',
  task: 't',
  arm: 'with',
  run: 1,
  source: 'conversation',
  isSolved: true,
  isSolvedAtFirstTry: true,
  corrections: 0,
  tokensIn: 100,
  tokensCached: 0,
  tokensOut: 10,
  costUsd: 0,
  toolCalls: 3,
  recalls: 1,
  told: {},
  decisionToldBy: [],
  leaks: 0,
  seconds: 1,
  problem: '',
  ...changes,
});

const jsonLines = (...records: object[]): string =>
  records.map((record) => JSON.stringify(record)).join('\n');
const ended = (stdout: string) => ({ stdout, stderr: '', code: 0, isTimedOut: false });

describe('the benefit evaluation', () => {
  it('counts what was told by source, each text once, and by which the decision came', () => {
    const transcripts = join(folder, '.claude/projects/p');
    mkdirSync(transcripts, { recursive: true });
    const prelude =
      '<backstory-memory-12345678 project="p">\nIntro\n\nRules:\n- one\n- two\n</backstory-memory-12345678>';
    const rule = '<backstory-memory>This call goes against the rule "no npm".</backstory-memory>';
    const reminder = '<backstory-memory>Call remember.</backstory-memory>';
    const recall =
      '<backstory-memory-87654321 kind="recall">\n2 hits.\n[0123abcd] prompt\n  the cut-off is 14:40\n[4567abcd] answer\n</backstory-memory-87654321>';
    const prompt = '<backstory-memory-11111111 kind="prompt">\nHead\n- three\n</backstory-memory-11111111>';
    writeFileSync(
      join(transcripts, 's.jsonl'),
      jsonLines(
        { attachment: { content: [prelude] } },
        { copy: { text: `before ${prelude} after` } },
        { message: { content: [{ text: recall }, { text: rule }] } },
        { text: `${prompt}\n${reminder}` },
      ),
    );
    expect(toldIn({ home: folder }, ['cut-off is 14:40'])).toEqual({
      counts: { prelude: 2, recall: 2, rules: 1, prompt: 1 },
      decisionToldBy: ['recall'],
    });
  });

  it('knows a decision by words that only its chat has', () => {
    const { tasks, decoys } = readTasks('bench/benefit/sample-tasks') as TaskSet;
    const [task] = tasks;
    const phrases = task === undefined ? [] : decisionPhrases(task, decoys);
    expect(phrases).toContain('cut-off for same-day dispatch is 14:40,');
    expect(phrases.filter((phrase) => task?.bugReport.includes(phrase))).toEqual([]);
  });

  it('does not run a trial again that is in the results file', () => {
    const path = join(folder, 'results.json');
    openResults(path).add(row({ corrections: 2 }));
    const key = { agent: 'claude', model: 'm', task: 't', arm: 'with', run: 1 };
    expect(openResults(path).find(key)).toMatchObject({ corrections: 2 });
    expect(openResults(path).find({ ...key, run: 2 })).toBeUndefined();
  });

  it('summarises by arm and source, without trials in which the agent looked into the tasks', () => {
    const summary = summaryOf([
      row({ corrections: 1, isSolvedAtFirstTry: false }),
      row({ source: 'history' }),
      row({ arm: 'without', corrections: 4, leaks: 1 }),
    ]);
    expect(summary).toMatchObject({
      'claude with: n': 2,
      'claude with: first try': 0.5,
      'claude with, history: corrections': 0,
      'left out': 1,
    });
    expect(summary['claude without: n']).toBeUndefined();
  });

  it('reads tokens and tool calls from the reports of the agents, also of one that was killed', () => {
    const call = { type: 'tool_use', id: 'a', name: 'Bash', input: { command: 'ls' } };
    const message = { id: 'm1', usage: { input_tokens: 5, output_tokens: 2 }, content: [call] };
    const failed = { message: { content: [{ type: 'tool_result', tool_use_id: 'a', is_error: true }] } };
    const said = { type: 'assistant', session_id: 's', message };
    expect(
      readClaude({ ...ended(`${jsonLines(said, said, failed)}\n{"type":`), isTimedOut: true }),
    ).toMatchObject({
      session: 's',
      tokensIn: 5,
      tokensOut: 2,
      calls: [{ tool: 'Bash', isFailed: true }],
      problem: 'time limit',
    });
    const output = jsonLines(
      { type: 'thread.started', thread_id: 't' },
      { type: 'item.completed', item: { type: 'command_execution', command: 'ls', status: 'completed' } },
      { type: 'item.completed', item: { type: 'agent_message', text: 'Done.' } },
      { type: 'turn.completed', usage: { input_tokens: 7, cached_input_tokens: 3, output_tokens: 4 } },
    );
    expect(readCodex(ended(output))).toMatchObject({
      session: 't',
      tokensIn: 7,
      tokensCached: 3,
      tokensOut: 4,
      calls: [{ tool: 'shell', isFailed: false }],
      problem: '',
    });
  });
});
