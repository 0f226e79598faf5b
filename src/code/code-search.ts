import { parse } from 'node:path';
import { AppError } from '../base/errors.ts';
import type { EmbedderSource } from '../models/embed.ts';
import { Checkout, type CheckoutParts, type Waiter } from './checkout.ts';
import { compareChunks } from './chunks/compare-chunks.ts';
import { findDefinitions, type SymbolSearch } from './definition.ts';
import { type FileSearch, findFiles } from './find-files.ts';
import { type OutlineSearch, outlineFile } from './outline.ts';
import { ParseThread } from './parse-thread.ts';
import { findReferences } from './references.ts';
import { type ContentSearch, searchContent } from './search.ts';
import { type LinesSearch, parseSource, readLines, readSource, type SourceText } from './source.ts';
import type { GoalWords } from './words/goal-words.ts';
import { matchCheckout } from './words/word-file.ts';

export interface CodeSearchParts extends CheckoutParts {
  userHome: string;
  parser: string;
  grammars: string;
  /** The built-in embedding model, loaded by the first question. */
  embedder: EmbedderSource;
}

export type CodeSearch = ReturnType<typeof createCodeSearch>;

/** Code search over one checkout: the entry point of this folder. It does not format answers. */
export function createCodeSearch(parts: CodeSearchParts) {
  const { root, clock } = parts;
  // Indexing a home or root folder is never intended.
  if (root === parse(root).root || root === parts.userHome) {
    throw new AppError('REPO_NOT_DETECTED', `${root} is not a project; code search does not start there`, {
      hint: 'Start in a repository, or give one with --repo',
    });
  }
  const checkout = new Checkout(parts);
  const parser = new ParseThread(parts.parser, parts.grammars, clock);
  return {
    root,
    content: (search: ContentSearch) => searchContent(checkout, search, clock),
    files: (search: FileSearch) => findFiles(checkout, search),
    outline: (search: OutlineSearch) => outlineFile(checkout, search, parser, clock),
    lines: (search: LinesSearch) => readLines(checkout, search),
    source: (path: string) => readSource(checkout, path),
    parse: (source: SourceText & { deadlineMs: number }) => parseSource(root, source, parser, clock),
    definitions: (search: SymbolSearch) => findDefinitions(checkout, search, parser, clock),
    references: (search: SymbolSearch) => findReferences(checkout, search, parser, clock),
    async words(goal: GoalWords, waiter?: Waiter) {
      await checkout.prepareWords(waiter);
      return checkout.use(async (view, state) => ({ found: matchCheckout(view, parts.folder, goal), state }));
    },
    /** Compares the meaning of the current chunks of these files with the wordings of a question. */
    compare: async (wordings: readonly string[], paths: readonly string[]) =>
      compareChunks(root, paths, wordings, await parts.embedder()),
    /** Checks all files. If this process holds the lock and watches, the index stays up to date from then on. */
    status: () => checkout.use(async (_, state) => state),
    reindex: (isFull: boolean, waiter?: Waiter) => checkout.reindex(isFull, waiter),
    close() {
      parser.close();
      return checkout.close();
    },
  };
}
