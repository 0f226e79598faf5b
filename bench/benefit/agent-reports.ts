import type { Ended } from './run-program.ts';

/** What one run of the agent, from a prompt to the end of its answer, did by its own report. */
export interface AgentRun {
  session: string;
  /** All input tokens, those from the provider's cache included. */
  tokensIn: number;
  tokensCached: number;
  tokensOut: number;
  costUsd: number;
  calls: ToolCall[];
  /** Empty if the agent ended by itself without an error. */
  problem: string;
}

export interface ToolCall {
  tool: string;
  input: string;
  isFailed: boolean;
}

export const timeLimitProblem = 'time limit';

const problemOf = ({ code, isTimedOut, stdout, stderr }: Ended, said = ''): string =>
  isTimedOut
    ? timeLimitProblem
    : code === 0
      ? said
      : `exit ${code}: ${said || (stderr.trim() || stdout.trim()).slice(-300)}`;

/** The records of an output with one JSON object per line; other lines are skipped. */
const recordsOf = (output: string): Json[] =>
  output.split('\n').flatMap((line) => {
    try {
      return line.startsWith('{') ? [JSON.parse(line) as Json] : [];
    } catch {
      // The last line of a killed program may be cut off.
      return [];
    }
  });

// biome-ignore lint/suspicious/noExplicitAny: output of another program, read field by field with defaults
type Json = any;

/** Reads the output of `claude -p --output-format stream-json`. */
export function readClaude(ended: Ended): AgentRun {
  const records = recordsOf(ended.stdout);
  const result = records.findLast(({ type }) => type === 'result');
  const blocks: Json[] = records
    .flatMap(({ message }) => message?.content ?? [])
    .filter((block) => typeof block === 'object');
  const failed = new Set(blocks.filter((block) => block.is_error).map((block) => block.tool_use_id));
  // Without a result, at the time limit, the messages are added up.
  const messages = new Map(records.map(({ message }) => [message?.id, message?.usage ?? {}]));
  const usages: Json[] = result === undefined ? [...messages.values()] : [result.usage ?? {}];
  const sum = (field: string): number => usages.reduce((total, usage) => total + (usage[field] ?? 0), 0);
  const cached = sum('cache_read_input_tokens');
  return {
    session: result?.session_id ?? records.find(({ session_id: id }) => id !== undefined)?.session_id ?? '',
    tokensIn: sum('input_tokens') + sum('cache_creation_input_tokens') + cached,
    tokensCached: cached,
    tokensOut: sum('output_tokens'),
    costUsd: result?.total_cost_usd ?? 0,
    // A message that is streamed in parts is reported once for each part.
    calls: [
      ...new Map(blocks.filter(({ type }) => type === 'tool_use').map((block) => [block.id, block])).values(),
    ].map(({ id, name, input }) => ({ tool: name, input: JSON.stringify(input), isFailed: failed.has(id) })),
    problem: problemOf(ended, result?.is_error === true ? String(result.result ?? result.subtype) : ''),
  };
}

const codexTools: Record<string, (item: Json) => Omit<ToolCall, 'isFailed'>> = {
  command_execution: ({ command }) => ({ tool: 'shell', input: String(command) }),
  file_change: ({ changes }) => ({ tool: 'apply_patch', input: JSON.stringify(changes) }),
  mcp_tool_call: ({ server, tool, arguments: given }) => ({
    tool: `mcp__${server}__${tool}`,
    input: JSON.stringify(given ?? {}),
  }),
  web_search: ({ query }) => ({ tool: 'web_search', input: String(query) }),
};

/** Reads the output of `codex exec --json`. */
export function readCodex(ended: Ended): AgentRun {
  const records = recordsOf(ended.stdout);
  const usages = records.filter(({ type }) => type === 'turn.completed').map(({ usage }) => usage ?? {});
  const sum = (field: string): number => usages.reduce((total, usage) => total + (usage[field] ?? 0), 0);
  const failed = records.find(({ type }) => type === 'turn.failed')?.error?.message ?? '';
  return {
    session: records.find(({ type }) => type === 'thread.started')?.thread_id ?? '',
    tokensIn: sum('input_tokens'),
    tokensCached: sum('cached_input_tokens'),
    tokensOut: sum('output_tokens'),
    costUsd: 0,
    calls: records
      .filter(({ type }) => type === 'item.completed')
      .flatMap(({ item }) => {
        const call = codexTools[item?.type]?.(item);
        return call === undefined ? [] : [{ ...call, isFailed: item.status === 'failed' }];
      }),
    problem: problemOf(ended, failed),
  };
}
