import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from '../../test/support/sandbox.ts';
import { createTranscript } from '../sessions/transcript.ts';

const things = [
  ...['invoices', 'uploads', 'exports', 'backups', 'thumbnails', 'webhooks', 'drafts', 'avatars', 'receipts'],
  ...[
    'reports',
    'mails',
    'comments',
    'orders',
    'carts',
    'labels',
    'coupons',
    'refunds',
    'parcels',
    'alerts',
    'forms',
  ],
];
const dayMs = 24 * 60 * 60_000;

/** Three sessions about each thing: the third changes what the first has settled. */
const settle = [
  (thing: string, at: number) => `Keep the ${thing} for ${at + 2} weeks, because the auditors ask for them.`,
  (thing: string, at: number) => `Show ${at + 5} ${thing} per page, more of them are slow on a phone.`,
  (thing: string, at: number) =>
    `Keep the ${thing} for ${at + 30} weeks from now on, the auditors come twice.`,
];

const sentence = /(?:^|\| |: )((Keep the|Show \d+) (\w+)[^\n]*)$/m;

/** The statement of a session, found in what was sent. */
export function statementIn(record: string): { topic: string; quote: string } {
  const [, quote = '', verb = '', thing = ''] = sentence.exec(record) ?? [];
  return { topic: verb === 'Keep the' ? `${thing} retention` : `${thing} list`, quote };
}

export interface Past {
  sessions: number;
  /** Whether a line that a session is told is right; undefined if nobody judged it. */
  isRight(line: string): boolean | undefined;
}

/** Writes the transcripts of made-up sessions, one a day, as Claude Code does. */
export function writePast({ home, repo }: Sandbox, sessions: number): Past {
  const told = Array.from({ length: sessions }, (_, at) => {
    const [round, thing] = [Math.floor((at * 3) / sessions), things[at % Math.ceil(sessions / 3)] ?? ''];
    const text = settle[round]?.(thing, at) ?? '';
    const name = `past-${at}`;
    const path = join(home, '.claude/projects/past', `${name}.jsonl`);
    const output = 'ok\n'.repeat(20);
    createTranscript(path, { name, cwd: repo }).append(
      [
        { kind: 'prompt', text },
        { kind: 'edit', path: `src/${thing}.ts` },
        { kind: 'command', command: `npm test -- ${thing}`, output, exit: 0 },
        {
          kind: 'answer',
          text: `I changed src/${thing}.ts, and the tests of ${thing} pass. ${'It is done. '.repeat(20)}`,
        },
      ],
      0,
      Date.now() - (sessions - at) * dayMs,
    );
    return { text, holds: round > 0 };
  });
  return {
    sessions,
    // A line may name in brackets what held before.
    isRight: (line) =>
      told.find(({ text }) => line.split(' (until ')[0]?.includes(text.slice(0, -1)))?.holds ?? false,
  };
}

/** Copies real transcripts, with the folder in which they are replayed. */
export function copyPast({ home, repo }: Sandbox, data: string): Past {
  const [from, to] = [join(data, 'transcripts'), join(home, '.claude/projects/past')];
  mkdirSync(to, { recursive: true });
  const files = readdirSync(from).filter((file) => file.endsWith('.jsonl'));
  for (const file of files) {
    const text = readFileSync(join(from, file), 'utf8');
    const [, cwd = ''] = /"cwd":"([^"]+)"/.exec(text) ?? [];
    writeFileSync(join(to, file), cwd === '' ? text : text.replaceAll(cwd, repo));
  }
  const judged = JSON.parse(readFileSync(join(data, 'model-judged.json'), 'utf8')) as {
    text: string;
    label: string;
  }[];
  return {
    sessions: files.length,
    isRight: (line) => {
      const found = judged.find(({ text }) => line.includes(text));
      return found === undefined ? undefined : found.label === 'right';
    },
  };
}
