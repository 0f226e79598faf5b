import { basename, join } from 'node:path';
import { findCheckoutFile, readCheckoutText } from '../../base/checkout-file.ts';
import { type Json, parseObject, record, text } from '../../base/json.ts';
import { readLines } from '../../base/lines.ts';
import type { Source } from '../../domain/event.ts';
import type { Observation } from '../agent.ts';
import { typedPrompt } from '../prompt-text.ts';
import { provisionalPrompt } from '../provisional-ids.ts';
import { recordTime } from '../transcript-messages.ts';

/**
 * Claude Code lists every prompt that the user typed at its terminal in `history.jsonl`. It deletes transcripts after
 * 30 days, but not this list, so for most past sessions it is all that is left.
 */
export interface HistoryPrompt {
  at: number;
  /** The folder in which Claude Code was started. */
  cwd: string;
  /** The session's id; empty in entries of Claude Code before version 2.1. */
  session: string;
  text: string;
  /** The parts of the text that the user pasted. */
  pasted: string[];
  source: Source;
}

const agent = 'claude-code';
const maxLineBytes = 16 * 1024 * 1024;
const maxPasteBytes = 4 * 1024 * 1024;

export const historyName = 'history.jsonl';

export const isHistoryFile = (file: string): boolean => basename(file) === historyName;

/**
 * Reads the typed prompts, oldest first, of all sessions or of one. Commands of Claude Code and of the shell are no
 * prompts.
 */
export function* readClaudeHistory(config: string, session = ''): Generator<HistoryPrompt> {
  const file = findCheckoutFile(config, historyName)?.path;
  if (file === undefined) return;
  for (const { bytes, offset } of readLines(file, 0, { maxLineBytes })) {
    const value = bytes?.includes(session) ? parseObject(bytes.toString('utf8')) : undefined;
    if (value === undefined) continue;
    const [at, cwd] = [Number(value.timestamp), text(value.project)];
    const pasted: string[] = [];
    const words = typedPrompt(withPastes(config, value, pasted));
    if (recordTime(at) === '' || cwd === '' || words === undefined || isCommand(words)) continue;
    const source = { file: join(config, historyName), offset };
    yield { at, cwd, session: text(value.sessionId), text: words, pasted, source };
  }
}

const placeholder = /\[(?:Pasted text|\.\.\.Truncated text) #(\d+)(?: \+\d+ lines)?(?:\.\.\.)?\]/g;

/**
 * Returns the text of an entry. Claude Code shows a longer pasted text as a placeholder, and keeps the text in the entry
 * or, if it is long, in a file of its own, which it deletes like transcripts. Adds the pasted texts to `pasted`.
 */
function withPastes(config: string, value: Json, pasted: string[]): string {
  const kept = record(value.pastedContents);
  return text(value.display).replace(placeholder, (shown, id: string) => {
    const { content, contentHash } = record(kept[id]);
    const hash = text(contentHash);
    const inFile = (): string | undefined =>
      /^[0-9a-f]{8,64}$/.test(hash)
        ? readCheckoutText(config, join('paste-cache', `${hash}.txt`), maxPasteBytes)
        : undefined;
    const paste = text(content) || inFile();
    if (paste !== undefined) pasted.push(paste);
    return paste ?? shown;
  });
}

const exitWords = new Set(['exit', 'quit', ':q', ':q!', ':wq', ':wq!']);
/** A shorter argument of a command, such as the name of a model, says nothing about the work. */
const minArgumentWords = 3;

function isCommand(words: string): boolean {
  if (words.startsWith('!') || exitWords.has(words.toLowerCase())) return true;
  const command = /^\/[\w:.-]+(?:\s+([\s\S]*))?$/.exec(words);
  return command !== null && (command[1] ?? '').split(/\s+/).length < minArgumentWords;
}

/**
 * Returns a prompt as a transcript would give it. Its id depends on session and text, and the same prompt from the
 * transcript lists that id in `supersedes`. So the prompt is stored once, whichever of the two is read first.
 */
export function observeHistoryPrompt(
  { at, cwd, session, text: words, pasted, source }: HistoryPrompt,
  redact: (words: string) => string,
): Observation & { kind: 'prompt' } {
  const clean = redact(words);
  const time = new Date(at).toISOString();
  // Entries without a session are grouped by day.
  const agentSession = session === '' ? `history-${time.slice(0, 10)}` : session;
  const id = provisionalPrompt(agent, agentSession, '', clean);
  const body = { turn: id, text: clean };
  const common = { at: time, agentSession, cwd, branch: '', source, pasted };
  return { kind: 'prompt', id, isRedacted: true, origin: 'user', trust: 2, body, ...common };
}
