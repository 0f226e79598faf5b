import { readJson, writeJson } from '../../base/files.ts';

/**
 * A matcher recognises tool calls that go against a rule. It is derived from the words of the rule in advance, so that
 * the hook only compares.
 */
export type Matcher = CommandMatcher | PathMatcher | TextMatcher | PackageMatcher;

interface Scope {
  /** Globs of files in which the rule applies; everywhere if absent. */
  inside?: string[];
  /** Globs of files for which it makes an exception. */
  outside?: string[];
}

/** A call of one of the programs with all of these words. */
export interface CommandMatcher {
  on: 'command';
  /** `*` stands for any program. */
  programs: string[];
  /** The first arguments that are no options, each as a list of alternatives. */
  words?: string[][];
  /** Options, each as a list of alternatives: `-f`, `--force`. */
  flags?: string[][];
  /** Arguments anywhere, each as a list of alternatives. A ref such as `HEAD:main` counts as `main`. */
  args?: string[][];
  /** Whether further arguments are required, or rule the match out. */
  operands?: 'some' | 'none';
  /** A pattern that one of the arguments matches, such as a commit message. */
  pattern?: string;
  /** A call with one of these arguments is in order, such as `npm install -g pnpm`. */
  except?: string[];
  /** With one of these options it is in order, such as `go test ./... -run Name`. */
  unlessFlags?: string[];
  /** Behind one of these programs it is in order, such as `poetry run python`. */
  unlessBehind?: string[];
}

/** A change of a file below one of the globs. */
export interface PathMatcher extends Scope {
  on: 'path';
  globs: string[];
  /** `read` also matches commands that only name the file. */
  change: 'any' | 'new' | 'existing' | 'delete' | 'read' | 'commit';
  /** A pattern of the file's name. */
  name?: string;
}

/** Text that an edit adds. */
export interface TextMatcher extends Scope {
  on: 'text';
  pattern: string;
  /** Whether comments count too. */
  inComments?: true;
  /** Whether the pattern is about prose or data too, not only about code. */
  inAllFiles?: true;
}

/** Installing or importing a package. */
export interface PackageMatcher extends Scope {
  on: 'package';
  name: string;
  /** The start of a version; all versions if absent. */
  version?: string;
}

export interface Rule {
  /** Id of the note. */
  note: string;
  /** What the agent is told: the rule, when it was said, and its id. */
  line: string;
  isEnforced?: true;
  matchers: Matcher[];
}

/** The rules of a project that the hook can compare with a tool call. Derived from the notes. */
interface RuleTable {
  v: 1;
  rules: Rule[];
}

export function readRules(path: string): Rule[] {
  const table = readJson<RuleTable>(path);
  return table?.v === 1 ? table.rules : [];
}

export const writeRules = (path: string, rules: Rule[]): void =>
  writeJson(path, { v: 1, rules } satisfies RuleTable);
