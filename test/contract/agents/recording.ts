import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { record, text } from '../../../src/base/json.ts';
import type { AgentName } from '../../../src/domain/event.ts';

/** Hook calls and files of a real agent in a scripted run, and the facts that must be known afterwards. */
export interface Recording {
  agent: AgentName;
  title: string;
  /** Writes the agent's files under the home and returns its hook calls in order. */
  play(place: Place): Played;
  prompts: string[];
  answers: string[];
  /** Paths relative to the repository. */
  edits: string[];
  commands: { command: string; ok: boolean; exit?: number }[];
  compactions: number;
  subagents?: { type: string; kinds: string[] }[];
}

export interface Place {
  home: string;
  work: string;
}

export interface Played {
  calls: object[];
  /** Names of its transcripts; empty if the agent's transcripts are not read. */
  transcripts: string[];
}

const recorded = resolve(import.meta.dirname, '../../fixtures/agents');

/**
 * Recordings contain placeholders for the recording machine's paths, which are replaced by those of this one, with
 * forward slashes: in JSON inside JSON, each level would need more backslashes.
 */
export const here = (recorded: string, { home, work }: Place): string =>
  recorded
    .replaceAll('/sandbox/proj', slashed(work))
    .replaceAll(encodeURIComponent('/sandbox/proj'), encodeURIComponent(slashed(work)))
    .replaceAll('/sandbox/home', slashed(home));
const slashed = (path: string): string => path.replaceAll('\\', '/');

export const recordedText = (path: string, place: Place): string =>
  here(readFileSync(join(recorded, path), 'utf8'), place);

export const recordedNames = (folder: string, ending: string): string[] =>
  readdirSync(join(recorded, folder)).filter((name) => name.endsWith(ending));

/** All files below a recorded folder. */
export const recordedFiles = (folder: string): string[] =>
  readdirSync(join(recorded, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => slashed(relative(join(recorded, folder), join(entry.parentPath, entry.name))));

export const jsonLines = (lines: string): Record<string, unknown>[] =>
  lines
    .trim()
    .split('\n')
    .map((line) => record(JSON.parse(line)));

/** The stdin of each hook call in a recorded log. */
export const stdinOf = (log: string): object[] => jsonLines(log).map((line) => record(line.stdin));

export function writeRecordedFile(path: string, content: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

/** Path of the transcript that a hook call names. */
export const transcriptPath = (call: object): string => text(record(call).transcript_path);
