import { expect, it } from 'vitest';
import { createMemoryHome } from '../../test/support/memory-home.ts';
import { writeTeamCache } from '../memory/team-cache.ts';
import { joinTeam } from '../remote/membership.ts';
import { forgeMemory } from './aliases.ts';
import type { ToolServer } from './answer.ts';
import type { ServerParts } from './parts.ts';

it("[mcp-aliases] forge_memory finds the team's issues in the copy on this machine, by their source", async () => {
  const home = createMemoryHome();
  const project = home.open();
  // Nothing listens on this port, as if the server were out of reach.
  const team = { v: 1, url: 'http://127.0.0.1:9', project: 'queue', name: 'queue' } as const;
  joinTeam(home.paths, project.project, team);
  const memory = {
    revision: 1,
    sourceRef: '5',
    kind: 'issue',
    author: 'bob',
    updated: '2026-11-01T00:00:00Z',
  };
  const lists = { files: [], issues: [], commits: [] };
  writeTeamCache(home.paths.project(project.project).teamMemories, {
    ...team,
    forgotten: [],
    memories: [
      { ...memory, ...lists, id: '0'.repeat(32), source: 'issue', text: 'Retries are lost after a restart' },
      { ...memory, ...lists, id: '1'.repeat(32), source: 'comment', text: 'Retries are lost for me, too' },
    ],
  });
  const tools = new Map<string, Parameters<ToolServer['registerTool']>[2]>();
  const follower = { caller: async () => ({ agentSession: '', open: [] }) };
  forgeMemory({ registerTool: (name, _, handle) => tools.set(name, handle) }, {
    project,
    clock: home.clock,
    follower,
  } as unknown as ServerParts);
  const sourcesOf = async (source?: string): Promise<string[]> => {
    const found = await tools.get('forge_memory')?.({ query: 'retries lost', source }, {
      mcpReq: {},
    } as never);
    return ((found?.structuredContent?.results ?? []) as { source: string }[]).map((record) => record.source);
  };
  expect(await sourcesOf('issue')).toEqual(['issue']);
  expect(await sourcesOf('comment')).toEqual(['comment']);
  expect((await sourcesOf()).sort()).toEqual(['comment', 'issue']);
  expect(await sourcesOf('note')).toEqual([]);
  home.remove();
});
