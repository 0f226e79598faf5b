import type { ParseArgsOptionsConfig } from 'node:util';
import { AppError } from '../base/errors.ts';
import type { ChunkFilter, ChunkKind } from '../domain/chunk.ts';
import type { AgentName, Trust } from '../domain/event.ts';
import { type Given, stringOf } from './command.ts';

export const filterOptions: ParseArgsOptionsConfig = {
  kind: { type: 'string' },
  file: { type: 'string' },
  folder: { type: 'string' },
  concept: { type: 'string' },
  agent: { type: 'string' },
  session: { type: 'string' },
  branch: { type: 'string' },
  since: { type: 'string' },
  until: { type: 'string' },
  trust: { type: 'string' },
};

export function filterFrom(given: Given, now: number): ChunkFilter {
  const kind = stringOf(given, 'kind');
  const file = stringOf(given, 'file');
  const folder = stringOf(given, 'folder');
  const concept = stringOf(given, 'concept');
  const agent = stringOf(given, 'agent');
  const agentSession = stringOf(given, 'session');
  const branch = stringOf(given, 'branch');
  const since = stringOf(given, 'since');
  const until = stringOf(given, 'until');
  const trust = stringOf(given, 'trust');
  return {
    ...(kind === undefined
      ? {}
      : { kinds: kind.split(',').map((name) => (name === 'bugfix' ? 'fix' : name)) as ChunkKind[] }),
    ...(file === undefined ? {} : { file }),
    ...(folder === undefined ? {} : { folder }),
    ...(concept === undefined ? {} : { concept }),
    ...(agent === undefined ? {} : { agent: agentName(agent) }),
    ...(agentSession === undefined ? {} : { agentSession }),
    ...(branch === undefined ? {} : { branch }),
    ...(since === undefined ? {} : { since: moment(since, now) }),
    ...(until === undefined ? {} : { until: moment(until, now) }),
    ...(trust === undefined ? {} : { minTrust: trustOf(trust) }),
  };
}

/** Either spelling of an agent works. */
export const agentName = (name: string): AgentName =>
  name === 'claude' ? 'claude-code' : (name as AgentName);

const unitMs: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** `90m`, `2h`, `3d`, `1w`, in milliseconds. */
export function durationMs(text: string): number | undefined {
  const match = /^(\d+)([mhdw])$/.exec(text);
  return match === null ? undefined : Number(match[1]) * (unitMs[match[2] as string] as number);
}

/** A date, or how long ago: `3d`. */
function moment(text: string, now: number): number {
  const ago = durationMs(text);
  if (ago !== undefined) return now - ago;
  const date = Date.parse(text);
  if (!Number.isNaN(date)) return date;
  throw new AppError('INVALID_ARGUMENT', `${text} is neither a date nor a length of time`, {
    hint: 'use 2026-11-01 or 3d',
  });
}

function trustOf(text: string): Trust {
  if (/^[0-3]$/.test(text)) return Number(text) as Trust;
  throw new AppError('INVALID_ARGUMENT', `trust is 0, 1, 2 or 3, not ${text}`, {
    hint: 'backstory recall --trust 2 "…"',
  });
}
