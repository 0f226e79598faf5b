import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from '../../test/support/sandbox.ts';

/** What reached the model from Backstory, by the agent's own transcripts. */
export interface Told {
  /**
   * Number of lines by source: `prelude` (session start), `rules` (before a tool call), `recall` (hits of the tool), and
   * other kinds by the name in their tag, such as `prompt` (the first prompt).
   */
  counts: Record<string, number>;
  /** The sources that contained words of the deciding chat. */
  decisionToldBy: string[];
}

/** Reads all transcripts of the agents in a home and finds the texts that Backstory marked as its own. */
export function toldIn({ home }: Pick<Sandbox, 'home'>, decision: string[]): Told {
  const texts = new Set<string>();
  for (const folder of ['.claude/projects', '.codex/sessions']) {
    for (const path of transcriptsUnder(join(home, folder))) {
      for (const line of readFileSync(path, 'utf8').split('\n')) {
        // Most lines of a transcript have no text of Backstory.
        if (!line.includes('<backstory-memory')) continue;
        for (const text of stringsIn(parse(line)))
          for (const [fenced] of text.matchAll(fencedText)) texts.add(fenced);
      }
    }
  }
  const counts: Record<string, number> = {};
  const decisionToldBy = new Set<string>();
  for (const text of texts) {
    const source = sourceOf(text);
    const lines = text.split('\n').filter((line) => toldLine.test(line)).length;
    if (lines === 0) continue;
    counts[source] = (counts[source] ?? 0) + lines;
    if (decision.some((phrase) => text.includes(phrase))) decisionToldBy.add(source);
  }
  return { counts, decisionToldBy: [...decisionToldBy] };
}

const fencedText = /<(backstory-memory[\w-]*)[^>]*>[\s\S]*?<\/\1>/g;
/** A line of a list, a hit with its id, or a rule. */
const toldLine = /^- |^\s*\[[0-9a-f]{8}\]|goes against/;

function sourceOf(text: string): string {
  const kind = /^<backstory-memory[\w-]* kind="([\w-]+)"/.exec(text)?.[1];
  if (kind !== undefined) return kind;
  return /^<backstory-memory[\w-]* project=/.test(text) ? 'prelude' : 'rules';
}

function transcriptsUnder(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => join(folder, name));
  } catch {
    // This agent has not run.
    return [];
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // The last line of a killed agent may be cut off.
    return undefined;
  }
}

function* stringsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) yield* stringsIn(part);
}
