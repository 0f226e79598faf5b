import { defaultDays, type SessionSavings, savingsOfSessions } from '../memo/savings.ts';
import { ageOf } from '../recall/render.ts';
import { plural } from '../text/plural.ts';
import type { Baseline } from '../wire/answers/project.ts';
import type { App, Outcome, ParsedArgs } from './command.ts';
import { wholeNumber } from './filters.ts';

const shownSessions = 10;

export async function tokenReport(app: App, args: ParsedArgs): Promise<Outcome> {
  const days = wholeNumber(args, 'days') ?? defaultDays;
  const parts = app.open();
  const value = await savingsOfSessions(parts, days, app.clock.now());
  return { value, text: toText(value, app) };
}

function toText({ days, sessions, total, baseline }: SessionSavings, app: App): string {
  const { withBackstory, without } = baseline;
  const read = ({ sessions: count, readTokens }: Baseline): string =>
    count === 0 ? 'no session' : `${grouped(readTokens)} in ${plural(count, 'session')}`;
  const compared = `Files read before the first edit, median: ${read(withBackstory)} with Backstory, ${read(without)} without`;
  if (sessions.length === 0)
    return `No session ran with Backstory in the last ${days} days.\n${app.style.dim(compared)}`;
  const { style } = app;
  const lines: [string, number, string][] = [
    ['re-reads avoided', total.rereadTokens, `${plural(total.rereadsAvoided, 'file')}`],
    [
      'searches avoided',
      total.searchTokens,
      total.searchesAvoided === 1 ? '1 search' : `${total.searchesAvoided} searches`,
    ],
    ['preludes', 0 - total.preludeTokens, ''],
    ['tool answers', 0 - total.answerTokens, plural(total.answers, 'answer')],
    ['tool definitions', 0 - total.definitionTokens, 'at most'],
    ['net', total.netTokens, ''],
  ];
  const width = Math.max(...lines.map(([, tokens]) => grouped(tokens).length));
  return [
    style.dim(
      `Tokens (estimated), ${plural(sessions.filter(isKnown).length, 'agent session')} and ${plural(sessions.length - sessions.filter(isKnown).length, 'MCP connection')} without a known session in ${days} days`,
    ),
    ...lines.map(([name, tokens, of]) =>
      [name.padEnd(17), grouped(tokens).padStart(width), ...(of === '' ? [] : [style.dim(` ${of}`)])].join(
        ' ',
      ),
    ),
    style.dim(compared),
    '',
    ...sessions.slice(0, shownSessions).map((session) => {
      const { agent, agentSession, title, lastAt, netTokens } = session;
      const name = isKnown(session) ? `session ${agentSession.slice(0, 8)} ${title}` : 'session not known';
      return `${grouped(netTokens).padStart(width)}  ${agent} ${name} ${style.dim(ageOf(lastAt, app.clock.now()))}`;
    }),
  ].join('\n');
}

const isKnown = ({ title }: SessionSavings['sessions'][number]): boolean => title !== undefined;
const grouped = (tokens: number): string => tokens.toLocaleString('en-US');
