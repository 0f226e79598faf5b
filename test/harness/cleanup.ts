import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const pending: (() => void)[] = [];

/** Runs `undo` when the evaluation ends, even by an error or a signal, in reverse order of registration. */
export function onEnd(undo: () => void): void {
  pending.push(undo);
}

export function cleanUp(): void {
  for (let undo = pending.pop(); undo !== undefined; undo = pending.pop()) {
    try {
      undo();
    } catch (error) {
      process.stderr.write(`not cleaned up: ${String(error)}\n`);
    }
  }
}

export function temporaryFolder(purpose: string): string {
  const folder = mkdtempSync(join(tmpdir(), `backstory-${purpose}-`));
  onEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
  return folder;
}
