import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../base/ids.ts';
import { parseObject, text } from '../../base/json.ts';
import { readLines } from '../../base/lines.ts';

/** A prompt or answer from the chats.jsonl of triforge. */
export interface ChatLine {
  key: string;
  role: 'user' | 'assistant';
  text: string;
  at: string;
  session: string;
}

const maxLineBytes = 16 * 1024 * 1024;

/** triforge names a project's folder after the hash of its path. */
export const triforgeFolder = (claudeFolder: string, root: string): string =>
  join(claudeFolder, 'triforge', sha256(root).slice(0, 12));

export function* readTriforgeChats(folder: string): Generator<ChatLine> {
  const file = join(folder, 'chats.jsonl');
  if (!existsSync(file)) return;
  for (const line of readLines(file, 0, { maxLineBytes })) {
    const value = line.bytes === undefined ? undefined : parseObject(line.bytes.toString('utf8'));
    const content = text(value?.text) || text(value?.content);
    const role = text(value?.role);
    if (content.trim() === '' || (role !== 'user' && role !== 'assistant')) continue;
    const at = text(value?.timestamp) || text(value?.ts) || text(value?.at);
    yield { key: `${folder}:${line.offset}`, role, text: content, at, session: text(value?.session_id) };
  }
}
