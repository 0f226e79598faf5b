import { AppError } from '../base/errors.ts';
import type { CodeSearch } from '../code/code-search.ts';
import type { SymbolKind } from '../code/symbols/symbol.ts';
import { type KeyFile, type Knowledge, knowledgeSchema } from '../domain/knowledge.ts';
import { readHistory } from '../git/history.ts';
import { commandsOf } from './commands.ts';
import { keyFilesOf } from './key-files.ts';
import { foldersOf, foldersTitle } from './layout.ts';
import { createProjectTree } from './project-tree.ts';

/**
 * Inputs for building knowledge: facts about a project that its files and git history prove. What the project is for
 * and how people work on it is written by its users, into the same file; building it again keeps their words. The text
 * comes from the repository and is untrusted; the reader of the result decides whether to trust it.
 */
export interface KnowledgeSources {
  root: string;
  name: string;
  /** All files that git does not ignore. */
  paths: string[];
  code: Pick<CodeSearch, 'outline'>;
  /** What `.backstory/knowledge.json` says now. */
  written: Knowledge | undefined;
}

const maxCommits = 1_000;

export async function buildKnowledge({
  root,
  name,
  paths,
  code,
  written,
}: KnowledgeSources): Promise<Knowledge> {
  const tree = createProjectTree(root, paths);
  const keyFiles: KeyFile[] = [];
  for (const file of keyFilesOf(tree, { counts: await changeCounts(root) }))
    keyFiles.push({ ...file, symbols: await symbolsIn(code, file.path) });
  return {
    schema: knowledgeSchema,
    project: name,
    summary: written?.summary ?? '',
    commands: commandsOf(tree),
    architecture: [
      ...foldersOf(tree),
      ...(written?.architecture ?? []).filter(({ title }) => title !== foldersTitle),
    ],
    keyFiles,
    conventions: written?.conventions ?? [],
  };
}

/** Commits that change more files say little about any of them. */
const maxFilesPerCommit = 60;

async function changeCounts(root: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for await (const { files } of readHistory(root, { known: [], maxCount: maxCommits })) {
    if (files.length > maxFilesPerCommit) continue;
    for (const file of files) counts.set(file, (counts.get(file) ?? 0) + 1);
  }
  return counts;
}

const maxSymbols = 6;
const timeoutMs = 10_000;
const listedKinds: SymbolKind[] = ['class', 'interface', 'struct', 'trait', 'enum', 'type', 'function'];

/** Names of internal symbols and tests. */
const internalName = /^_|^tests?(?:_|$)/i;

/** The top-level symbols of a file, in order; none if there is no parser for it. */
async function symbolsIn(code: Pick<CodeSearch, 'outline'>, path: string): Promise<string[]> {
  try {
    const { symbols, how } = await code.outline({ path, deadlineMs: timeoutMs });
    if (how !== 'parsed') return [];
    const names = symbols
      .filter(
        ({ container, kind, name }) =>
          container === '' && listedKinds.includes(kind) && !internalName.test(name),
      )
      .map(({ name }) => name);
    return [...new Set(names)].slice(0, maxSymbols);
  } catch (error) {
    // The file is too large, binary, or was deleted. It is still a key file.
    if (error instanceof AppError) return [];
    throw error;
  }
}
