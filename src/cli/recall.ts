import { AppError } from '../base/errors.ts';
import type { Hit, RecallAnswer } from '../domain/hit.ts';
import { recall } from '../recall/recall.ts';
import { ageOf, kindLabel, shortHitId, sourceLabel } from '../recall/render.ts';
import { thoroughLimits } from '../recall/with-index.ts';
import type { App, Command } from './command.ts';
import { stringOf } from './command.ts';
import { filterFrom, filterOptions } from './filters.ts';

export const recallCommand: Command = {
  name: 'recall',
  usage:
    'recall QUESTION [--kind K] [--file F] [--folder F] [--concept C] [--agent A] [--session S] [--branch B] [--since T] [--until T] [--trust N] [--limit N] [--offset N]',
  summary: 'Find what was said, decided and done in this project.',
  group: 'What do we know?',
  options: { ...filterOptions, limit: { type: 'string' }, offset: { type: 'string' } },
  async run(app, given) {
    const text = given.positionals.join(' ').trim();
    if (text === '')
      throw new AppError('INVALID_QUERY', 'what should be recalled?', {
        hint: 'backstory recall "why postgres"',
      });
    const place = app.place();
    const progress = app.progress('Indexing');
    const answer = await recall(
      app.open({ id: place.project, name: place.name }),
      {
        text,
        ...filterFrom(given, app.clock.now()),
        limit: wholeNumber(stringOf(given, 'limit'), 'limit') ?? 20,
        offset: wholeNumber(stringOf(given, 'offset'), 'offset') ?? 0,
      },
      { ...thoroughLimits, onProgress: progress.update },
    );
    progress.end();
    return { value: toJson(answer), text: toText(answer, text, app) };
  },
};

function wholeNumber(text: string | undefined, name: string): number | undefined {
  if (text === undefined || /^\d{1,6}$/.test(text)) return text === undefined ? undefined : Number(text);
  throw new AppError('INVALID_ARGUMENT', `${name} must be a whole number, not ${text}`, {
    hint: `backstory recall --${name} 20 "…"`,
  });
}

const toJson = ({ hits, ...rest }: RecallAnswer) => ({
  hits: hits.map(({ chunk, ...hit }) => ({ ...hit, ...chunk, id: hit.id })),
  ...rest,
});

function toText(answer: RecallAnswer, question: string, app: App): string {
  const { style } = app;
  if (answer.hits.length === 0) {
    return `Nothing here matches ${style.bold(question)}.\n${style.dim('Try other words, or `backstory status` to see what is captured.')}`;
  }
  const lines = answer.hits.map((hit) => {
    const about = [
      style.mark(kindLabel(hit.chunk)),
      ageOf(hit.chunk.at, app.clock.now()),
      sourceLabel(hit.chunk),
    ];
    return `${style.bold(shortHitId(hit))}  ${about.join(style.dim(' · '))}${style.dim(whyFound(hit))}\n  ${hit.preview}`;
  });
  const more = answer.truncated ? `\n${style.dim('There are more; use --limit or --offset.')}` : '';
  const hint = style.dim('\n`backstory show ID` opens one in full.');
  const lag = answer.incomplete
    ? `\n${style.bad('The newest events are not indexed yet; ask again in a moment.')}`
    : '';
  return lines.join('\n') + more + lag + hint;
}

const whyFound = ({ ranks }: Hit): string => (ranks.tail === undefined ? '' : ' · not indexed yet');
