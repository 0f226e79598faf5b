import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { put } from '../../test/support/agent-edits.ts';

/** A line with what is known of it because we wrote it: the truth that answers are judged by. */
export interface ShadowLine {
  text: string;
  /** The agent session; undefined for what a person wrote, and for what the repository had already. */
  writer: string | undefined;
  /** Undefined for what the repository had already, empty before it is committed. */
  commit: string | undefined;
  /** What happened to it, for the figures. */
  fates: Set<string>;
}

/** The working tree line by line, as far as it was touched. Everything scripted goes through here. */
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

  /** What was not committed yet, or stood in one of these commits, is now in this one. */
  landed(commit: string, from: string[] = ['']): void {
    for (const lines of this.files.values())
      for (const line of lines)
        if (line.commit !== undefined && from.includes(line.commit)) line.commit = commit;
  }
}
