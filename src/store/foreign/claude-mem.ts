import { existsSync } from 'node:fs';
import { list, text } from '../../base/json.ts';
import { openDatabase } from '../../base/sqlite.ts';
import type { NoteKind } from '../../domain/note.ts';
import type { ForeignNote } from './foreign-note.ts';

const kinds: Record<string, NoteKind> = {
  bugfix: 'fix',
  decision: 'decision',
};

type Row = Record<string, unknown>;

/**
 * Reads observations and session summaries of one project, which claude-mem identifies by folder name. Its
 * tables have changed over time, so a missing column counts as empty. The file is opened read-only.
 */
export function readClaudeMem(file: string, projectNames: string[]): ForeignNote[] {
  if (!existsSync(file)) return [];
  const database = openDatabase(file, { readOnly: true, timeout: 2_000 });
  try {
    const rows = (table: string): Row[] => {
      const known = database
        .prepare(`select 1 from sqlite_master where type = 'table' and name = ?`)
        .get(table);
      const marks = projectNames.map(() => '?').join(', ');
      return known === undefined
        ? []
        : (database
            .prepare(`select * from ${table} where project in (${marks})`)
            .all(...projectNames) as Row[]);
    };
    return [
      ...rows('observations').map(fromObservation),
      ...rows('session_summaries').map(fromSummary),
    ].filter((note) => note.text !== '');
  } finally {
    database.close();
  }
}

function fromObservation(row: Row): ForeignNote {
  const facts = jsonList(row.facts);
  const parts = [
    text(row.subtitle),
    text(row.narrative) || text(row.text),
    ...facts.map((fact) => `- ${fact}`),
  ];
  return {
    key: `observation:${row.id}`,
    kind: kinds[text(row.type)] ?? 'fact',
    title: text(row.title) || text(row.subtitle) || 'Observation',
    text: [text(row.title), ...parts].filter((part) => part !== '').join('\n'),
    concepts: jsonList(row.concepts),
    files: [...new Set([...jsonList(row.files_modified), ...jsonList(row.files_read)])],
    created: isoOf(row),
  };
}

function fromSummary(row: Row): ForeignNote {
  const sections = ['request', 'investigated', 'learned', 'completed', 'next_steps', 'notes'];
  const parts = sections.flatMap((name) =>
    text(row[name]) === '' ? [] : [`${name.replace('_', ' ')}: ${text(row[name])}`],
  );
  return {
    key: `summary:${row.id}`,
    kind: 'summary',
    title: text(row.request).slice(0, 80) || 'Session summary',
    text: parts.join('\n'),
    concepts: [],
    files: [...new Set([...jsonList(row.files_edited), ...jsonList(row.files_read)])],
    created: isoOf(row),
  };
}

function jsonList(value: unknown): string[] {
  try {
    return list(JSON.parse(text(value) || '[]'))
      .map(text)
      .filter((item) => item !== '');
  } catch {
    return [];
  }
}

function isoOf(row: Row): string {
  const epoch =
    typeof row.created_at_epoch === 'number' ? row.created_at_epoch : Date.parse(text(row.created_at));
  // Old versions stored seconds.
  const ms = epoch < 100_000_000_000 ? epoch * 1000 : epoch;
  return Number.isFinite(ms) ? new Date(ms).toISOString() : '';
}
