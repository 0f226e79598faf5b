import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Chunk } from '../../../src/domain/chunk.ts';
import { shortHitId } from '../../../src/recall/render.ts';
import type { Home } from '../../harness/home.ts';

/** The fields needed to compute the id under which a hit is shown. */
export type Shown = Pick<Chunk, 'id' | 'source' | 'sourceId'>;

/** The answer of an installed program: ids of the hits, or the error. */
export type Said = { ids: string[] } | { error: string };

/**
 * Longest question that is passed as a command-line argument. The system passes no NUL, no lone surrogate and no longer
 * argument to a program.
 */
const longestArgument = 100_000;
export const canBeTyped = (text: string): boolean =>
  text.trim() !== '' && !text.includes('\0') && text.isWellFormed() && text.length < longestArgument;

export function askCli(home: Home, text: string): Said {
  const { status, stdout, stderr } = home.cli('recall', '--json', '--limit', '20', '--', text);
  if (status !== 0) return { error: `exit ${status}: ${stdout}${stderr}`.slice(0, 300) };
  const { hits, arms } = JSON.parse(stdout) as { hits: Shown[]; arms: Record<string, string> };
  if (Object.values(arms).includes('failed')) return { error: `an arm failed: ${JSON.stringify(arms)}` };
  return { ids: hits.map(shortHitId) };
}

interface McpLine {
  id?: number;
  result?: { content?: { text: string }[]; isError?: boolean };
  error?: object;
}

/** Sends all questions to one server process, as an agent would, and returns the answers in order. */
export async function askMcp(home: Home, texts: readonly string[]): Promise<Said[]> {
  const calls = texts.map((query, at) => ({
    id: at + 1,
    method: 'tools/call',
    params: { name: 'recall', arguments: { query, limit: 20 } },
  }));
  const clientInfo = { name: 'query-fuzz', version: '1' };
  const requests = [
    { id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } },
    { method: 'notifications/initialized' },
    ...calls,
  ];
  const server = spawn(process.execPath, [home.program('main.js'), 'mcp'], {
    cwd: home.repo,
    env: home.env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  for (const request of requests) server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`);
  const answers = new Map<number | undefined, McpLine>();
  for await (const text of createInterface(server.stdout)) {
    const line = JSON.parse(text) as McpLine;
    answers.set(line.id, line);
    // Close stdin only after all responses have arrived.
    if (answers.size === calls.length + 1) server.stdin.end();
  }
  return texts.map((_, at) => saidIn(answers.get(at + 1)));
}

function saidIn(line: McpLine | undefined): Said {
  const text = line?.result?.content?.[0]?.text;
  if (line === undefined || text === undefined || line.result?.isError === true) {
    return { error: JSON.stringify(line ?? 'no answer').slice(0, 300) };
  }
  if (armFailed.test(text)) return { error: text.slice(0, 300) };
  return { ids: [...text.matchAll(/^\[([0-9a-f-]+)\] /gm)].map((match) => match[1] as string) };
}

/** Matches a failed search arm in the head of an answer, as in `(lexical failed, tail answered)`. */
const armFailed = /\((?:[a-z]+ [a-z]+, )*[a-z]+ failed(?:, [a-z]+ [a-z]+)*\)/;
