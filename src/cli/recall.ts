import { AppError } from '../base/errors.ts';
import { sessionsAround } from '../memo/caller.ts';
import { defaultLimit, maxWordings, type RecallAnswer, type RecallQuery } from '../recall/hit.ts';
import { fitPage, pageSize } from '../recall/page.ts';
import { parseFilter, questionOf } from '../recall/parse-filter.ts';
import {
  type AnswerFormat,
  labelParts,
  moreHits,
  ownText,
  recallRecord,
  remarks,
  shortHitId,
  stateLines,
  triedLines,
  whyText,
} from '../recall/render.ts';
import { renderList } from '../recall/render-list.ts';
import { thoroughLimits } from '../recall/with-index.ts';
import { askRecall } from '../remote/recall-with-team.ts';
import type { Drift } from '../wire/answers/memory.ts';
import type { App, Command } from './command.ts';
import { isSet } from './command.ts';
import {
  filterOptions,
  filterTexts,
  filterUsage,
  wholeNumber,
  wordingsOf,
  wordingsOption,
} from './filters.ts';

export const recallCommand: Command = {
  name: 'recall',
  usage: `recall [QUESTION] [--or WORDING]… [--expand] ${filterUsage} [--full] [--explain] [--limit N] [--offset N]`,
  summary:
    'Search what was said, decided and done in this project; without a question, tell the last work, or list what a filter matches.',
  group: 'Memory',
  options: {
    ...wordingsOption,
    expand: {
      about: 'Let the model that you chose write other wordings. It gets the question and the project name.',
    },
    ...filterOptions,
    full: { about: 'Show the whole text of each result.' },
    explain: { about: 'Show why each result was found.' },
    limit: { about: 'Maximum number of results.', value: 'N' },
    offset: { about: 'Number of results to skip.', value: 'N' },
  },
  needsPerson: (args) => (isSet(args, 'expand') ? 'Sending a question to a model' : undefined),
  async run(app, args) {
    const filter = filterTexts(args);
    const given = questionOf(
      { text: args.positionals.join(' '), wordings: wordingsOf(args) },
      parseFilter(filter, app.clock.now()),
    );
    const asked = isSet(args, 'expand') ? await expand(app, given) : given;
    const progress = app.progress('Indexing');
    const parts = app.open();
    const format: AnswerFormat = isSet(args, 'full') ? 'full' : 'index';
    const limit =
      wholeNumber(args, 'limit') ?? (isSet(args, 'json') && asked.text !== '' ? defaultLimit : undefined);
    const page = {
      offset: wholeNumber(args, 'offset') ?? 0,
      ...(limit === undefined ? {} : { limit: Math.max(1, limit) }),
    };
    const limits = { ...thoroughLimits, onProgress: progress.update };
    const now = app.clock.now();
    const askingSessions = await sessionsAround(parts, app.agentAround(), now);
    const answer = await askRecall(
      parts,
      { ...filter, query: asked.text, wordings: asked.wordings, ...page },
      { limits, code: app.checkedCode(), askingSessions },
    );
    progress.end();
    const isList = asked.text === '' && format === 'index' && !isEmpty(answer);
    return {
      value: recallRecord(answer),
      text: isList
        ? listText(answer, app, page.offset)
        : toText(answer, asked.text, { app, ...page, format, explain: isSet(args, 'explain') }),
    };
  },
};

const isEmpty = ({ hits, sessions = [] }: RecallAnswer): boolean => hits.length + sessions.length === 0;

function listText(answer: RecallAnswer, { clock, style }: App, offset: number): string {
  const next = `--offset ${offset + (answer.sessions ?? answer.hits).length}`;
  const open = answer.sessions === undefined ? 'show ID' : 'recall --session ID';
  return [
    renderList(answer, { now: clock.now(), style, offset, next }),
    ...remarks(answer).map(style.bad),
    ...(answer.truncated && answer.total === undefined ? [style.dim(`There are more: ${next}`)] : []),
    style.dim(`To open one: backstory ${open}`),
  ].join('\n');
}

type Asked = Pick<RecallQuery, 'text' | 'wordings'>;

async function expand(app: App, { text, wordings = [] }: Asked): Promise<Asked> {
  const room = maxWordings - wordings.length;
  if (room === 0) return { text, wordings };
  if (text === '')
    throw new AppError('INVALID_QUERY', '--expand needs a question', {
      hint: 'backstory recall "why postgres" --expand',
    });
  const { writeWordings } = await import('./write-wordings.ts');
  return { text, wordings: [...wordings, ...(await writeWordings(app, text, room))] };
}

function toText(
  answer: RecallAnswer,
  question: string,
  { app, format, explain, limit, offset }: Shown,
): string {
  const { style } = app;
  const now = app.clock.now();
  const tried = triedLines(answer, now, format);
  const doubts = remarks(answer).map(style.bad);
  const { recap = [] } = answer;
  if (answer.hits.length + recap.length === 0) {
    const asked = question === '' ? '' : ` for ${style.bold(question)}`;
    const hint = style.dim('Try other words, or `backstory status` to see what is captured.');
    return [`No results${asked}.`, hint, ...doubts].join('\n');
  }
  const mark = (text: string, { state }: Drift): string =>
    ['current', 'moved', 'unchecked'].includes(state) ? text : style.bad(text);
  const entries = answer.hits.map((hit) => {
    const label = labelParts(hit, now, { mark });
    const below = [
      `${style.bold(shortHitId(hit.chunk))}  ${label.map(style.dim).join(style.dim(' · '))}`,
      ...stateLines(hit, format).map(style.bad),
      ...(explain ? [style.dim(whyText(hit))] : []),
    ];
    return { text: ownText(hit, format), about: below.map((line) => `  ${line}`).join('\n') };
  });
  const head = [
    ...recap,
    ...(answer.match === 'weak' && recap.length === 0
      ? [style.bad('No good match. These are the closest results.')]
      : []),
    ...tried.map((line) => `${style.mark('tried before')}  ${line}`),
  ];
  const foot = (shown: number): string[] => {
    const more = moreHits(answer, shown, limit);
    const next = more === '' ? '' : `More with --offset ${offset + shown}: ${more}. `;
    const hint = format === 'full' ? '' : 'Whole texts: --full, or backstory show ID.';
    return [...doubts, ...(next + hint === '' ? [] : [style.dim((next + hint).trimEnd())])];
  };
  const page = (hits: string[]): string => [...head, ...hits, ...foot(hits.length)].join('\n');
  if (format === 'full' || limit !== undefined)
    return page(entries.map(({ text, about }) => `${text}\n${about}`));
  return page(fitPage(entries, page([]), { ...pageSize, columns: app.columns }));
}

interface Shown {
  app: App;
  format: AnswerFormat;
  explain: boolean;
  limit?: number;
  offset: number;
}
