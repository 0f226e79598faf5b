import { accessSync, constants, statSync } from 'node:fs';
import { devNull } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';

type Environment = Record<string, string | undefined>;

/**
 * Returns the folders of PATH that can be trusted. Relative and empty entries are dropped, because they mean
 * the working directory, which is the checkout. `node_modules/.bin` is dropped too: npm puts it first, and a
 * repository can contain it.
 */
export const searchPath = (environment: Environment): string[] =>
  (environment.PATH ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder));

/** The absolute path of git, because Windows looks in the working directory first. */
export function findGit(environment: Environment, platform: NodeJS.Platform): string | undefined {
  const name = platform === 'win32' ? 'git.exe' : 'git';
  return searchPath(environment)
    .map((folder) => join(folder, name))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** What git needs from the user's environment: home, locale, temporary folder, and what Windows requires. */
const inheritedNames =
  /^(?:HOME|USER|LOGNAME|LANG|LANGUAGE|LC_\w+|TZ|TMP|TEMP|TMPDIR|XDG_CONFIG_HOME|LD_LIBRARY_PATH|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|USERNAME|USERPROFILE|HOMEDRIVE|HOMEPATH|APPDATA|LOCALAPPDATA|PROGRAMDATA|PROGRAMFILES(?:\(X86\))?|NUMBER_OF_PROCESSORS|PROCESSOR_ARCHITECTURE)$/i;

/**
 * The environment of every git process. No `GIT_*` variable is inherited: each of them can name another repository,
 * another configuration or a program. Git may not prompt, fetch, write, or use any transport.
 */
export function gitEnvironment(environment: Environment): Record<string, string> {
  const kept = Object.entries(environment).filter(([name]) => inheritedNames.test(name));
  return {
    ...(Object.fromEntries(kept) as Record<string, string>),
    PATH: searchPath(environment).join(delimiter),
    // Names no repository. Git is always given a git directory, so that it never searches for one.
    GIT_DIR: join(devNull, 'none'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_SYSTEM: devNull,
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: '1',
    // An empty list allows no protocol, whatever `protocol.*.allow` says.
    GIT_ALLOW_PROTOCOL: '',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
  };
}
