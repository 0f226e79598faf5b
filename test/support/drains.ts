import { existsSync, readdirSync, readFileSync } from 'node:fs';

/**
 * Returns the process ids of running drains (background indexing) of a project, and of what compares its files. Hooks start them detached, so they are
 * found by their command line, which contains the project. Empty on systems without /proc.
 */
export const drainsOf = (project: string): number[] =>
  processes(/(?:drain|compare-files)\.js/, (command) => command.includes(project));

/**
 * Returns the process ids of running hooks, and of everything that hooks start, with this home folder. Agents do not
 * wait for all of their hooks. Empty on systems without /proc.
 */
export const backgroundOf = (home: string): number[] =>
  processes(/(?:hook\.cjs|(?:drain|compare-files|warm-hooks)\.js)/, (_, environment) =>
    environment.includes(`\0HOME=${home}\0`),
  );

function processes(program: RegExp, isMeant: (command: string, environment: string) => boolean): number[] {
  if (!existsSync('/proc')) return [];
  return readdirSync('/proc').flatMap((name) => {
    try {
      const command = /^\d+$/.test(name) ? readFileSync(`/proc/${name}/cmdline`, 'utf8') : '';
      if (!program.test(command)) return [];
      return isMeant(command, `\0${readFileSync(`/proc/${name}/environ`, 'utf8')}`) ? [Number(name)] : [];
    } catch {
      // The process ended in between.
      return [];
    }
  });
}
