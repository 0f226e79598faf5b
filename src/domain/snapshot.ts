import type { AgentName, Trust } from './event.ts';
import type { Piece } from './memo.ts';

/**
 * The state of a work session at one moment, small enough to hand to another agent. Field names are those of the MCP
 * tools and of the stored file, so nothing has to be mapped. It contains no copies of files.
 */
export interface Snapshot {
  manifest: SnapshotManifest;
  working_set: WorkingSet;
  /** Actions of the work session, newest last. */
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
  /** HEAD at the start of the work; empty if unknown. */
  repo_base_commit: string;
  repo_dirty_files: string[];
  /** The content of each of these files; empty if it was deleted. */
  repo_dirty_hashes: { path: string; content_hash: string }[];
  source_harness: string;
  source_model: string;
  /** The agent it was made for; "any" if none was named; empty for a checkpoint. */
  target: AgentName | 'any' | '';
  /** Seconds since 1970, like all times in tool answers. */
  created_at: number;
  /**
   * Size of the event log in bytes when the snapshot was taken. Two snapshots with the same generation are based on
   * the same events.
   */
  generation: number;
  /** How often an agent of this work session lost its context, for example by compaction. */
  context_epoch: number;
  action_log_size: number;
  /** Whether the work session has older actions than `action_log`, which keeps only the newest. */
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
  /** Estimated tokens that an agent needs to read the file again. */
  tokens: number;
  last_used_at: number;
  /** Hash of the content at the time of the snapshot; empty if the file did not exist. */
  content_hash: string;
  /** The lines that the agents of this work knew, as hashes. */
  pieces: Piece[];
}

export interface SearchRun {
  search_id: string;
  tool: string;
  query: string;
  mode: 'literal' | 'regex';
  /** Path filter; empty for all files. */
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
  /** Set if the entry is not a settled decision but postponed work or a failed attempt. */
  about?: 'open-end' | 'failed';
  at: string;
  text: string;
  source: string;
}

export type ActionKind = 'prompt' | 'answer' | 'edit' | 'command' | 'read' | 'search' | 'tool' | 'compaction';

/** One action, derived from an event. */
export interface Action {
  id: string;
  at: string;
  agent: AgentName;
  kind: ActionKind;
  trust: Trust;
  /** The prompt, answer or query, truncated. */
  text?: string;
  path?: string;
  created?: boolean;
  added?: number;
  removed?: number;
  command?: string;
  tool?: string;
  /** The id shown to the agent: search-0001. */
  search?: string;
  mode?: 'regex';
  ok?: boolean;
  exit?: number;
  /** The relevant end of a failed command's output. Third-party text. */
  output?: string;
  tokens?: number;
}
