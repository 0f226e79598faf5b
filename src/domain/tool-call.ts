/** What a tool call would do, in the common format of all agents. */
export interface ToolCall {
  /** The command line; empty if the tool is no shell. */
  command: string;
  /** Where the command runs. */
  cwd: string;
  /** The root of the checkout. */
  root: string;
  edits: FileEdit[];
}

export interface FileEdit {
  /** Relative to the root of the checkout if it is below it, with forward slashes. */
  path: string;
  /** The text that the edit adds. */
  added: string;
  /** The text that it replaces. */
  removed: string;
}
