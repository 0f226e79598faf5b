import type { Chunk } from '../domain/chunk.ts';
import type { Edit } from '../domain/edit.ts';
import type { Evidence } from './evidence.ts';

/** Git commands that revert the working tree or single files. */
const revertingCommand = /\bgit\s+(?:checkout|restore|reset\s+--hard|stash)\b([^;&|]*)/g;
/** Git commands after which an edit is no longer lost: it was committed, or restored from the stash. */
const keepingCommand = /\bgit\s+(?:commit|stash\s+(?:pop|apply))\b/;
const maxCommands = 200;
const maxSessions = 5;
/** An edit still counts as reverted if at most this share of its lines was written again. */
const maxRewrittenShare = 0.2;

/** Recognises edits of a file that a git command of the same session reverted and whose lines were not written again. */
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
    const end = after.find(({ text }) => keepingCommand.test(lineOf(text)) || reverts(lineOf(text), path));
    if (end === undefined || keepingCommand.test(lineOf(end.text))) return false;
    const isStash = /\bgit\s+stash\b/.test(lineOf(end.text));
    if (isStash && after.some(({ at, text }) => at > end.at && keepingCommand.test(lineOf(text))))
      return false;
    const written = edit.hunks.flatMap(({ added }) => added);
    const later = edits.filter(({ at }) => at > end.at);
    const again = new Set(later.flatMap(({ hunks }) => hunks.flatMap(({ added }) => added)));
    return (
      written.length > 0 &&
      written.filter((line) => again.has(line)).length / written.length <= maxRewrittenShare
    );
  };
}

const lineOf = (text: string): string => text.split('\n')[0] ?? '';

function reverts(command: string, path: string): boolean {
  return [...command.matchAll(revertingCommand)].some(([whole, rest = '']) => {
    if (/reset\s+--hard$/.test(whole.trim())) return true;
    if (/stash/.test(whole)) return !/\b(?:list|show|drop|branch|clear)\b/.test(rest);
    const names = rest
      .trim()
      .split(/\s+/)
      .filter((word) => word !== '' && !word.startsWith('-'));
    return names.some((name) => name === '.' || path === name || path.startsWith(`${name}/`));
  });
}
