import { AppError } from '../base/errors.ts';
import type { CodeSearch } from '../code/code-search.ts';
import type { SymbolKind } from '../code/symbols/symbol.ts';
import { type KeyFile, type Knowledge, knowledgeSchema } from '../domain/knowledge.ts';
import { readHistory } from '../git/history.ts';
import { commandsOf } from './commands.ts';
import { architectureParts, conventionsOf, decisionRecords, summaryOf } from './documents.ts';
import { keyFilesOf } from './key-files.ts';
import { languagesOf } from './languages.ts';
import { layoutParts } from './layout.ts';
import { createProjectTree } from './project-tree.ts';

/**
 * What a newcomer should know of a project, from its own files and history alone: no model, no network. The same
 * files give the same bytes. It is told in the project's words, so whoever reads it later decides whether to
 * trust it; nothing in here decides that.
 */
export interface KnowledgeSources {
  root: string;
  name: string;
  /** All that git does not ignore. */
  paths: string[];
  code: Pick<CodeSearch, 'outline'>;
}

const recentCommits = 1_000;

export async function buildKnowledge({ root, name, paths, code }: KnowledgeSources): Promise<Knowledge> {
  const tree = createProjectTree(root, paths);
  const keyFiles: KeyFile[] = [];
  for (const file of keyFilesOf(tree, { counts: await changeCounts(root) }))
    keyFiles.push({ ...file, symbols: await symbolsIn(code, file.path) });
  return {
    schema: knowledgeSchema,
    project: name,
    summary: summaryOf(tree),
    languages: languagesOf(tree),
    commands: commandsOf(tree),
    architecture: [...layoutParts(tree), ...architectureParts(tree), ...decisionRecords(tree)],
    keyFiles,
    conventions: conventionsOf(tree),
  };
}

/** A commit that touches half of the project says nothing about any one file of it. */
const broadCommit = 60;

async function changeCounts(root: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for await (const { files } of readHistory(root, { known: [], maxCount: recentCommits })) {
    if (files.length > broadCommit) continue;
    for (const file of files) counts.set(file, (counts.get(file) ?? 0) + 1);
  }
  return counts;
}

const maxSymbols = 6;
const timeoutMs = 10_000;
const telling: SymbolKind[] = ['class', 'interface', 'struct', 'trait', 'enum', 'type', 'function'];

/** By its name not meant for others. */
const isInner = /^_|^tests?(?:_|$)/i;

/** What it defines at its top, in its own order; nothing where there is no parser for it. */
async function symbolsIn(code: Pick<CodeSearch, 'outline'>, path: string): Promise<string[]> {
  try {
    const { symbols, how } = await code.outline({ path, deadlineMs: timeoutMs });
    if (how !== 'parsed') return [];
    const names = symbols
      .filter(
        ({ container, kind, name }) => container === '' && telling.includes(kind) && !isInner.test(name),
      )
      .map(({ name }) => name);
    return [...new Set(names)].slice(0, maxSymbols);
  } catch (error) {
    // Too large, binary, or gone since it was listed: it is a key file all the same.
    if (error instanceof AppError) return [];
    throw error;
  }
}
