import { AppError } from '../base/errors.ts';
import type { ChunkFilter, ChunkKind } from '../domain/chunk.ts';
import { type AgentName, type Trust, trustNames } from '../domain/event.ts';
import { noteKinds } from '../domain/note.ts';
import { observationTypes, typeAliases } from '../domain/observation.ts';
import { givenWordings, type RecallQuery } from './hit.ts';
import { lastWorkQuestion } from './question.ts';

/** A filter as text, as users and agents write it. CLI, MCP and HTTP all parse it here. */
export interface FilterText {
  /** Comma-separated. */
  kind?: string | undefined;
  file?: string | undefined;
  folder?: string | undefined;
  concept?: string | undefined;
  topic?: string | undefined;
  agent?: string | undefined;
  session?: string | undefined;
  branch?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  trust?: string | undefined;
  in?: string | undefined;
}

/** `Given`, unless it has a field that `Known` lacks. That does not compile, because nothing would read the field. */
export type Exact<Known, Given> = Given & { [Name in Exclude<keyof Given, keyof Known>]: never };

/** How each field is read. The kinds of `kind` replace those of `in`. */
const readers: { [Name in keyof FilterText]-?: (text: string, now: number) => ChunkFilter } = {
  in: scopeOf,
  kind: (text) => ({ kinds: kindsOf(text) }),
  file: (file) => ({ file }),
  folder: (folder) => ({ folder }),
  concept: (concept) => ({ concept }),
  topic: (topic) => (topic.trim() === '' ? {} : { topic: topic.trim() }),
  agent: (agent) => ({ agent: agentName(agent) }),
  session: (session) => ({ agentSession: session }),
  branch: (branch) => ({ branch }),
  since: (since, now) => ({ since: momentOf(since, now) }),
  until: (until, now) => ({ until: momentOf(until, now) }),
  trust: (trust) => ({ minTrust: trustOf(trust) }),
};

export function parseFilter<Given extends FilterText>(
  given: Exact<FilterText, Given>,
  now: number,
): ChunkFilter {
  const words: FilterText = given;
  const names = Object.keys(readers) as (keyof FilterText)[];
  return Object.assign(
    {},
    ...names.map((name) => words[name] !== undefined && readers[name](words[name], now)),
  );
}

/** The first wording given is the text. Without one, and without a filter, asks for the last work or fails with `hint`. */
export function questionOf(
  { text = '', wordings = [] }: { text?: string | undefined; wordings?: string[] | undefined },
  filter: object,
  /** Of the error about a request without a question and filter. Without a hint, it asks for the last work. */
  hint?: string,
): Pick<RecallQuery, 'text' | 'wordings'> {
  const [first = '', ...others] = givenWordings([text, ...wordings]);
  if (first === '' && Object.keys(filter).length === 0) {
    if (hint === undefined) return { text: lastWorkQuestion };
    throw new AppError('INVALID_QUERY', 'no question and no filter given', { hint });
  }
  return { text: first, ...(others.length === 0 ? {} : { wordings: others }) };
}

const scopes = new Map<string, ChunkFilter>([
  ['notes', { source: 'note' }],
  ['prompts', { source: 'event', kinds: ['prompt'] }],
  ['observations', { observations: true }],
  ['sessions', { source: 'event' }],
  ['all', {}],
]);

function scopeOf(scope: string): ChunkFilter {
  const filter = scopes.get(scope);
  if (filter !== undefined) return filter;
  throw new AppError('INVALID_ARGUMENT', `unknown scope ${scope}`, {
    hint: `use one of: ${[...scopes.keys()].join(', ')}`,
  });
}

/** Kinds that recall can filter by. Events of other kinds have no searchable text. */
export const filterKinds: readonly ChunkKind[] = [
  ...new Set([...noteKinds, ...observationTypes, 'prompt', 'answer', 'edit', 'command', 'commit'] as const),
];

export const kindNames = (text: string): ChunkKind[] =>
  text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => typeAliases[name] ?? name) as ChunkKind[];

function kindsOf(text: string): ChunkKind[] {
  const names = kindNames(text);
  const unknown = names.find((name) => !filterKinds.includes(name));
  // A mistyped kind must not look like an empty result.
  if (unknown !== undefined || names.length === 0) {
    throw new AppError('INVALID_ARGUMENT', `unknown kind ${unknown ?? `"${text}"`}`, {
      hint: `use one or more of: ${filterKinds.join(', ')}`,
    });
  }
  return names;
}

export const agentName = (name: string): AgentName =>
  name === 'claude' ? 'claude-code' : (name as AgentName);

const unitMs: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Parses `90m`, `2h`, `3d` or `1w` to milliseconds. */
export function durationMs(text: string): number | undefined {
  const match = /^(\d+)([mhdw])$/.exec(text);
  return match === null ? undefined : Number(match[1]) * (unitMs[match[2] as string] as number);
}

export function momentOf(text: string, now: number): number {
  const ago = durationMs(text);
  if (ago !== undefined) return now - ago;
  // A local day begins at midnight, whatever the length of the day before.
  const daysBack = ['today', 'yesterday'].indexOf(text.toLowerCase());
  if (daysBack !== -1) {
    const day = new Date(now);
    return new Date(day.getFullYear(), day.getMonth(), day.getDate() - daysBack).getTime();
  }
  // Date.parse would read a bare "3" as a month of 2001.
  // A day without a time is a day here; Date.parse would read it as one in UTC.
  const local = /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00` : text;
  const date = /^\d{1,3}$/.test(text) ? Number.NaN : Date.parse(local);
  if (!Number.isNaN(date)) return date;
  throw new AppError('INVALID_ARGUMENT', `${text} is neither a date nor a duration`, {
    hint: 'use 2026-11-01, 3d or yesterday',
  });
}

function trustOf(text: string): Trust {
  const level = (trustNames as readonly string[]).indexOf(text);
  if (level !== -1) return level as Trust;
  throw new AppError('INVALID_ARGUMENT', `trust is ${trustNames.join(', ')}, not ${text}`, {
    hint: 'backstory recall --trust approved "…"',
  });
}
