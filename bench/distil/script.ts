import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { sha256 } from '../../src/base/ids.ts';

/**
 * Hand-written agent sessions for this evaluation: messages and actions, and below a line of dashes the facts worth
 * keeping, text that would be junk, and questions for later.
 *
 *     === name @day        a session, this many days after the project's first
 *     u:  the user          a:  the agent, one or more lines
 *     r:  a file is read    e:  a file is edited
 *     $   a command         |   a line of its output       !  its exit code, if it failed
 *     ---
 *     keep KIND/KIND: words & words|others     one note has all of these words; | separates alternatives
 *     fine: words                              a note with these is allowed but not required
 *     junk: words                              no note may contain these
 *     ask: question => words                   one of the first three hits contains them
 *     next: question => words                  one line of the next session's prelude contains them
 */
export type Act =
  | { kind: 'prompt'; text: string }
  | { kind: 'answer'; text: string }
  | { kind: 'read' | 'edit'; path: string }
  | { kind: 'command'; command: string; output: string; exit: number }
  /** Another tool, such as one that fetches a page, for evaluations with their own actions. */
  | { kind: 'tool'; tool: string; input: object; output: string };

/** Words to look for. Every entry must occur, in at least one of its alternatives. */
export type Words = string[][];

export interface ScriptedSession {
  name: string;
  project: string;
  day: number;
  /** True for sessions that are never used for tuning. They are chosen by a hash of the name. */
  isHeldOut: boolean;
  acts: Act[];
  keep: { kinds: string[]; words: Words }[];
  fine: Words[];
  junk: Words[];
  ask: { question: string; words: Words }[];
  next: { question: string; words: Words }[];
}

const folder = join(import.meta.dirname, 'sessions');

export function readSessions(): ScriptedSession[] {
  const sessions = readdirSync(folder)
    .sort()
    .flatMap((file) => readProject(basename(file, '.txt'), readFileSync(join(folder, file), 'utf8')));
  const byHash = sessions.map(({ name }) => sha256(name)).sort();
  const border = byHash[Math.ceil(byHash.length / 2)] ?? '';
  return sessions.map((session) => ({ ...session, isHeldOut: sha256(session.name) < border }));
}

function readProject(project: string, source: string): ScriptedSession[] {
  return source
    .split(/^=== /m)
    .slice(1)
    .map((part) => {
      const [head = '', ...lines] = part.split('\n');
      const [, name = '', day = '0'] = /^(\S+) @(\d+)$/.exec(head) ?? [];
      const border = lines.indexOf('---');
      if (name === '' || border < 0) throw new Error(`${project}: cannot read the session "${head}"`);
      return {
        name,
        project,
        day: Number(day),
        isHeldOut: false,
        acts: readActs(lines.slice(0, border)),
        ...readJudgement(lines.slice(border + 1), name),
      };
    });
}

function readActs(lines: string[]): Act[] {
  const acts: Act[] = [];
  for (const line of lines) {
    const last = acts.at(-1);
    const [, mark = '', rest = ''] = /^(u:|a:|r:|e:|\$|\||!) ?(.*)$/.exec(line) ?? [];
    if (mark === 'u:') acts.push({ kind: 'prompt', text: rest });
    else if (mark === 'a:') acts.push({ kind: 'answer', text: rest });
    else if (mark === 'r:') acts.push({ kind: 'read', path: rest });
    else if (mark === 'e:') acts.push({ kind: 'edit', path: rest });
    else if (mark === '$') acts.push({ kind: 'command', command: rest, output: '', exit: 0 });
    else if (mark === '|' && last?.kind === 'command') last.output += `${rest}\n`;
    else if (mark === '!' && last?.kind === 'command') last.exit = Number(rest);
    else if (last !== undefined && 'text' in last) last.text += `\n${line}`;
  }
  return acts.map((act) => ('text' in act ? { ...act, text: act.text.trim() } : act));
}

function readJudgement(lines: string[], name: string) {
  const judged: Pick<ScriptedSession, 'keep' | 'fine' | 'junk' | 'ask' | 'next'> = {
    keep: [],
    fine: [],
    junk: [],
    ask: [],
    next: [],
  };
  for (const line of lines.filter((one) => one.trim() !== '')) {
    const [, mark = '', kinds = '', rest = ''] =
      /^(keep|fine|junk|ask|next)(?: ([\w/-]+))?: (.*)$/.exec(line) ?? [];
    const [question = '', answer = ''] = rest.split(' => ');
    if (mark === 'keep') judged.keep.push({ kinds: kinds.split('/'), words: wordsOf(rest) });
    else if (mark === 'fine' || mark === 'junk') judged[mark].push(wordsOf(rest));
    else if (mark === 'ask' || mark === 'next') judged[mark].push({ question, words: wordsOf(answer) });
    else throw new Error(`${name}: cannot read "${line}"`);
  }
  return judged;
}

const wordsOf = (text: string): Words =>
  text.split(' & ').map((part) => part.split('|').map((one) => one.trim()));

/** True if the text contains the words. Ignores case and treats all white space alike. */
export function holdsWords(text: string, words: Words): boolean {
  const plain = plainOf(text);
  return words.every((alternatives) => alternatives.some((one) => plain.includes(plainOf(one))));
}

const plainOf = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ');
