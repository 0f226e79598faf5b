/**
 * The content of `.backstory/knowledge.json`. Commands, folders and key files follow from the project's files and are
 * sorted, without counts or dates, so they change only if the project does; the rest is written by hand.
 */
export const knowledgeSchema = 1;

export interface Knowledge {
  schema: typeof knowledgeSchema;
  project: string;
  summary: string;
  commands: KnownCommand[];
  architecture: KnownPart[];
  keyFiles: KeyFile[];
  conventions: KnownRules[];
}

/** A command that builds, tests, checks or runs the project. */
export interface KnownCommand {
  purpose: CommandPurpose;
  run: string;
  /** The file in which the command was found. */
  source: string;
}

export const commandPurposes = ['install', 'build', 'test', 'lint', 'format', 'run', 'release'] as const;
export type CommandPurpose = (typeof commandPurposes)[number];

export interface KnownPart {
  title: string;
  text: string;
  source: string;
}

export interface KeyFile {
  path: string;
  /** Why it is a key file, such as "entry point". */
  why: string;
  /** Exported symbols. */
  symbols: string[];
}

/** Conventions found in one document. */
export interface KnownRules {
  source: string;
  rules: string[];
}
