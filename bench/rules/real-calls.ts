import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionTurns, Turn } from '../../src/distil/distiller.ts';
import { createClassifier } from '../../src/distil/statement-classifier.ts';
import weights from '../../src/distil/statement-weights.json' with { type: 'json' };
import { userStatements } from '../../src/distil/user-statements.ts';
import type { ToolCall } from '../../src/domain/tool-call.ts';

interface Line {
  session: string;
  role: 'user' | 'assistant' | 'tool';
  text: string;
  tool?: string;
  path?: string;
  command?: string;
}

/** A project of public transcripts: the tool calls, and the sentences that Backstory would keep as rules. */
export interface RealProject {
  name: string;
  calls: { session: string; call: ToolCall }[];
  rules: string[];
}

export function readRealProjects(data: string): RealProject[] {
  const folder = join(data, 'transcripts');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((name) => {
      const lines = readFileSync(join(folder, name, 'sessions.jsonl'), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Line);
      const seen = new Set<string>();
      const calls = lines.flatMap((line) => {
        const path = (line.path ?? '').replaceAll('\\', '/');
        const call = callOf({ ...line, path }, seen.has(path));
        seen.add(path);
        return call;
      });
      return { name, calls, rules: rulesIn(lines) };
    });
}

/** The transcripts do not say whether an edit creates its file. One that was seen before is not new. */
function callOf(
  { session, role, tool, text, path = '', command = '' }: Line,
  isSeen: boolean,
): RealProject['calls'] {
  if (role !== 'tool') return [];
  if (tool === 'command') return command === '' ? [] : [{ session, call: { command, edits: [] } }];
  if (tool !== 'edit') return [];
  const lines = text.split('\n');
  const side = (sign: string) =>
    lines
      .filter((line) => line.startsWith(sign))
      .map((line) => line.slice(1).replace(/^ /, ''))
      .join('\n');
  const [added, removed] = [side('+'), side('-')];
  if (path === '' && added === '') return [];
  return [
    { session, call: { command: '', edits: [{ path, added, removed, isNew: !isSeen && removed === '' }] } },
  ];
}

const ruleKinds = ['convention', 'preference', 'failed-path'];

function rulesIn(lines: Line[]): string[] {
  const classify = createClassifier(weights);
  const sessions = Map.groupBy(lines, ({ session }) => session);
  return [...sessions.values()].flatMap((own) => {
    const turns: Turn[] = own
      .filter(({ role }) => role === 'user')
      .map(({ text }, at) => ({ id: String(at), at, prompt: { event: String(at), text }, acts: [] }));
    const session: SessionTurns = { agentSession: 's', agent: 'claude-code', branch: '', turns };
    return userStatements(session, classify)
      .filter(({ kind }) => ruleKinds.includes(kind))
      .map(({ text }) => text);
  });
}
