import { lstatSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Whether this process can create symbolic links. On Windows that needs a right that few users have, and under Wine the
 * call succeeds without creating anything.
 */
export const canCreateLinks = ((): boolean => {
  const folder = mkdtempSync(join(tmpdir(), 'backstory-links-'));
  try {
    symlinkSync('target', join(folder, 'link'));
    return lstatSync(join(folder, 'link')).isSymbolicLink();
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
})();
