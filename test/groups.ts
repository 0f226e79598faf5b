import { globSync } from 'node:fs';

/**
 * The tests of the installed program, by what can break them. `.ci/run` runs a group if what it measures has changed
 * since it passed; see `test/harness/passes.ts`. vitest has a project of the same name for each.
 */
export interface TestGroup {
  include: string[];
  exclude: string[];
  /** Paths as git takes them. The tests and what they import outside src belong to it as well. */
  measures: string[];
}

const group = (include: string[], measures: string[]): TestGroup => ({ include, exclude: [], measures });

const chosen = {
  // The other agents. Claude Code, the smoke test of them all, is in `local`.
  agents: group(
    [
      'test/e2e/agents/*.test.ts',
      'test/e2e/{agent-shell,agent-surfaces,codex,handoff,memo-agents,models,opencode,pi,plugin,skill,why-agents}.test.ts',
    ],
    [
      'src/agents',
      'src/cmd',
      'src/hooks',
      'src/mcp',
      'src/models',
      'plugins',
      'skills',
      'scripts/install-agents.ts',
      'test/fixtures',
    ],
  ),
  team: group(
    [
      'test/contract/{team-*,postgres,postgres-faults}.test.ts',
      'test/e2e/{client,team,team-conformance,team-listen,team-restore,team-shutdown,team-surfaces}.test.ts',
    ],
    ['src/api', 'src/cmd/team*', 'src/remote', 'src/team', 'src/wire', 'client', 'sql', 'web/team'],
  ),
  browser: group(
    ['test/e2e/{file-page,viewer,viewer-pages}.test.ts'],
    ['src/api', 'src/http', 'src/wire', 'client', 'web'],
  ),
  // What is published beside the program: documents, pictures, packages for other channels, deployment.
  release: group(
    ['test/e2e/{distribution,old-node,packaged-docs,pictures,site,team-deploy,tutorial}.test.ts'],
    [
      '.claude-plugin',
      '.github',
      'README.md',
      'deploy',
      'docs',
      'package.json',
      'plugins',
      'scripts',
      ':!scripts/checks.ts',
      ':!scripts/count-tests.ts',
      ':!scripts/*mutants*',
      'skills',
      'src/cmd',
    ],
  ),
};

export const testGroups: Record<string, TestGroup> = {
  ...chosen,
  // All others: any change of the local program can break them.
  local: {
    include: ['test/contract/*.test.ts', 'test/e2e/*.test.ts'],
    exclude: Object.values(chosen).flatMap(({ include }) => include),
    measures: ['src', ':!src/team', ':!src/cmd/team*', 'assets', 'plugins', 'skills', 'test/fixtures'],
  },
};

export const testFiles = ({ include, exclude }: Pick<TestGroup, 'include' | 'exclude'>): string[] =>
  globSync(include, { exclude }).map((path) => path.replaceAll('\\', '/'));
