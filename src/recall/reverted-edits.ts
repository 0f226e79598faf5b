import type { Chunk } from '../domain/chunk.ts';
import type { Edit } from '../domain/edit.ts';
import type { Evidence } from './evidence.ts';

/** Git's own ways to take everything back, or one file. */
const throwing = /\bgit\s+(?:checkout|restore|reset\s+--hard|stash)\b([^;&|]*)/g;
/** What was committed, or fetched out again, is not thrown away. */
const keeping = /\bgit\s+(?:commit|stash\s+(?:pop|apply))\b/;
const maxCommands = 200;
const maxSessions = 5;
/** So much of it may have been written again. */
const minRewrittenShare = 0.2;

/** Tells the edits of a file that a command of their own session threw away, and whose lines were not written again. */
export async function revertedEdits(
  path: string,
  edits: Edit[],
  evidence: Evidence,
): Promise<(edit: Edit) => boolean> {
  const sessions = [...new Set(edits.map(({ agentSession }) => agentSession))].slice(0, maxSessions);
  const commands = new Map<string, Chunk[]>();
  for (const agentSession of sessions) {
    const run = await evidence.chunks({ agentSession, kinds: ['command'] }, maxCommands);
    commands.set(
      agentSession,
      run.filter(({ isFailed }) => isFailed !== true).sort((a, b) => a.at - b.at),
    );
  }
  return (edit) => {
    const after = (commands.get(edit.agentSession) ?? []).filter(({ at }) => at > edit.at);
    const end = after.find(({ text }) => keeping.test(lineOf(text)) || throwsAway(lineOf(text), path));
    if (end === undefined || keeping.test(lineOf(end.text))) return false;
    const isStash = /\bgit\s+stash\b/.test(lineOf(end.text));
    if (isStash && after.some(({ at, text }) => at > end.at && keeping.test(lineOf(text)))) return false;
    const written = edit.hunks.flatMap(({ added }) => added);
    const later = edits.filter(({ at }) => at > end.at);
    const again = new Set(later.flatMap(({ hunks }) => hunks.flatMap(({ added }) => added)));
    return (
      written.length > 0 &&
      written.filter((line) => again.has(line)).length / written.length <= minRewrittenShare
    );
  };
}

const lineOf = (text: string): string => text.split('\n')[0] ?? '';

function throwsAway(command: string, path: string): boolean {
  return [...command.matchAll(throwing)].some(([whole, rest = '']) => {
    if (/reset\s+--hard$/.test(whole.trim())) return true;
    if (/stash/.test(whole)) return !/\b(?:list|show|drop|branch|clear)\b/.test(rest);
    const names = rest
      .trim()
      .split(/\s+/)
      .filter((word) => word !== '' && !word.startsWith('-'));
    return names.some((name) => name === '.' || path === name || path.startsWith(`${name}/`));
  });
}
