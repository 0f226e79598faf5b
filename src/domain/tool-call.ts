/** What a tool call would do, in the common format of all agents. */
export interface ToolCall {
  /** The command line; empty if the tool is no shell. */
  command: string;
  cwd: string;
  root: string;
  edits: FileEdit[];
}

export interface FileEdit {
  /** Relative to the root of the checkout if it is below it, with forward slashes. */
  path: string;
  added: string;
  removed: string;
}
