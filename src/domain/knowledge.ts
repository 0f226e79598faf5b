/**
 * Facts about a project that follow from its files alone; the content of `.backstory/knowledge.json`. Lists are sorted
 * and there are no counts or dates, so the file changes only if the project does.
 */
export const knowledgeSchema = 1;

export interface Knowledge {
  schema: typeof knowledgeSchema;
  project: string;
  /** Quoted from the README or the package manifest. */
  summary: string;
  languages: string[];
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
