import { readJson, removeIfThere, writeJson } from '../../base/files.ts';
import type { Turn } from '../../distil/distiller.ts';
import type { KnownStatement, RecordEntry, SessionRecord } from '../../distil/session-record.ts';
import type { OpenProject } from '../projects/open-project.ts';
import { projectRedactor } from '../redact/project-redactor.ts';
import type { ConfirmRequest } from './confirm-statements.ts';

/**
 * The last answer of a model, with what it refers to. It is on disk from its arrival until its notes are stored. If the
 * process is killed in between, the next one applies it, and the call is not paid twice.
 */
export interface PendingAnswer {
  agentSession: string;
  attempt: string;
  run?: string;
  text: string;
  /** The items that were compared; absent if a session was read. */
  items?: ConfirmRequest['items'];
  entries?: [id: string, Omit<RecordEntry, 'turn'> & { turn: string }][];
  statements?: [id: string, KnownStatement][];
}

/** What an answer refers to, as it is stored. The turns themselves are in the log. */
export const referencesOf = ({
  entries,
  statements,
}: SessionRecord): Pick<PendingAnswer, 'entries' | 'statements'> => ({
  entries: [...entries].map(([id, entry]) => [id, { ...entry, turn: entry.turn.id }]),
  statements: [...statements],
});

/** The record of the session that an answer refers to, without its text. */
export function recordOf({ entries = [], statements }: PendingAnswer, turns: Turn[]): SessionRecord {
  const byId = new Map(turns.map((turn) => [turn.id, turn]));
  const found = entries.flatMap(([id, entry]): [string, RecordEntry][] => {
    const turn = byId.get(entry.turn);
    return turn === undefined ? [] : [[id, { ...entry, turn }]];
  });
  return { text: '', entries: new Map(found), statements: new Map(statements) };
}

export const savePending = (parts: OpenProject, pending: PendingAnswer): void =>
  writeJson(pathIn(parts), { v: 1, ...pending, text: projectRedactor(parts).redact(pending.text) });

export const readPending = (parts: OpenProject): PendingAnswer | undefined =>
  readJson<PendingAnswer>(pathIn(parts));

/** Also called by `forget`, because the answer may repeat what is forgotten. */
export const removePending = (parts: OpenProject): boolean => removeIfThere(pathIn(parts));

const pathIn = ({ paths, project }: OpenProject): string => paths.project(project).pendingAnswer;
