import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { record, text } from '../../../src/base/json.ts';
import type { AgentName } from '../../../src/domain/event.ts';

/** What a real agent said and wrote in a scripted run, and what must be known of it afterwards. */
export interface Recording {
  agent: AgentName;
  title: string;
  /** Lays the agent's own files under the home; gives its calls of the hook, in their order. */
  play(place: Place): Played;
  prompts: string[];
  answers: string[];
  /** Repository-relative. */
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
  /** Names of its transcripts; none where an agent's are not read. */
  transcripts: string[];
}

const recorded = resolve(import.meta.dirname, '../../fixtures/agents');

/** Recordings were cleaned of the machine they were made on; they are played on this one. */
const here = (recorded: string, { home, work }: Place): string =>
  recorded.replaceAll('/sandbox/proj', work).replaceAll('/sandbox/home', home);

export const recordedText = (path: string, place: Place): string =>
  here(readFileSync(join(recorded, path), 'utf8'), place);

export const recordedNames = (folder: string, ending: string): string[] =>
  readdirSync(join(recorded, folder)).filter((name) => name.endsWith(ending));

export const jsonLines = (lines: string): Record<string, unknown>[] =>
  lines
    .trim()
    .split('\n')
    .map((line) => record(JSON.parse(line)));

/** A log of hooks as the recorder kept it: what stood on stdin, among other things. */
export const stdinOf = (log: string): object[] => jsonLines(log).map((line) => record(line.stdin));

export function lay(path: string, content: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

/** Transcripts by the paths that the calls name. */
export const transcriptPath = (call: object): string => text(record(call).transcript_path);
