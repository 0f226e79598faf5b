import { isAbsolute } from 'node:path';
import { entryAt, readCheckoutFile } from '../base/checkout-file.ts';
import { stopwatch } from '../base/stopwatch.ts';
import type { CodeSymbol } from '../code/symbols/symbol.ts';
import { gitFoldersOf } from '../git/git-folders.ts';
import { readHead } from '../git/repository.ts';
import { SourceText } from './source-text.ts';

/** The checkout that memory is compared with. */
export interface CheckedCode {
  /** Top of the working tree. */
  root: string;
  /** This device's, under which reads are hashed. */
  key: string;
  /** How long an answer waits for git at most. */
  budgetMs?: number;
  /** What a text defines, by a parser; undefined for a language without one. Asked only where lines cannot tell. */
  symbols?(path: string, text: string, timeoutMs: number): Promise<CodeSymbol[] | undefined>;
}

/** What is not known by then is called unchecked. */
const defaultBudgetMs = 1_000;
/** Larger files are data. */
const maxFileBytes = 4 * 1024 * 1024;

/** A file that is there and is not ours to read, or too large to be, says nothing about its lines. */
type Unread = 'absent' | 'unread';

/** The working tree as it is at this moment: each file is read once for a question. */
export class CurrentCode {
  readonly code: CheckedCode;
  readonly #deadline: number;
  readonly #files = new Map<string, SourceText | Unread>();
  #head: { branch: string } | undefined;

  constructor(code: CheckedCode) {
    this.code = code;
    this.#deadline = stopwatch.now() + (code.budgetMs ?? defaultBudgetMs);
  }

  /** Milliseconds. */
  get left(): number {
    return this.#deadline - stopwatch.now();
  }

  /** Undefined for one that is absent, and for one that was not read. */
  file(path: string): SourceText | undefined {
    const file = this.#look(path);
    return typeof file === 'string' ? undefined : file;
  }

  isAbsent(path: string): boolean {
    return this.#look(path) === 'absent';
  }

  isUnread(path: string): boolean {
    return this.#look(path) === 'unread';
  }

  #look(path: string): SourceText | Unread {
    const known = this.#files.get(path) ?? this.#read(path);
    this.#files.set(path, known);
    return known;
  }

  #read(path: string): SourceText | Unread {
    // What an event names outside of the checkout is not ours to look at.
    if (path === '' || isAbsolute(path)) return 'unread';
    const file = readCheckoutFile(this.code.root, path, maxFileBytes);
    if (file.kind === 'file') return new SourceText(file.bytes.toString('utf8'));
    // Where a folder is now, the file is gone.
    return file.kind === 'absent' || entryAt(this.code.root, path) === 'folder' ? 'absent' : 'unread';
  }

  /** Told by its files alone: outside of git no process has to be started to find that out. */
  get isInGit(): boolean {
    return gitFoldersOf(this.code.root) !== undefined;
  }

  /** Empty where HEAD stands on no branch. */
  get branch(): string {
    this.#head ??= headOf(this.code.root);
    return this.#head.branch;
  }
}

/** The commit and the branch of a working tree, read from git's own files; both empty outside of git. */
export function headOf(root: string): { branch: string; head: string } {
  const folders = gitFoldersOf(root);
  return folders === undefined ? { branch: '', head: '' } : readHead(folders.own, folders.common);
}
