import type { AgentName } from '../domain/event.ts';
import type { MemoStep } from '../domain/memo.ts';
import { type Savings, savingsOf } from '../memo/savings.ts';
import { stepsOf } from '../memo/steps.ts';
import { ageOf } from '../recall/render.ts';
import { counted } from '../text/counted.ts';
import type { App, Command } from './command.ts';
import { wholeNumber } from './filters.ts';

const dayMs = 24 * 60 * 60 * 1000;
const defaultDays = 30;
const shownSessions = 10;

interface SessionStats extends Savings {
  agent: AgentName;
  agentSession: string;
  lastAt: number;
}

export const statsCommand: Command = {
  name: 'stats',
  usage: 'stats [--days N]',
  summary: 'What Backstory spared agents and what it cost them, in tokens.',
  group: 'Look inside',
  options: { days: { type: 'string' } },
  async run(app, given) {
    const days = wholeNumber(given, 'days') ?? defaultDays;
    const place = app.place();
    const parts = app.open({ id: place.project, name: place.name });
    const { steps } = await stepsOf(parts, { since: app.clock.now() - days * dayMs });
    const sessions = sessionsOf(steps);
    const value = { days, estimated: true, sessions, total: totalOf(sessions) };
    return { value, text: toText(value, app) };
  },
};

function sessionsOf(steps: MemoStep[]): SessionStats[] {
  const bySession = new Map<string, MemoStep[]>();
  for (const step of steps)
    bySession.set(step.agentSession, [...(bySession.get(step.agentSession) ?? []), step]);
  return [...bySession]
    .filter(([agentSession]) => agentSession !== '')
    .map(([agentSession, own]) => ({
      agent: own.find(({ kind }) => kind !== 'served')?.agent ?? 'backstory',
      agentSession,
      lastAt: own.at(-1)?.at ?? 0,
      ...savingsOf(own),
    }))
    .sort((a, b) => b.lastAt - a.lastAt);
}

function totalOf(sessions: SessionStats[]): Savings {
  const total = savingsOf([]);
  for (const key of Object.keys(total) as (keyof Savings)[])
    total[key] = sessions.reduce((sum, session) => sum + session[key], 0);
  return total;
}

function toText(
  { days, sessions, total }: { days: number; sessions: SessionStats[]; total: Savings },
  app: App,
): string {
  if (sessions.length === 0) return `No agent session in the last ${days} days.`;
  const { style } = app;
  const lines: [string, number, string][] = [
    ['re-reads avoided', total.rereadTokens, `${counted(total.rereadsAvoided, 'file')}`],
    ['searches avoided', total.searchTokens, `${total.searchesAvoided} searches`],
    ['preludes', -total.preludeTokens, ''],
    ['tool answers', -total.answerTokens, `${total.answers} answers`],
    ['tool definitions', -total.definitionTokens, `at most; ${counted(sessions.length, 'session')}`],
    ['net', total.netTokens, ''],
  ];
  const width = Math.max(...lines.map(([, tokens]) => grouped(tokens).length));
  return [
    style.dim(`Tokens (estimated), ${sessions.length} agent sessions in ${days} days`),
    ...lines.map(([name, tokens, of]) =>
      `${name.padEnd(17)} ${grouped(tokens).padStart(width)}  ${style.dim(of)}`.trimEnd(),
    ),
    '',
    ...sessions
      .slice(0, shownSessions)
      .map(
        ({ agent, agentSession, lastAt, netTokens }) =>
          `${grouped(netTokens).padStart(width)}  ${agent} session ${agentSession.slice(0, 8)} ${style.dim(ageOf(lastAt, app.clock.now()))}`,
      ),
  ].join('\n');
}

const grouped = (tokens: number): string => tokens.toLocaleString('en-US');
