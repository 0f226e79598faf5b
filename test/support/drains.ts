import { existsSync, readdirSync, readFileSync } from 'node:fs';

/**
 * Returns the process ids of running drains (background indexing) of a project, and of what compares its files. Hooks start them detached, so they are
 * found by their command line, which contains the project. Empty on systems without /proc.
 */
export function drainsOf(project: string): number[] {
  if (!existsSync('/proc')) return [];
  return readdirSync('/proc').flatMap((name) => {
    try {
      const command = /^\d+$/.test(name) ? readFileSync(`/proc/${name}/cmdline`, 'utf8') : '';
      return /(?:drain|compare-files)\.js/.test(command) && command.includes(project) ? [Number(name)] : [];
    } catch {
      // The process ended in between.
      return [];
    }
  });
}
