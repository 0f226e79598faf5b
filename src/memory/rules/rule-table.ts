import { readJson, writeJson } from '../../base/files.ts';
import type { Match } from '../../domain/match.ts';

export interface Rule {
  note: string;
  /** What the agent is told: the rule, when it was said, and its id. */
  line: string;
  isEnforced?: true;
  match: Match;
}

/** Derived from the notes. */
interface RuleTable {
  v: 2;
  rules: Rule[];
}

export function readRules(path: string): Rule[] {
  const table = readJson<RuleTable>(path);
  return table?.v === 2 ? table.rules : [];
}

export const writeRules = (path: string, rules: Rule[]): void =>
  writeJson(path, { v: 2, rules } satisfies RuleTable);
