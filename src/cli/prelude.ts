import { drain } from '../memory/drain.ts';
import { sinceThen } from '../memory/prelude/news-since-prelude.ts';
import { preludeText, readPrelude } from '../memory/prelude/prelude-file.ts';
import { estimateTokens } from '../text/tokens.ts';
import type { Command } from './command.ts';
import { isSet } from './command.ts';

export const preludeCommand: Command = {
  name: 'prelude',
  usage: 'prelude [--why]',
  summary: 'Print exactly what the next agent session will be told, and why each line is in it.',
  group: 'What do we know?',
  options: { why: { type: 'boolean' } },
  async run(app, given) {
    const place = app.place();
    const parts = app.open({ id: place.project, name: place.name });
    await drain({ ...parts, askedIn: place.root });
    const prelude = readPrelude(app.paths.project(place.project).prelude);
    const lines = prelude?.lines ?? [];
    const since = sinceThen(parts.log, prelude?.position ?? {});
    const text = preludeText(lines, since, place.name);
    const tokens = estimateTokens(text);
    // Another process may be at this work, for another checkout.
    const other = prelude?.comparedWith === place.root ? undefined : prelude?.comparedWith;
    const comparedWith = other === undefined ? {} : { comparedWith: other };
    const value = { text, tokens, characters: text.length, lines, since, ...comparedWith };
    if (text === '') return { value, text: 'Empty: nothing has been captured or remembered here yet.' };
    const why = isSet(given, 'why')
      ? lines.flatMap((line) => ['', line.text, `  ${app.style.dim(`because: ${line.reason}`)}`])
      : [];
    const size = app.style.dim(`about ${tokens} tokens, ${text.length} characters`);
    const elsewhere = other === undefined ? [] : [`Compared with the code in ${other}, not with that here.`];
    // Broken at the edge of the terminal it would not be what is told.
    return { value, text: [text, '', size, ...elsewhere, ...why].join('\n'), isVerbatim: true };
  },
};
