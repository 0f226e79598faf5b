import { existsSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { gates } from '../bench/evaluations.ts';
import { measuredBy } from '../scripts/checks.ts';
import { testGroups } from './groups.ts';
import { measuredFiles } from './harness/measured-code.ts';
import { readPasses } from './harness/passes.ts';

/** What must run again, at least, when a file in a folder changes. */
const broughtBack: Record<string, string> = {
  'src/agents/claude-code/hook.ts': 'agents local nested',
  'src/base/checkout-file.ts': 'local hostile-files',
  'src/cli/import.ts': 'local',
  'src/cmd/hook.ts': 'agents local hook-latency',
  'src/code/pattern/plan.ts': 'local regex-soundness',
  'src/distil/prove-statement.ts': 'local altered',
  'src/drift/trace-anchors.ts': 'local drift',
  'src/git/git.ts': 'local',
  'src/handoff/brief.ts': 'local',
  'src/hooks/run-hook.ts': 'agents local async-hooks hook-latency',
  'src/http/server.ts': 'local viewer',
  'src/mcp/recall.ts': 'agents local',
  'src/memo/touched-files.ts': 'local memo',
  'src/memory/capture/capture.ts': 'local canaries',
  'src/memory/notes/closing.ts': 'local siblings',
  'src/memory/prelude/prelude.ts': 'local poison',
  'src/memory/projects/projects.ts': 'local provenance',
  'src/memory/redact/redact.ts': 'local canaries redaction',
  'src/recall/rank.ts': 'local recall-languages recall-latency',
  'src/remote/recall-with-team.ts': 'local team team-loop',
  'src/spend/ledger.ts': 'local spend',
  'src/store/events/event-log.ts': 'local crash disk-full log-damage concurrent-hooks',
  'src/store/sqlite/log-index.ts': 'local index-damage',
  'src/team/http/server.ts': 'team team-rights team-isolation',
  'src/why/find-writers.ts': 'local why',
  'sql/postgres/0001-tables.sql': 'team team-isolation',
  'web/main.tsx': 'browser viewer viewer-links',
  'web/team/main.tsx': 'team team-viewer',
  'skills/backstory/SKILL.md': 'agents local',
  'test/support/sandbox.ts': 'agents local',
  'test/harness/package.ts': 'local crash',
};

describe('the checks of a change', () => {
  const files = new Map<string, Set<string>>();
  beforeAll(async () => {
    for (const kind of ['tests', 'gates'])
      for (const [name, paths] of await measuredBy(kind)) files.set(name, new Set(measuredFiles(paths)));
  });

  it.each(Object.entries(broughtBack))('run again when %s changes: %s', (path, names) => {
    expect(existsSync(path)).toBe(true);
    for (const name of names.split(' ')) expect(files.get(name)?.has(path), name).toBe(true);
  });

  it('cover every file that is published as code', () => {
    const covered = new Set([...files.values()].flatMap((paths) => [...paths]));
    const published = measuredFiles(['src', 'web', 'sql', 'assets', 'plugins', 'skills', 'client', 'deploy']);
    expect(published.filter((path) => !covered.has(path))).toEqual([]);
  });

  it('include their own files and the lock file', () => {
    expect(files.get('crash')?.has('test/faults/crash/crash.ts')).toBe(true);
    for (const [name, paths] of files) expect(paths.has('package-lock.json'), name).toBe(true);
  });

  it('are the only ones with a pass, each with a name of its own', () => {
    const names = [...gates, ...Object.keys(testGroups)];
    const known = new Set(names);
    expect(known.size).toBe(names.length);
    expect(Object.keys(readPasses()).filter((name) => !known.has(name))).toEqual([]);
  });
});
