import { AppError } from '../base/errors.ts';
import { defaultLimit, type Hit, type RecallAnswer } from '../domain/hit.ts';
import { withSession } from '../memory/sessions/agent-sessions.ts';
import { driftText } from '../recall/drift-text.ts';
import { questionOf } from '../recall/parse-filter.ts';
import {
  type AnswerFormat,
  ageOf,
  earlierLines,
  kindLabel,
  readerLines,
  recallRecord,
  remarks,
  shortHitId,
  sourceLabel,
  teamRemark,
  triedLine,
  whyText,
} from '../recall/render.ts';
import { renderList } from '../recall/render-list.ts';
import { thoroughLimits } from '../recall/with-index.ts';
import { recallWithTeam } from '../remote/recall-with-team.ts';
import { harmless } from '../text/fence.ts';
import type { App, Command } from './command.ts';
import { isSet, stringOf } from './command.ts';
import {
  filterFrom,
  filterOptions,
  filterUsage,
  wholeNumber,
  wordingsOf,
  wordingsOption,
} from './filters.ts';

export const recallCommand: Command = {
  name: 'recall',
  usage: `recall [QUESTION] [--or WORDING]… ${filterUsage} [--format index|full] [--explain] [--limit N] [--offset N]`,
  summary: 'Search what was said, decided and done in this project; without a question, list it.',
  group: 'Memory',
  options: {
    ...wordingsOption,
    ...filterOptions,
    format: {
      type: 'string',
      about: 'One line per result, or the full text.',
      value: 'FORMAT',
      choices: ['index', 'full'],
    },
    explain: { type: 'boolean', about: 'Show why each result was found.' },
    limit: { type: 'string', about: 'Maximum number of results.', value: 'N' },
    offset: { type: 'string', about: 'Number of results to skip.', value: 'N' },
  },
  async run(app, args) {
    const filterOptionsGiven = filterFrom(args, app.clock.now());
    const asked = questionOf(
      { text: args.positionals.join(' '), wordings: wordingsOf(args) },
      filterOptionsGiven,
      'backstory recall "why postgres", or --kind decision for the newest',
    );
    const format = stringOf(args, 'format') ?? 'index';
    if (format !== 'index' && format !== 'full')
      throw new AppError('INVALID_ARGUMENT', `unknown format: ${format}`, {
        hint: '--format index or full',
      });
    const progress = app.progress('Indexing');
    const parts = app.open();
    const filter = await withSession(parts, filterOptionsGiven);
    const limit = wholeNumber(args, 'limit') ?? (asked.text === '' ? undefined : defaultLimit);
    const page = {
      ...(limit === undefined ? {} : { limit: Math.max(1, limit) }),
      offset: wholeNumber(args, 'offset') ?? 0,
    };
    const limits = { ...thoroughLimits, onProgress: progress.update };
    const question = { ...filter, ...asked, now: app.clock.now(), ...page };
    const answer = await recallWithTeam(parts, question, limits, app.checkedCode());
    progress.end();
    const isList = asked.text === '' && format === 'index' && !isEmpty(answer);
    return {
      value: recallRecord(answer),
      text: isList
        ? listText(answer, app, page.offset)
        : toText(answer, asked.text, { app, format, explain: isSet(args, 'explain') }),
    };
  },
};

const isEmpty = ({ hits, sessions = [], readers = [] }: RecallAnswer): boolean =>
  hits.length + sessions.length + readers.length === 0;

function listText(answer: RecallAnswer, { clock, style }: App, offset: number): string {
  const next = `--offset ${offset + (answer.sessions ?? answer.hits).length}`;
  const open = answer.sessions === undefined ? 'show ID' : 'recall --session ID';
  return [
    renderList(answer, { now: clock.now(), style, offset, next }),
    ...remarks({ ...answer, truncated: false }).map(style.bad),
    ...(answer.truncated && answer.total === undefined ? [style.dim(`There are more: ${next}`)] : []),
    style.dim(`To open one: backstory ${open}`),
  ].join('\n');
}

function toText(
  answer: RecallAnswer,
  question: string,
  { app, format, explain }: { app: App; format: AnswerFormat; explain: boolean },
): string {
  const { style } = app;
  const readers = (answer.readers ?? []).map((reader) => {
    const [first, ...rest] = readerLines(reader, app.clock.now());
    return `${style.mark('read, not changed')}  ${[first, ...rest].join('\n  ')}\n`;
  });
  const absent = teamRemark(answer)
    .map((line) => `\n${style.bad(line)}`)
    .join('');
  if (answer.hits.length === 0 && readers.length === 0) {
    return `No results${question === '' ? '' : ` for ${style.bold(question)}`}.\n${style.dim('Try other words, or `backstory status` to see what is captured.')}${absent}`;
  }
  const lines = answer.hits.map((hit) => {
    const about = [
      style.mark(kindLabel(hit.chunk)),
      ageOf(hit.chunk.at, app.clock.now()),
      sourceLabel(hit.chunk),
    ];
    const own = format === 'full' ? harmless(hit.chunk.text) : hit.preview;
    const text = `${own}${earlierLines(hit)}`.replaceAll('\n', '\n  ');
    const why = explain ? `\n  ${style.dim(whyText(hit))}` : '';
    return `${style.bold(shortHitId(hit.chunk))}  ${about.join(style.dim(' · '))}${style.dim(whereFound(hit))}${driftLabel(hit, app)}\n  ${text}${why}`;
  });
  const tried = (answer.failedPaths ?? []).map(
    (failed) => `${style.mark('tried before')}  ${triedLine(failed, app.clock.now())}\n`,
  );
  const doubt =
    answer.match === 'weak' ? `${style.bad('No good match. These are the closest results.')}\n` : '';
  const more = answer.truncated ? `\n${style.dim('There are more; use --limit or --offset.')}` : '';
  const hint = style.dim('\nTo open one in full: backstory show ID');
  const lag = answer.incomplete
    ? `\n${style.bad('The newest events are not indexed yet. Try again in a moment.')}`
    : '';
  const found = [...tried, ...lines.map((line) => `${line}\n`), ...readers].join('').trimEnd();
  return doubt + found + more + lag + absent + hint;
}

/**
 * Returns the drift of a hit as text; empty for a memory that refers to no code. Drift is highlighted, so that it is
 * not overlooked.
 */
function driftLabel({ drift }: Hit, { style }: App): string {
  if (drift === undefined || drift.state === 'unanchored') return '';
  const isValid = ['current', 'moved', 'unchecked'].includes(drift.state);
  return `${style.dim(' · ')}${(isValid ? style.dim : style.bad)(driftText(drift))}`;
}

const whereFound = ({ ranks, chunk }: Hit): string =>
  ranks.tail === undefined || chunk.team !== undefined ? '' : ' · not indexed yet';
