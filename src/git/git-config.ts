import { join } from 'node:path';
import { gitSync } from './git.ts';
import { readGitFile } from './git-dir.ts';
import { type GitConfig, parseGitConfig } from './parse-config.ts';

const maxConfigBytes = 1024 * 1024;
const timeoutMs = 1_500;

export const repositoryConfig = (own: string, common: string): GitConfig | undefined =>
  parseGitConfig(
    [join(common, 'config'), join(own, 'config.worktree')]
      .map((file) => readGitFile(file, maxConfigBytes) ?? '')
      .join('\n'),
  );

let cachedUserConfig: GitConfig | undefined;

/** Returns the configuration of the user and the system. Read once per process. */
export function userConfig(): GitConfig {
  cachedUserConfig ??= parseList(
    gitSync({ args: ['config', '-z', '--list'], environment: userFiles, timeoutMs }).output,
  );
  return cachedUserConfig;
}

/** Returns a value from the user's configuration, whose includes can depend on where the repository is. */
export function userValue(own: string, key: string): string | undefined {
  const { code, output } = gitSync({
    args: ['config', '--global', '--includes', '--get', key],
    environment: { ...userFiles, GIT_DIR: own },
    timeoutMs,
  });
  return code === 0 ? output.toString('utf8').trim() : userConfig().get(key)?.at(-1);
}

/** Lets git read the user's configuration. Only for `git config`, which runs no other program. */
const userFiles = {
  GIT_CONFIG_NOSYSTEM: undefined,
  GIT_CONFIG_SYSTEM: undefined,
  GIT_CONFIG_GLOBAL: undefined,
};

function parseList(output: Buffer): GitConfig {
  const config = new Map<string, string[]>();
  for (const entry of output.toString('utf8').split('\0')) {
    if (entry === '') continue;
    const end = entry.indexOf('\n');
    const [key, value] = end === -1 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1)];
    config.set(key, [...(config.get(key) ?? []), value]);
  }
  return config;
}
