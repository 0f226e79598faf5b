import { existsSync } from 'node:fs';
import { readSettings } from '../agents/read-settings.ts';
import { settingsEditor } from '../agents/settings.ts';
import type { Clock } from '../base/clock.ts';
import { messageOf } from '../base/errors.ts';
import { isVersionAtLeast, minNodeVersion } from '../base/node-version.ts';
import type { HomePaths } from '../base/paths.ts';
import type { Health } from '../wire/answers/project.ts';
import { readFailures } from './projects/failures.ts';
import type { InstallRecord } from './projects/install-records.ts';

/** A check that only reads. `backstory doctor` also runs checks that execute the hook. */
export type Check = Health['checks'][number];

/** Minimum version of SQLite. Earlier versions can corrupt a database in WAL mode. */
const minSqliteVersion = '3.51.3';

/** `node` is the executable that runs now; the installed hooks may start another one. */
export function checkInstallations(installs: InstallRecord[], node: string): Check[] {
  const sqlite = process.versions.sqlite ?? '0';
  const newer = `install Node ${minNodeVersion} or newer`;
  return [
    {
      name: 'Node',
      ok: isVersionAtLeast(process.version, minNodeVersion),
      detail: process.version,
      hint: `${newer}, then: backstory install claude-code --repair`,
    },
    { name: 'SQLite', ok: isVersionAtLeast(sqlite, minSqliteVersion), detail: sqlite, hint: newer },
    {
      name: 'Installed',
      ok: installs.length > 0,
      detail: installs.map(({ agent, scope }) => `${agent} (${scope})`).join(', ') || 'for no agent',
      hint: 'backstory install all',
    },
    ...installs.flatMap((install) => checkInstall(install, node)),
  ];
}

/** Whether no hook can have run, as after Node was moved or the settings were replaced. */
export const hasDeadHook = (install: InstallRecord): boolean =>
  checkInstall(install, install.node).some(({ name, ok }) => / (?:hooks|plugin)$/.test(name) && !ok);

function checkInstall(install: InstallRecord, node: string): Check[] {
  const checks = install.files.map((file): Check => {
    const name = `${install.agent} ${file.holds}`;
    const hint = `backstory install ${install.agent} --scope ${install.scope} --repair`;
    try {
      const text = readSettings(file) ?? '';
      const isThere = settingsEditor(install.agent, file.holds, install.entries).has(text, file.path);
      if (!isThere) {
        const detail = `Backstory's entries in ${file.path} are missing or from another version`;
        return { name, ok: false, detail, hint };
      }
      if (install.scope === 'user' && !existsSync(install.node)) {
        return { name, ok: false, detail: `the entries start ${install.node}, which is gone`, hint };
      }
      const isCurrent = install.scope === 'project' || install.node === node;
      const moved = isCurrent ? '' : ` (starts ${install.node}, you run ${node})`;
      return { name, ok: true, detail: file.path + moved };
    } catch (error) {
      return { name, ok: false, detail: messageOf(error), hint };
    }
  });
  // Several files may have a check of the same name. Show one of them, preferably one that failed.
  return [...Map.groupBy(checks, ({ name }) => name).values()].map(
    (own) => own.find(({ ok }) => !ok) ?? (own[0] as Check),
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
  return { name: 'Failures', ok: recent.length === 0, detail, hint: 'backstory doctor --logs' };
}
