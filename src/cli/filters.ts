import type { ParseArgsOptionsConfig } from 'node:util';
import { AppError } from '../base/errors.ts';
import type { ChunkFilter } from '../domain/chunk.ts';
import { agentSessionNamed, noSuchSession } from '../memory/sessions/agent-sessions.ts';
import { parseFilter } from '../recall/parse-filter.ts';
import type { RecallParts } from '../recall/with-index.ts';
import { type ParsedArgs, stringOf } from './command.ts';

const names = [
  'kind',
  'file',
  'folder',
  'concept',
  'agent',
  'session',
  'branch',
  'since',
  'until',
  'trust',
  'in',
] as const;

export const filterUsage =
  '[--kind K] [--file F] [--folder F] [--concept C] [--agent A] [--session S] [--branch B] [--since T] [--until T] [--trust N] [--in notes|prompts|sessions|all]';

export const filterOptions: ParseArgsOptionsConfig = Object.fromEntries(
  names.map((name) => [name, { type: 'string' }]),
);

export const filterFrom = (args: ParsedArgs, now: number): ChunkFilter =>
  parseFilter(Object.fromEntries(names.map((name) => [name, stringOf(args, name)])), now);

/** Resolves an abbreviated agent session id, as shown in results. */
export async function withSession(parts: RecallParts, filter: ChunkFilter): Promise<ChunkFilter> {
  if (filter.agentSession === undefined) return filter;
  const agentSession = await agentSessionNamed(parts, filter.agentSession);
  if (agentSession === undefined) throw noSuchSession(filter.agentSession);
  return { ...filter, agentSession };
}

/**
 * Parses an option whose value is a whole number. If it is not one, the error suggests `command` followed by the
 * option.
 */
export function wholeNumber(args: ParsedArgs, name: string, command?: string): number | undefined {
  const text = stringOf(args, name);
  if (text === undefined || /^\d{1,6}$/.test(text)) return text === undefined ? undefined : Number(text);
  throw new AppError('INVALID_ARGUMENT', `${name} must be a whole number, not ${text}`, {
    hint: `${command === undefined ? '' : `${command} `}--${name} 20`,
  });
}
