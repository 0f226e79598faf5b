import { type Json, parseObject, text } from '../base/json.ts';
import { mentionsRateLimit, type ProgramRunner, runForObject } from './run-program.ts';
import { anthropicUsage, type Usage, type Writer } from './write.ts';

/** Alias of Anthropic's small model, which is good enough for note extraction. */
const smallModel = 'haiku';

/** The user's own Claude Code with their login. It runs without tools, hooks, MCP servers or skills, and stores no session. */
export function connectClaude(
  runner: ProgramRunner,
  { program, model }: { program: string; model: string },
): Writer {
  return {
    provider: 'claude',
    model: model || smallModel,
    async write({ instructions, data, maxTokens }, signal) {
      const args = [
        '-p',
        ...['--output-format', 'json'],
        ...['--model', model || smallModel],
        ...['--system-prompt', instructions],
        ...['--tools', ''],
        ...['--settings', '{"disableAllHooks":true}'],
        '--strict-mcp-config',
        ...['--mcp-config', '{"mcpServers":{}}'],
        '--disable-slash-commands',
        '--no-session-persistence',
      ];
      const env = {
        CLAUDE_CODE_MAX_OUTPUT_TOKENS: String(maxTokens),
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      };
      const call = { name: 'Claude Code', program, args, input: data, env, maxTokens, isRefusal };
      const answer = await runForObject(runner, call, signal);
      return { text: text(answer.result), claimed: claimedIn(answer) };
    },
  };
}

const claimedIn = ({ usage, total_cost_usd: usd }: Json): Partial<Usage> => ({
  ...anthropicUsage(usage),
  ...(typeof usd === 'number' && Number.isFinite(usd) ? { usd } : {}),
});

/** If the subscription limit is reached, Claude Code prints an error result with zero usage. */
function isRefusal(printed: string): boolean {
  const answer = parseObject(printed);
  if (answer === undefined || answer.is_error !== true || !mentionsRateLimit(text(answer.result)))
    return false;
  return Object.values(claimedIn(answer)).every((amount) => amount === 0);
}
