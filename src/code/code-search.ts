import { parse } from 'node:path';
import { AppError } from '../base/errors.ts';
import type { EmbedderSource } from '../models/embed.ts';
import type { CheckoutState, CodeLines } from '../wire/answers/code.ts';
import { Checkout, type CheckoutParts, type Waiter } from './checkout.ts';
import { type ComparedChunk, compareChunks } from './chunks/compare-chunks.ts';
import { type DefinitionAnswer, findDefinitions, type SymbolSearch } from './definition.ts';
import { type FileSearch, type FilesAnswer, findFiles } from './find-files.ts';
import { type OutlineAnswer, type OutlineSearch, outlineFile } from './outline.ts';
import { ParseThread } from './parse-thread.ts';
import { type LinesSearch, readLines } from './read-lines.ts';
import { findReferences, type ReferencesAnswer } from './references.ts';
import { type ContentAnswer, type ContentSearch, searchContent } from './search.ts';
import { parseSource, readSource, type SourceText } from './source.ts';
import type { FileTokens } from './symbols/symbol-reader.ts';
import { matchCheckout } from './words/checkout-words.ts';
import type { GoalWords } from './words/goal-words.ts';
import type { WordMatcher } from './words/match-words.ts';

/** Code search over one checkout: the entry point of this folder. It does not format answers. */
export interface CodeSearch {
  root: string;
  content(search: ContentSearch): Promise<ContentAnswer>;
  files(search: FileSearch): Promise<FilesAnswer>;
  /** Returns the symbols that a file defines. */
  outline(search: OutlineSearch): Promise<OutlineAnswer>;
  /** Returns lines of the current file. */
  lines(search: LinesSearch): Promise<CodeLines>;
  /** Returns the text of a whole file. */
  source(path: string): Promise<SourceText>;
  /** Returns the symbols and the tokens of a text, current or past. */
  parse(source: SourceText & { deadlineMs: number }): Promise<FileTokens>;
  /** Finds the definitions of a name. */
  definitions(search: SymbolSearch): Promise<DefinitionAnswer>;
  /** Finds the uses of a name. */
  references(search: SymbolSearch): Promise<ReferencesAnswer>;
  /** Finds the words of a goal in all files. */
  words(goal: GoalWords, waiter?: Waiter): Promise<{ found: WordMatcher; state: CheckoutState }>;
  /** Compares the meaning of the current chunks of these files with the wordings of a question. */
  compare(wordings: readonly string[], paths: readonly string[]): Promise<Map<string, ComparedChunk[]>>;
  /**
   * Checks all files for changes and returns the state of the index. If this process holds the lock and watches the
   * files, the index stays up to date from then on.
   */
  status(): Promise<CheckoutState & { filesKnown: number }>;
  reindex(isFull: boolean, waiter?: Waiter): Promise<CheckoutState>;
  close(): Promise<void>;
}

/** Paths of the worker program and of the grammars. */
export interface CodeSearchParts extends CheckoutParts {
  userHome: string;
  parser: string;
  grammars: string;
  /** The built-in embedding model, loaded by the first question. */
  embedder: EmbedderSource;
}

export function createCodeSearch(parts: CodeSearchParts): CodeSearch {
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
    content: (search) => searchContent(checkout, search, clock),
    files: (search) => findFiles(checkout, search),
    outline: (search) => outlineFile(checkout, search, parser, clock),
    lines: (search) => readLines(checkout, search),
    source: (path) => readSource(checkout, path),
    parse: (source) => parseSource(root, source, parser, clock),
    definitions: (search) => findDefinitions(checkout, search, parser, clock),
    references: (search) => findReferences(checkout, search, parser, clock),
    async words(goal, waiter) {
      await checkout.prepareWords(waiter);
      return checkout.use(async (view, state) => ({ found: matchCheckout(view, parts.folder, goal), state }));
    },
    compare: async (wordings, paths) => compareChunks(root, paths, wordings, await parts.embedder()),
    status: () =>
      checkout.use(async (view, state) => ({
        ...state,
        filesKnown: state.indexedFiles + view.live.length,
      })),
    reindex: (isFull, waiter) => checkout.reindex(isFull, waiter),
    close() {
      parser.close();
      return checkout.close();
    },
  };
}
