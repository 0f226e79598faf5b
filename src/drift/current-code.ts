import { isAbsolute } from 'node:path';
import { entryAt, readCheckoutFile } from '../base/checkout-file.ts';
import { stopwatch } from '../base/clock.ts';
import type { CodeSymbol } from '../code/symbols/symbol.ts';
import { gitFoldersOf } from '../git/git-folders.ts';
import { readHead } from '../git/head.ts';
import type { OldVersion } from './compare-lines.ts';
import { SourceText } from './source-text.ts';

/** A checkout whose code is compared with what memories say about it. */
export interface CheckedCode {
  root: string;
  /** The device's key for hashes of read lines. */
  key: string;
  /** The time limit for git and parsers. */
  budgetMs?: number;
  /** Parses a text; undefined for a language without a parser. Called only if comparing lines is not enough. */
  symbols?(path: string, text: string, timeoutMs: number): Promise<CodeSymbol[] | undefined>;
}

/** Default time limit. Code that cannot be checked within it is reported as `unchecked`. */
const defaultBudgetMs = 1_000;
/** Larger files are treated as data. */
const maxFileBytes = 4 * 1024 * 1024;

/** `unread`: the file exists but is too large or must not be read, so nothing is known about its lines. */
type Unread = 'absent' | 'unread';

/** The working tree as it is now. Each file is read once per query. */
export class CurrentCode {
  readonly code: CheckedCode;
  readonly #deadline: number;
  readonly #files = new Map<string, SourceText | Unread>();

  constructor(code: CheckedCode) {
    this.code = code;
    this.#deadline = stopwatch.now() + (code.budgetMs ?? defaultBudgetMs);
  }

  get remainingMs(): number {
    return this.#deadline - stopwatch.now();
  }

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
    // Never read files outside the checkout, even if an event names them.
    if (path === '' || isAbsolute(path)) return 'unread';
    const file = readCheckoutFile(this.code.root, path, maxFileBytes);
    if (file.kind === 'file') return new SourceText(file.bytes.toString('utf8'));
    // If a folder has this name now, the file is gone.
    return file.kind === 'absent' || entryAt(this.code.root, path) === 'folder' ? 'absent' : 'unread';
  }

  get isInGit(): boolean {
    return gitFoldersOf(this.code.root) !== undefined;
  }

  get branch(): string {
    return headOf(this.code.root).branch;
  }
}

/** Reads the branch and commit from git's files, without a process. Both are empty outside git. */
export function headOf(root: string): { branch: string; head: string } {
  const folders = gitFoldersOf(root);
  return folders === undefined ? { branch: '', head: '' } : readHead(folders.own, folders.common);
}

/** Whether the symbol of these lines is still defined in the file; undefined if no parser can tell. */
export async function isStillDefined(
  { text, block }: OldVersion,
  path: string,
  file: SourceText,
  now: CurrentCode,
): Promise<boolean | undefined> {
  const read = now.code.symbols;
  if (text === undefined || read === undefined || now.remainingMs <= 0) return undefined;
  const origin = await read(path, text.lines.join('\n'), now.remainingMs);
  const symbol = origin && symbolOf(origin, (block[0] as number) + 1, (block.at(-1) as number) + 1);
  if (symbol === undefined) return undefined;
  const present = await read(path, file.lines.join('\n'), now.remainingMs);
  return present?.some(({ name, container }) => name === symbol.name && container === symbol.container);
}

/** Returns the largest symbol within the lines, else the innermost symbol around them. */
export function symbolOf(symbols: CodeSymbol[], from: number, to: number): CodeSymbol | undefined {
  const size = ({ startLine, endLine }: CodeSymbol) => endLine - startLine;
  const within = symbols.filter(({ startLine, endLine }) => startLine >= from && endLine <= to);
  if (within.length > 0) return within.reduce((a, b) => (size(b) > size(a) ? b : a));
  const around = symbols.filter(({ startLine, endLine }) => startLine <= from && endLine >= to);
  return around.length === 0 ? undefined : around.reduce((a, b) => (size(b) <= size(a) ? b : a));
}
