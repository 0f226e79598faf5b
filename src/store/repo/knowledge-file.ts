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

/** What is known of a project, as a file in its repository; docs/guides/knowledge.md describes it. */
export const knowledgePath = `${repoFolder}/knowledge.json`;
/** Where the design this grew from keeps the same three things. */
export const forgePath = '.forge/knowledge.json';

/** Ends in a newline, so that git has nothing to remark. */
export const formatKnowledge = (knowledge: Knowledge): string => `${JSON.stringify(knowledge, null, 2)}\n`;

export const writeKnowledge = (root: string, knowledge: Knowledge): void =>
  writeInside(root, knowledgePath, formatKnowledge(knowledge));

export interface KnowledgeFile {
  path: string;
  knowledge: Knowledge;
}

/** Ours and theirs, as far as they are there and can be read. */
export function readKnowledgeFiles(root: string): KnowledgeFile[] {
  return [knowledgePath, forgePath].flatMap((path) => {
    const value = parseObject(readInside(root, path) ?? '');
    return value === undefined ? [] : [{ path, knowledge: knowledgeFrom(value) }];
  });
}

/** Written by hand or by another version, any field may be missing or of another shape. */
function knowledgeFrom(value: Record<string, unknown>): Knowledge {
  const named = (...names: string[]): unknown =>
    names.map((name) => value[name]).find((own) => own !== undefined);
  return {
    schema: knowledgeSchema,
    project: text(value.project),
    summary: text(named('summary', 'description')),
    languages: textsOf(value.languages),
    commands: list(value.commands).flatMap((own) => {
      const { purpose, run, source } = record(own);
      const known = commandPurposes.find((one): one is CommandPurpose => one === purpose);
      return known === undefined || text(run) === ''
        ? []
        : [{ purpose: known, run: text(run), source: text(source) }];
    }),
    architecture: entriesOf(named('architecture', 'architectureNotes', 'architecture_notes')).map(partOf),
    keyFiles: entriesOf(named('keyFiles', 'key_files')).map(keyFileOf),
    conventions: rulesFrom(named('conventions')),
  };
}

/** A list, or an object whose names say what its values are about. */
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
    const { source, rules, text: said, title } = record(own);
    if (Array.isArray(rules)) return [{ source: text(source), rules: textsOf(rules) }];
    const rule =
      typeof own === 'string' ? own : [text(title), text(said)].filter((one) => one !== '').join(': ');
    if (rule !== '') loose.push(rule);
    return [];
  });
  return loose.length === 0 ? grouped : [...grouped, { source: '', rules: loose }];
}

const textsOf = (value: unknown): string[] =>
  list(value)
    .map(text)
    .filter((one) => one !== '');
