import { isObject, type Json } from '../base/json.ts';
import { type AuthorshipLog, keysOfLine, parseAuthorshipLog, recordOf } from '../git/authorship-log.ts';
import type { BlamedLine } from '../git/blame.ts';
import { type NotedCommit, readNotedCommits } from '../git/notes.ts';
import { type Trailer, trailersOf } from '../git/trailers.ts';
import { harmlessLine } from '../text/fence.ts';
import type { Claim } from '../wire/answers/memory.ts';

/**
 * What others say about who wrote the lines of each commit: its Git AI note and its trailers. Anybody can write both, so
 * they are shown as claims and never decide between sessions. Commits without claims are missing.
 */
export type Claims = Map<string, (path: string, line: number) => Claim[]>;

const maxClaims = 8;
const maxNameLength = 60;
const maxValueLength = 200;

export async function readClaims(root: string, hashes: Iterable<string>): Promise<Claims> {
  const commits = await readNotedCommits(root, hashes);
  return new Map(
    [...commits].flatMap(([hash, commit]) => {
      const claims = claimsIn(commit);
      return claims === undefined ? [] : [[hash, claims] as const];
    }),
  );
}

export const claimsOf = (claims: Claims, { commit, path, originalLine }: BlamedLine): Claim[] =>
  claims.get(commit)?.(path, originalLine) ?? [];

function claimsIn({ object, note }: NotedCommit) {
  const author = /^author (.*?) ?<[^>\n]*>/m.exec(object)?.[1] ?? '';
  const trailers = trailersOf(object).flatMap((trailer) => claimOfTrailer(trailer, author) ?? []);
  const parsed = note === undefined ? 'none' : parseAuthorshipLog(note);
  if (typeof parsed === 'string')
    return trailers.length === 0 ? undefined : () => trailers.slice(0, maxClaims);
  return (path: string, line: number) =>
    distinctClaims([...claimsOfNote(parsed, path, line, author), ...trailers]);
}

/** Each claim once; two sessions of one agent and person claim the same. */
export const distinctClaims = (claims: Claim[]): Claim[] =>
  [...new Map(claims.map((claim) => [JSON.stringify(claim), claim])).values()].slice(0, maxClaims);

const claimsOfNote = (log: AuthorshipLog, path: string, line: number, author: string): Claim[] =>
  keysOfLine(log, path, line).map((key) => {
    const record = recordOf(log, key) ?? {};
    const agent: Json = isObject(record.agent_id) ? record.agent_id : {};
    const human = nameOf(record.human_author ?? record.author) || author;
    const tool = key.startsWith('h_') ? 'a person' : nameOf(agent.tool) || 'an agent';
    const model = nameOf(agent.model);
    return claim('git-ai', tool, model === 'unknown' ? '' : model, `a git note of ${human}`);
  });

const nameOf = (value: unknown): string =>
  typeof value === 'string'
    ? harmlessLine(value.slice(0, maxValueLength).replace(/<[^<>]*>$/, ''), maxNameLength)
    : '';

const claim = (source: Claim['source'], tool: string, model: string, by: string): Claim => ({
  source,
  tool: harmlessLine(tool, maxNameLength),
  ...(model === '' ? {} : { model: harmlessLine(model, maxNameLength) }),
  by: harmlessLine(by, 2 * maxNameLength),
});

function claimOfTrailer({ name, value }: Trailer, author: string): Claim | undefined {
  const kind = trailerNames.find((each) => each.toLowerCase() === name.toLowerCase());
  if (kind === undefined) return undefined;
  const by = `${kind} of ${author}`;
  if (kind === 'Entire-Checkpoint')
    return /^[0-9a-f]{6,64}$/.test(value)
      ? claim('trailer', 'an agent', '', `${kind} ${value} of ${author}`)
      : undefined;
  const [, full = '', mail] = /^(.*?) *(?:<([^<>]+)>)?$/.exec(value) ?? [];
  if (mail !== undefined) {
    const tool = agentMails.find(([, pattern]) => pattern.test(mail))?.[0];
    return tool === undefined ? undefined : claim('trailer', tool, modelIn(full, tool), by);
  }
  // Only the other two name a program without an address, as `Claude:claude-opus-4` or `Claude Code`.
  if (kind === 'Co-Authored-By') return undefined;
  const [, tool = full, model = ''] = /^([^:\s]+):(\S+)/.exec(full) ?? [];
  return claim('trailer', tool, model, by);
}

const trailerNames = ['Assisted-by', 'Generated-by', 'Co-Authored-By', 'Entire-Checkpoint'] as const;

/** Addresses with which agents sign commits. A person may have the name of an agent, but not its address. */
const agentMails: [tool: string, mail: RegExp][] = [
  ['aider', /^(?:noreply|aider)@aider\.chat$/i],
  ['amp', /^amp@ampcode\.com$/i],
  ['claude', /^(?:noreply|claude)@anthropic\.com$/i],
  [
    'codex',
    /^(?:codex|noreply)@openai\.com$|^\d+\+chatgpt-codex-connector\[bot\]@users\.noreply\.github\.com$/i,
  ],
  ['copilot', /^copilot@github\.com$|^\d+\+copilot(?:-swe-agent\[bot\])?@users\.noreply\.github\.com$/i],
  ['cursor', /^cursoragent@cursor\.com$/i],
  ['devin', /^\d+\+devin-ai-integration\[bot\]@users\.noreply\.github\.com$/i],
  ['droid', /^\d+\+factory-droid\[bot\]@users\.noreply\.github\.com$/i],
  ['gemini', /^\d+\+gemini-(?:code-assist|cli)(?:\[bot\])?@users\.noreply\.github\.com$/i],
  ['jules', /^\d+\+google-labs-jules\[bot\]@users\.noreply\.github\.com$/i],
  ['opencode', /^noreply@opencode\.ai$/i],
  ['openhands', /^openhands@all-hands\.dev$/i],
  ['qwen', /^qwen-coder@alibabacloud\.com$/i],
];

/** Some agents put the model into their name: `Claude Opus 4.5`, `aider (gpt-4o)`. */
function modelIn(name: string, tool: string): string {
  const inside = /\((.+)\)$/.exec(name)?.[1];
  if (tool === 'aider') return inside ?? '';
  return tool === 'claude' && /^Claude \D*\d/i.test(name) ? name : '';
}
