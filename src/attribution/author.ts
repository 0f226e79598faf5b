import { sha256Short } from '../base/hash.ts';
import { isObject, type Json } from '../base/json.ts';
import type { Edit } from '../domain/edit.ts';
import type { RecordKind } from '../git/authorship-log.ts';

/** Who wrote lines, as an authorship log names them: an attestation key and the record that it refers to. */
export interface Author {
  key: string;
  record: Json;
}

/** Marks records that we wrote, so that they can be corrected; those of others never are. */
const mark = { written_by: 'backstory' };

export const isOurs = ({ custom_attributes: attributes }: Json): boolean =>
  isObject(attributes) && attributes.written_by === mark.written_by;

/** The author of lines that a recorded edit wrote. No word of the session is in it, only its id. */
export function authorOf(
  { agent, agentSession, turn }: Edit,
  model: string | undefined,
  human: string,
): Author {
  const tool = agent === 'claude-code' ? 'claude' : agent;
  const hash = (text: string): string => sha256Short(text).slice(0, 14);
  return {
    // One trace for each turn. The standard wants a new one for each checkpoint, and equal runs must give equal notes.
    key: `s_${hash(`${tool}:${agentSession}`)}::t_${hash(`${agentSession}:${turn}`)}`,
    record: {
      agent_id: { tool, id: agentSession, model: model ?? 'unknown' },
      human_author: human,
      custom_attributes: mark,
    },
  };
}

export const isStandardKey = (key: string): boolean =>
  /^(?:s_[0-9a-f]{14}::t_[0-9a-f]{14}|h_[0-9a-f]{14}|[0-9a-f]{16})$/.test(key);

const maxTextLength = 500;
const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.slice(0, maxTextLength) : undefined;
const counts = ['total_additions', 'total_deletions', 'accepted_lines', 'overriden_lines'];

/** The fields of somebody's record that the standard knows, without messages; undefined if a required one is missing. */
export function standardRecord(kind: RecordKind, record: Json | undefined): Json | undefined {
  if (record === undefined) return undefined;
  if (kind === 'humans')
    return textIn(record.author) === undefined ? undefined : { author: textIn(record.author) };
  const { agent_id: agent, custom_attributes: attributes } = record;
  const [tool, id, model] = isObject(agent) ? [agent.tool, agent.id, agent.model].map(textIn) : [];
  if (tool === undefined || id === undefined || model === undefined) return undefined;
  const human = textIn(record.human_author);
  const texts = Object.entries(isObject(attributes) ? attributes : {}).filter(
    ([, value]) => typeof value === 'string',
  );
  return {
    agent_id: { tool, id, model },
    ...(human === undefined ? {} : { human_author: human }),
    ...(kind === 'sessions' ? {} : Object.fromEntries(counts.map((name) => [name, countIn(record[name])]))),
    ...(texts.length === 0 ? {} : { custom_attributes: Object.fromEntries(texts) }),
  };
}

const countIn = (value: unknown): number => (Number.isSafeInteger(value) ? Math.max(0, value as number) : 0);
