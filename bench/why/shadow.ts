import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { put } from '../../test/support/agent-edits.ts';

/** A line with its known origin, which is the reference for answers. */
export interface ShadowLine {
  text: string;
  /** The agent session; undefined for lines by a person and lines that were in the repository before. */
  writer: string | undefined;
  /**
   * The commit that added the line. Undefined for lines that were in the repository before, empty for uncommitted ones.
   */
  commit: string | undefined;
  /** Kinds of changes that the line went through, for the figures. */
  fates: Set<string>;
}

/** Mirrors the touched files of the working tree line by line. Every scripted change goes through it. */
export class Shadow {
  readonly work: string;
  readonly files = new Map<string, ShadowLine[]>();

  constructor(work: string) {
    this.work = work;
  }

  lines(path: string): ShadowLine[] {
    const known = this.files.get(path);
    if (known !== undefined) return known;
    const lines = this.onDisk(path).map(
      (text): ShadowLine => ({ text, writer: undefined, commit: undefined, fates: new Set() }),
    );
    this.files.set(path, lines);
    return lines;
  }

  onDisk(path: string): string[] {
    const file = join(this.work, path);
    if (!existsSync(file)) return [];
    const lines = readFileSync(file, 'utf8').split('\n');
    if (lines.at(-1) === '') lines.pop();
    return lines;
  }

  text(path: string): string {
    return this.lines(path)
      .map(({ text }) => `${text}\n`)
      .join('');
  }

  write(path: string): void {
    put(this, path, this.text(path));
  }

  /** Lines that were uncommitted or in one of these commits are now in this one. */
  landed(commit: string, from: string[] = ['']): void {
    for (const lines of this.files.values())
      for (const line of lines)
        if (line.commit !== undefined && from.includes(line.commit)) line.commit = commit;
  }
}
