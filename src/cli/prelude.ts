import { drain } from '../memory/drain.ts';
import { newsSince } from '../memory/prelude/news-since-prelude.ts';
import { preludeText, readPrelude } from '../memory/prelude/prelude-file.ts';
import { estimateTokens } from '../text/tokens.ts';
import type { Command } from './command.ts';
import { isSet } from './command.ts';

export const preludeCommand: Command = {
  name: 'prelude',
  usage: 'prelude [--why]',
  summary: 'Print the context that the next agent session gets; --why explains each line.',
  group: 'Memory',
  options: { why: { type: 'boolean', about: 'Show why each line is included.' } },
  async run(app, args) {
    const place = app.place();
    const parts = app.open(place.project);
    await drain({ ...parts, callerRoot: place.root });
    const prelude = readPrelude(app.paths, place.project);
    const lines = prelude?.lines ?? [];
    const since = newsSince(parts.log, prelude?.position ?? {});
    const text = preludeText(lines, since, place.name, prelude?.digest);
    const tokens = estimateTokens(text);
    // Another process may have rendered the prelude (the context for new sessions) for another checkout of the project.
    const other = prelude?.comparedWith === place.root ? undefined : prelude?.comparedWith;
    const comparedWith = other === undefined ? {} : { comparedWith: other };
    const value = { text, tokens, characters: text.length, lines, since, ...comparedWith };
    if (text === '') return { value, text: 'Empty: this project has no memory yet.' };
    const why = isSet(args, 'why')
      ? lines.flatMap((line) => ['', line.text, `  ${app.style.dim(`because: ${line.reason}`)}`])
      : [];
    const size = app.style.dim(`about ${tokens} tokens, ${text.length} characters`);
    const elsewhere =
      other === undefined ? [] : [`Compared with the code in ${other}, not with this checkout.`];
    // Printed verbatim, because wrapping lines would change the text that the agent gets.
    return { value, text: [text, '', size, ...elsewhere, ...why].join('\n'), isVerbatim: true };
  },
};
