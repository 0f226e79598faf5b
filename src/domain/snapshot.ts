import type { AgentName, Trust } from './event.ts';

/**
 * A work session at one moment, small enough to hand to another agent. The names are those of the tools that
 * show it and of the file that keeps it, so that nothing has to be translated. It holds no copies of files.
 */
export interface Snapshot {
  manifest: SnapshotManifest;
  working_set: WorkingSet;
  /** Newest last. */
  action_log: Action[];
  decisions: Decision[];
  pinned_snippets: PinnedSnippet[];
}

export interface SnapshotManifest {
  schema_version: 1;
  snapshot_id: string;
  session_id: string;
  goal: string;
  goal_by: 'user' | 'agent';
  repo_root: string;
  repo_branch: string;
  repo_commit: string;
  /** Where the work began; empty when nobody knows. */
  repo_base_commit: string;
  repo_dirty_files: string[];
  source_harness: string;
  source_model: string;
  /** The agent it was made for, "any" when none was named; empty when it is only a checkpoint. */
  target: AgentName | 'any' | '';
  /** Seconds since 1970, as are all times in the tools' answers. */
  created_at: number;
  /** Bytes of the event log that were there: two snapshots of one generation saw the same. */
  generation: number;
  /** How often an agent of this work session has lost sight of what it read. */
  context_epoch: number;
  action_log_size: number;
  /** Only the newest actions are kept. */
  has_older_actions: boolean;
}

export interface WorkingSet {
  schema_version: 1;
  files_read: WorkingFile[];
  searches_run: SearchRun[];
  frecency_top_n: FrecentFile[];
}

export interface WorkingFile {
  path: string;
  reads: number;
  edits: number;
  /** About how much reading it again costs. */
  tokens: number;
  last_used_at: number;
  /** Of the content at the time of the snapshot; empty when the file was not there. */
  content_hash: string;
}

export interface SearchRun {
  search_id: string;
  tool: string;
  query: string;
  mode: 'literal' | 'regex';
  /** Only files whose path fits this; empty for all. */
  path: string;
}

export interface FrecentFile {
  path: string;
  score: number;
}

export interface PinnedSnippet {
  path: string;
  line_start: number;
  line_end: number;
  text: string;
}

export interface Decision {
  /** Whose word it is; an agent's has been reviewed by nobody. */
  by: 'user' | 'note' | 'agent';
  /** What was left for later, or tried in vain, is told as that and not as settled. */
  about?: 'open-end' | 'failed-path';
  at: string;
  text: string;
  /** The event or note it stands in. */
  source: string;
}

export type ActionKind = 'prompt' | 'answer' | 'edit' | 'command' | 'read' | 'search' | 'tool' | 'compaction';

/** One thing that was done, drawn from an event. */
export interface Action {
  /** The event. */
  id: string;
  at: string;
  agent: AgentName;
  kind: ActionKind;
  trust: Trust;
  /** What was asked, answered or searched for, cut to a length that a reader wants. */
  text?: string;
  path?: string;
  created?: boolean;
  added?: number;
  removed?: number;
  command?: string;
  tool?: string;
  /** As the agent was told it: search-0001. */
  search?: string;
  mode?: 'regex';
  ok?: boolean;
  exit?: number;
  /** The telling end of what a failed command printed: third-party text. */
  output?: string;
  tokens?: number;
}
