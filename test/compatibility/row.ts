/**
 * What the five designs this product grew from call things, and what became of each. The rows are data: the
 * reference page is rendered from them and compatibility.test.ts keeps them honest.
 */
export const designs = {
  '000': 'triforge',
  '001': 'TriSeek',
  '002': 'Forge memory',
  '003': 'claude-mem search',
  '004': 'TheHook',
} as const;
export type Design = keyof typeof designs;

export type Kind =
  | 'tool'
  | 'route'
  | 'parameter'
  | 'field'
  | 'error-code'
  | 'limit'
  | 'command'
  | 'file'
  | 'hook'
  | 'behaviour';

export type Status = 'same' | 'renamed' | 'departed' | 'planned';

export type Capability =
  | 'capture'
  | 'recall'
  | 'prelude'
  | 'install'
  | 'store'
  | 'history-import'
  | 'code-search'
  | 'memo'
  | 'work-sessions'
  | 'distil'
  | 'anchors'
  | 'http'
  | 'skill'
  | 'team';

export interface Row {
  design: Design;
  kind: Kind;
  /** Their name, exact; a field or parameter is written after the tool, route or record it belongs to. */
  item: string;
  /** Our name, or how we do it. */
  ours: string;
  status: Status;
  capability: Capability;
  /** The test file that shows it, from the top of the repository. */
  test?: string;
  /** File name under docs/adr; needed where we departed. */
  adr?: string;
  why?: string;
}

/**
 * What is still to come. A planned row of a capability that is otherwise built names one of these; when a part
 * is finished its name is deleted here, and the compiler then points at every row that still waits for it.
 */
export const laterParts = ['the full capture', 'hybrid recall'] as const;
export type LaterPart = (typeof laterParts)[number];

export const shownBy = {
  claudeCode: 'test/e2e/claude-code.test.ts',
  cli: 'test/e2e/cli.test.ts',
  install: 'test/e2e/install.test.ts',
  stores: 'test/contract/stores.test.ts',
  redact: 'src/memory/redact.test.ts',
  eventLog: 'src/store/events/event-log.test.ts',
  recall: 'src/recall/recall.test.ts',
  code: 'test/e2e/code-search.test.ts',
  checkout: 'src/code/checkout.test.ts',
  scanPool: 'src/code/scan-pool.test.ts',
  memo: 'test/e2e/memo.test.ts',
  reads: 'test/contract/agents/reads.test.ts',
  contextPack: 'test/e2e/context-pack.test.ts',
  workSessions: 'test/e2e/work-sessions.test.ts',
  handoff: 'test/e2e/handoff.test.ts',
  mcpTools: 'test/e2e/mcp-tools.test.ts',
  skill: 'src/agents/skill.test.ts',
  skillInstall: 'test/e2e/skill.test.ts',
  agentSurfaces: 'test/e2e/agent-surfaces.test.ts',
  serve: 'test/e2e/serve.test.ts',
  surfaces: 'test/e2e/surfaces.test.ts',
  knowledge: 'src/knowledge/build-knowledge.test.ts',
  consolidate: 'src/memory/consolidate.test.ts',
  share: 'src/cli/share.test.ts',
  forget: 'test/e2e/forget.test.ts',
  distil: 'src/memory/distil-sessions.test.ts',
  teamHttp: 'test/contract/team-http.test.ts',
  teamStore: 'test/contract/team-store.test.ts',
  teamBrowse: 'test/contract/team-browse.test.ts',
  teamLive: 'test/contract/team-live.test.ts',
  teamMcp: 'test/contract/team-mcp.test.ts',
  plainMarkdown: 'src/text/plain-markdown.test.ts',
  embedders: 'test/contract/embedders.test.ts',
  viewer: 'test/e2e/viewer.test.ts',
  teamSources: 'test/contract/team-sources.test.ts',
} as const;

export const adr = {
  truth: '0001-truth-is-events-and-notes.md',
  noResident: '0002-no-resident-process.md',
  onePackage: '0003-one-package-several-bundles.md',
  hook: '0004-the-hook-has-no-dependencies.md',
  node: '0005-node-floor-and-node-sqlite.md',
  stores: '0006-sqlite-locally-postgres-for-teams.md',
  indexFiles: '0007-index-files-schema-and-seal.md',
  codeIndex: '0014-code-index-is-a-posting-file.md',
  memo: '0017-memo-keeps-hashes-and-asks-the-disk.md',
  workSessions: '0018-work-sessions-are-folded-from-the-log.md',
  team: '0029-a-team-server-on-postgres.md',
} as const;
