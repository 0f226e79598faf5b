/**
 * What can be told of a project from its files alone, as `.backstory/knowledge.json` holds it. Lists are in a
 * fixed order and nothing in it counts or dates anything, so that it changes only when the project does.
 */
export const knowledgeSchema = 1;

export interface Knowledge {
  schema: typeof knowledgeSchema;
  project: string;
  /** What it is, in the words of its README or its manifest. */
  summary: string;
  languages: string[];
  commands: KnownCommand[];
  architecture: KnownPart[];
  keyFiles: KeyFile[];
  conventions: KnownRules[];
}

/** How it is built, tested, checked and run. */
export interface KnownCommand {
  purpose: CommandPurpose;
  run: string;
  /** The file that says so. */
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
  /** Why it is one of them, such as "entry point". */
  why: string;
  /** What it defines for others. */
  symbols: string[];
}

/** What one document says about how things are done here. */
export interface KnownRules {
  source: string;
  rules: string[];
}
