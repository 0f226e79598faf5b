import { existsSync } from 'node:fs';
import { settingsEditor } from '../agents/settings.ts';
import { readSettings } from '../agents/settings-file.ts';
import type { Clock } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import type { HomePaths } from '../base/paths.ts';
import { readFailures } from './projects/failures.ts';
import { type InstallRecord, placeOf } from './projects/install-records.ts';

/** What can be told of our health by looking; `backstory doctor` proves the rest by doing. */
export interface Check {
  name: string;
  ok: boolean;
  detail: string;
  /** What to do about it. */
  hint?: string;
}

const parts = (version: string): number[] => version.replace(/^v/, '').split('.').map(Number);

function isAtLeast(version: string, floor: string): boolean {
  const [have, need] = [parts(version), parts(floor)];
  const at = need.findIndex((part, index) => (have[index] ?? 0) !== part);
  return at === -1 || (have[at] ?? 0) > (need[at] ?? 0);
}

const nodeFloor = '22.23.0';
/** Earlier versions can corrupt a database in write-ahead mode. */
const sqliteFloor = '3.51.3';

export const checkNode = (): Check => ({
  name: 'Node',
  ok: isAtLeast(process.version, nodeFloor),
  detail: process.version,
  hint: `install Node ${nodeFloor} or newer, then: backstory install claude-code --repair`,
});

export function checkSqlite(): Check {
  const version = process.versions.sqlite ?? '0';
  return {
    name: 'SQLite',
    ok: isAtLeast(version, sqliteFloor),
    detail: version,
    hint: `install Node ${nodeFloor} or newer`,
  };
}

export const checkInstalled = (installs: InstallRecord[]): Check => ({
  name: 'Installed',
  ok: installs.length > 0,
  detail: installs.map(({ agent, scope }) => `${agent} (${scope})`).join(', ') || 'for no agent',
  hint: 'backstory install claude-code',
});

/** `node` is the one that runs now; what is installed may start another. */
export function checkInstall(install: InstallRecord, node: string): Check[] {
  const checks = install.files.map((file): Check => {
    const name = `${install.agent} ${file.holds}`;
    const hint = `backstory install ${install.agent} --scope ${install.scope} --repair`;
    try {
      const text = readSettings(placeOf(file, install.scope)) ?? '';
      const isThere = settingsEditor(install.agent, file.holds, install.entries).has(text, file.path);
      if (!isThere) return { name, ok: false, detail: `our entries are not in ${file.path} any more`, hint };
      if (install.scope === 'user' && !existsSync(install.node)) {
        return { name, ok: false, detail: `they start ${install.node}, which is gone`, hint };
      }
      const isCurrent = install.scope === 'project' || install.node === node;
      const moved = isCurrent ? '' : ` (starts ${install.node}, you run ${node})`;
      return { name, ok: true, detail: file.path + moved };
    } catch (error) {
      return { name, ok: false, detail: messageOf(error), hint };
    }
  });
  // Of many files that hold one thing, the first that is amiss speaks for all.
  return [...new Set(checks.map(({ name }) => name))].map(
    (name) =>
      checks.find((check) => check.name === name && !check.ok) ??
      (checks.find((check) => check.name === name) as Check),
  );
}

const recentMs = 24 * 60 * 60 * 1000;

export function checkFailures(paths: HomePaths, clock: Clock): Check {
  const recent = readFailures(paths.failures).filter(({ at }) => clock.now() - Date.parse(at) < recentMs);
  const last = recent.at(-1);
  const detail =
    last === undefined
      ? 'none in the last day'
      : `${recent.length} in the last day, the last: ${last.message}`;
  return { name: 'Failures', ok: recent.length === 0, detail, hint: 'backstory logs' };
}
