import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { homePaths } from '../../src/base/paths.ts';
import type { Note } from '../../src/domain/note.ts';
import { drain, drainLimits } from '../../src/memory/drain.ts';
import { distilWithModel } from '../../src/memory/notes/distil-with-model.ts';
import type { PreludeLine } from '../../src/memory/prelude/prelude-file.ts';
import {
  failureLines,
  openLines,
  saidNotes,
  settledLines,
  settledNotes,
} from '../../src/memory/prelude/prelude-notes.ts';
import type { OpenProject } from '../../src/memory/projects/open-project.ts';
import type { Write } from '../../src/models/write.ts';
import { openLedger } from '../../src/spend/ledger.ts';
import { onEnd } from '../../test/harness/cleanup.ts';
import { openDrain } from '../../test/harness/home.ts';
import { installPackage } from '../../test/harness/package.ts';
import { createHook } from '../../test/support/in-process-hook.ts';
import { type McpServerUnderTest, startMcp } from '../../test/support/mcp.ts';
import { createSandbox } from '../../test/support/sandbox.ts';
import { hangMs, until } from '../../test/support/until.ts';

/** One exchange of a session, as a blind writer wrote it. */
export type Turn = { agent: string } | { user: string };

export interface RememberCall {
  topic: string;
  quote: string;
  reading?: string;
  proposal?: string;
  replaces?: string;
  kind?: string;
}

/** The sets of `data`: five writers who knew neither the code nor its rules. The first three are for development. */
export const writers = ['w1', 'w2', 'w3', 'w4', 'w5'];

export function readCases<T>(writer: string, file: string, isShort: boolean): T[] {
  const path = join('bench/statements/data', writer, `${file}.jsonl`);
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  return lines.filter((_, at) => !isShort || at % 8 === 0).map((line) => JSON.parse(line) as T);
}

/** A project in which sessions are played through the hook, in this process, and the installed MCP server. */
export interface Played {
  /** Plays a session, and then lets the agent call `remember`. Returns the answer of the tool. */
  play(session: string, turns: Turn[], call?: RememberCall): Promise<string>;
  /** Indexes everything and extracts notes, as a drain does. */
  settle(): Promise<void>;
  notes(): Promise<Note[]>;
  /** The session in which each note was said, by its id. */
  sessions(): Promise<Map<string, string>>;
  /** Everything that new sessions may be told, without the limit of room. */
  told(): Promise<PreludeLine[]>;
  /** Lets a model confirm what waits; `answer` gets the text of a request and returns the model's answer. */
  confirm(answer: (data: string) => string): Promise<void>;
}

let packed: string | undefined;

export async function playedProject(): Promise<Played> {
  packed ??= installPackage().folder;
  const installed = packed;
  const sandbox = createSandbox(installed);
  onEnd(sandbox.remove);
  sandbox.cli('install', 'claude-code');
  let server: McpServerUnderTest | undefined;
  const begun = new Set<string>();
  const run = createHook({
    paths: homePaths(join(sandbox.home, '.backstory')),
    clock: systemClock,
    userHome: sandbox.home,
    clientPid: process.pid,
  });
  const hook = (session: string, name: string, more: object): void =>
    void run({ session_id: session, cwd: sandbox.repo, hook_event_name: name, ...more });
  onEnd(() => void server?.stop());
  const started = Date.now() - 1_000;
  const open = (): OpenProject => {
    const folder = sandbox.projectFolder();
    return openDrain(homePaths(join(sandbox.home, '.backstory')), basename(folder), {
      userHome: sandbox.home,
      clock: systemClock,
    });
  };
  return {
    async play(session, turns, call) {
      if (!begun.has(session)) hook(session, 'SessionStart', { source: 'startup' });
      begun.add(session);
      for (const [at, turn] of turns.entries()) {
        const id = `${session}-${at}`;
        if ('user' in turn) hook(session, 'UserPromptSubmit', { prompt_id: id, prompt: turn.user });
        else
          hook(session, 'Stop', {
            prompt_id: `${session}-${at - 1}`,
            last_assistant_message: turn.agent,
          });
      }
      if (call === undefined) return '';
      server ??= await startMcp(sandbox, installed, 'core');
      const { content } = await server.call('remember', call);
      return content[0]?.text ?? '';
    },
    async settle() {
      await until(async () => {
        const report = await drain(open(), { ...drainLimits, maxMs: hangMs });
        return report.ran && report.isComplete;
      }, 'the drain did not end');
    },
    notes: () => open().notes.list(),
    async sessions() {
      const parts = open();
      const sessionOf = new Map(sandbox.events().map((event) => [event.id, event.agentSession]));
      const notes = await parts.notes.list();
      return new Map(
        notes.map(({ id, derivedFrom }) => [
          id,
          derivedFrom.map((from) => sessionOf.get(from) ?? '').find(Boolean) ?? '',
        ]),
      );
    },
    async told() {
      const notes = await open().notes.list();
      const settled = [...settledNotes(notes), ...saidNotes(notes)];
      return [
        ...settledLines(settled, notes, { before: () => '' }),
        ...failureLines(notes, notes.length),
        ...openLines(notes),
      ];
    },
    async confirm(answer) {
      const parts = open();
      // The last session would otherwise not be idle yet.
      const clock = { now: () => systemClock.now() + 3_600_000 };
      const ledger = openLedger(parts.paths.ledger, clock);
      const write: Write = async ({ data, purpose }) => {
        const attempt = ledger.begin({ provider: 'files', model: 'files', purpose, reserved: free });
        const text = purpose.kind === 'confirm' ? answer(data) : '{"statements":[]}';
        ledger.end(attempt, { outcome: 'written', why: '', charged: free, retryAfterMs: 0 });
        return { kind: 'written', text, attempt, charged: free };
      };
      await distilWithModel(
        { ...parts, clock, write, modelCalls: { ledger, since: started } },
        { retries: true, beginWithinMs: Number.MAX_SAFE_INTEGER },
      );
    },
  };
}

const free = { inputTokens: 0, outputTokens: 0, usd: 0 };

/** Letters and digits only: how a text was wrapped, quoted or ended does not matter. */
export const plain = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');

export const isToldIn = (lines: PreludeLine[], text: string): boolean => {
  const wanted = plain(text);
  return wanted !== '' && lines.some((line) => plain(line.text).includes(wanted));
};
