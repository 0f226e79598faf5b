import { AppError } from '../base/errors.ts';
import type { Drift } from '../domain/anchor.ts';
import type { Chunk } from '../domain/chunk.ts';
import { previewLimit } from '../domain/hit.ts';
import { checkedTimeline } from '../drift/checked-timeline.ts';
import { driftText } from '../recall/drift-text.ts';
import { ageOf, kindLabel, shortHitId, sourceLabel } from '../recall/render.ts';
import type { Timeline } from '../recall/timeline.ts';
import { thoroughLimits } from '../recall/with-index.ts';
import { harmlessLine } from '../text/fence.ts';
import type { App, Outcome, ParsedArgs } from './command.ts';
import { wholeNumber } from './filters.ts';

export async function showAround(app: App, args: ParsedArgs): Promise<Outcome> {
  const target = args.positionals.join(' ').trim();
  if (target === '')
    throw new AppError('INVALID_QUERY', 'no id, time or question given', {
      hint: 'backstory show 2026-11-14 --around',
    });
  const [before, after] = [wholeNumber(args, 'before'), wholeNumber(args, 'after')];
  const { found, drifts, anchor, items } = await checkedTimeline(
    app.open(),
    {
      ...(isAnchor(target) ? { anchor: target } : { text: target }),
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    },
    thoroughLimits,
    app.checkedCode(),
  );
  return { value: { anchor, chunks: items }, text: toText(found, target, drifts, app) };
}

/** True if the text is an id as recall prints it, or a date. Any other text is treated as a question. */
const isAnchor = (text: string): boolean =>
  /^[0-9a-f-]{8,36}$/.test(text) || /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z?)?$/.test(text);

function toText({ anchor, chunks }: Timeline, target: string, drifts: Map<Chunk, Drift>, app: App): string {
  if (chunks.length === 0) return `No results for ${app.style.bold(target)}.`;
  return chunks
    .map((chunk) => lineOf(chunk, drifts.get(chunk), chunk.sourceId === anchor?.sourceId, app))
    .join('\n');
}

function lineOf(
  chunk: Chunk,
  drift: Drift | undefined,
  isAnchorItself: boolean,
  { style, clock }: App,
): string {
  const about = [
    style.mark(kindLabel(chunk)),
    ageOf(chunk.at, clock.now()),
    sourceLabel(chunk),
    ...(drift === undefined || drift.state === 'unanchored' ? [] : [driftText(drift)]),
  ];
  const id = `${isAnchorItself ? '→ ' : '  '}${style.bold(shortHitId(chunk))}`;
  return `${id}  ${about.join(style.dim(' · '))}\n    ${harmlessLine(chunk.text, previewLimit)}`;
}
