import { list, parseObject, record, text } from '../../base/json.ts';
import {
  type CommandPurpose,
  commandPurposes,
  type KeyFile,
  type Knowledge,
  type KnownPart,
  type KnownRules,
  knowledgeSchema,
} from '../../domain/knowledge.ts';
import { readInside, repoFolder, writeInside } from './repo-folder.ts';

/** The knowledge file in a repository; docs/guides/knowledge.md describes it. */
export const knowledgePath = `${repoFolder}/knowledge.json`;
/** The path at which Forge stores a project's knowledge. Backstory reads it for compatibility. */
export const forgePath = '.forge/knowledge.json';

/** Formats the knowledge as JSON. It ends with a newline, so that git shows no warning. */
export const formatKnowledge = (knowledge: Knowledge): string => `${JSON.stringify(knowledge, null, 2)}\n`;

export const writeKnowledge = (root: string, knowledge: Knowledge): void =>
  writeInside(root, knowledgePath, formatKnowledge(knowledge));

export interface KnowledgeFile {
  path: string;
  knowledge: Knowledge;
}

/** Reads both files, if they exist and are valid. */
export function readKnowledgeFiles(root: string): KnowledgeFile[] {
  return [knowledgePath, forgePath].flatMap((path) => {
    const value = parseObject(readInside(root, path) ?? '');
    return value === undefined ? [] : [{ path, knowledge: knowledgeFrom(value) }];
  });
}

/**
 * The file may be written by hand or by another version, so any field may be missing or have another type.
 */
function knowledgeFrom(value: Record<string, unknown>): Knowledge {
  const firstOf = (...names: string[]): unknown =>
    names.map((name) => value[name]).find((own) => own !== undefined);
  return {
    schema: knowledgeSchema,
    project: text(value.project),
    summary: text(firstOf('summary', 'description')),
    commands: list(value.commands).flatMap((own) => {
      const { purpose, run, source } = record(own);
      const known = commandPurposes.find((one): one is CommandPurpose => one === purpose);
      return known === undefined || text(run) === ''
        ? []
        : [{ purpose: known, run: text(run), source: text(source) }];
    }),
    architecture: entriesOf(firstOf('architecture', 'architectureNotes', 'architecture_notes')).map(partOf),
    keyFiles: entriesOf(firstOf('keyFiles', 'key_files')).map(keyFileOf),
    conventions: rulesFrom(firstOf('conventions')),
  };
}

/** Accepts a list, or an object whose keys are the titles. */
function entriesOf(value: unknown): unknown[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value;
  return Object.entries(record(value)).map(([title, own]) =>
    typeof own === 'string' ? { title, path: title, text: own } : { title, path: title, ...record(own) },
  );
}

function partOf(value: unknown): KnownPart {
  if (typeof value === 'string') return { title: '', text: value, source: '' };
  const own = record(value);
  return {
    title: text(own.title) || text(own.name),
    text: text(own.text) || text(own.description) || text(own.notes),
    source: text(own.source),
  };
}

function keyFileOf(value: unknown): KeyFile {
  if (typeof value === 'string') return { path: value, why: '', symbols: [] };
  const own = record(value);
  return {
    path: text(own.path) || text(own.file),
    why: text(own.why) || text(own.purpose) || text(own.description) || text(own.text),
    symbols: textsOf(own.symbols),
  };
}

function rulesFrom(value: unknown): KnownRules[] {
  const loose: string[] = [];
  const grouped = entriesOf(value).flatMap((own): KnownRules[] => {
    const { source, rules, text: body, title } = record(own);
    if (Array.isArray(rules)) return [{ source: text(source), rules: textsOf(rules) }];
    const rule =
      typeof own === 'string' ? own : [text(title), text(body)].filter((one) => one !== '').join(': ');
    if (rule !== '') loose.push(rule);
    return [];
  });
  return loose.length === 0 ? grouped : [...grouped, { source: '', rules: loose }];
}

const textsOf = (value: unknown): string[] =>
  list(value)
    .map(text)
    .filter((one) => one !== '');
