import { fileLines } from '../../src/text/file-lines.ts';

interface Seen {
  /** Starts at 0. */
  from: number;
  lines: string[];
  isWhole: boolean;
}

/**
 * Keeps the full text that is in an agent's context. It is the reference for Memo, which keeps only hashes and knows
 * only what hooks report. It shares no code with Memo.
 */
export class Oracle {
  private seen = new Map<string, Seen[]>();

  sawWhole(path: string, text: string): void {
    const lines = fileLines(text);
    if (lines.length > 0) this.seen.set(path, [{ from: 0, lines, isWhole: true }]);
  }

  sawPart(path: string, from: number, lines: string[]): void {
    if (lines.length === 0) return;
    const others = this.partsOf(path).filter(
      (part) => part.isWhole || part.from < from || part.from + part.lines.length > from + lines.length,
    );
    this.seen.set(path, [...others, { from, lines, isWhole: false }]);
  }

  /**
   * Records that the agent replaced `removed` lines starting at `at`. The parts that it had seen correctly stay known,
   * with the change applied.
   */
  edited(path: string, disk: string[], at: number, removed: number, added: string[]): void {
    const grown = added.length - removed;
    const parts = this.partsOf(path).map((part) => {
      if (!stands(part, disk)) return part;
      if (at + removed <= part.from) return { ...part, from: part.from + grown };
      if (at >= part.from + part.lines.length) return part;
      // The edit may start before the part or end after it; inserted lines are known from their beginning.
      const from = Math.min(at, part.from);
      const upTo = Math.max(0, at - part.from);
      const rest = Math.max(0, at + removed - part.from);
      return { ...part, from, lines: [...part.lines.slice(0, upTo), ...added, ...part.lines.slice(rest)] };
    });
    this.seen.set(path, parts);
  }

  lost(): void {
    this.seen.clear();
  }

  holdsAnything(path: string): boolean {
    return this.partsOf(path).length > 0;
  }

  /** True if reporting the file as fresh would be correct: everything the agent has seen of it is still on disk. */
  isTrue(path: string, text: string | undefined): boolean {
    if (text === undefined) return false;
    const disk = fileLines(text);
    const parts = this.partsOf(path);
    if (parts.length > 0) return parts.every((part) => stands(part, disk));
    // The agent has not seen a file of this name, but may know the content from another one, such as before a rename.
    return [...this.seen.values()].flat().some((part) => part.isWhole && stands(part, disk));
  }

  /** Returns ranges of a file that the agent has seen and that are unchanged on disk, so that it can edit them. */
  editable(path: string, disk: string[]): { from: number; end: number } | undefined {
    const part = this.partsOf(path).find((each) => stands(each, disk));
    return part === undefined ? undefined : { from: part.from, end: part.from + part.lines.length };
  }

  private partsOf(path: string): Seen[] {
    return this.seen.get(path) ?? [];
  }
}

function stands({ from, lines, isWhole }: Seen, disk: string[]): boolean {
  if (isWhole && disk.length !== lines.length) return false;
  const now = disk.slice(from, from + lines.length);
  return now.length === lines.length && now.every((line, at) => line === lines[at]);
}
