import { bareCommand } from '../memory/prelude/short-command.ts';
import { harmlessLine } from '../text/fence.ts';
import { says } from '../text/session-title.ts';
import type { ChangeAnswer } from '../wire/answers/change.ts';
import type { Quote } from '../wire/answers/memory.ts';
import { shortWords, writtenLines } from './render-change.ts';

/** Words of the user that a person may publish with a change. */
export interface PublishedWords {
  kind: 'Asked' | 'Decided' | 'Rejected';
  text: string;
}

const maxLength = 500;
const maxLineLength = 600;
const maxCodeLength = 200;

/** The user's words in the turns of a change. What agents wrote is not among them, nor what nobody is known to have typed. */
export function publishable({ turns }: ChangeAnswer): PublishedWords[] {
  const own = (kind: PublishedWords['kind'], quotes: Quote[]): PublishedWords[] =>
    quotes
      .filter(({ by }) => by === 'user')
      .map((quote) => ({ kind, text: shortWords(quote, maxLength) }))
      .filter(({ text }) => kind !== 'Asked' || says(text));
  const all = turns.flatMap(({ asked, decided, rejected }) => [
    ...own('Asked', asked),
    ...own('Decided', decided),
    ...own('Rejected', rejected),
  ]);
  return [...new Map(all.map((words) => [words.text, words])).values()];
}

/** Text of others on one line of Markdown: it can be neither markup nor an address of somebody. */
const inert = (text: string): string =>
  harmlessLine(text, maxLineLength).replace(/[\\`*_{}[\]<>#@|~!]/g, '\\$&');
const code = (text: string): string => `\`${harmlessLine(text, maxCodeLength).replaceAll('`', "'")}\``;

const section = (title: string, lines: string[]): string[] =>
  lines.length === 0 ? [] : ['', `**${title}**`, '', ...lines.map((line) => `- ${line}`)];

export function changeAsMarkdown(
  answer: ChangeAnswer,
  { words, shared }: { words: PublishedWords[]; shared: string[] },
): string {
  const [total = '', ...files] = writtenLines(answer);
  const tests = answer.tests.flatMap(({ command, result, isBeforeLastEdit }) => {
    const bare = bareCommand(`$ ${command}`);
    return bare === '' ? [] : [`${code(bare)} ${result}${isBeforeLastEdit ? ', before the last edit' : ''}`];
  });
  const commits = answer.commits.map(({ hash, subject }) => `${code(hash.slice(0, 12))} ${inert(subject)}`);
  const kinds = ['Asked', 'Decided', 'Rejected'] as const;
  return [
    '## Backstory of this change',
    ...kinds.flatMap((kind) =>
      section(
        kind,
        words.filter((each) => each.kind === kind).map(({ text }) => inert(text)),
      ),
    ),
    ...section('Notes of this repository', shared.map(inert)),
    ...section('Written by', total === '' ? [] : [inert(total)]),
    ...section('Tests run by agents', tests),
    ...section('Commits', commits),
    ...(files.length === 0
      ? []
      : [
          '',
          '<details><summary>Files</summary>',
          '',
          ...files.map((line) => `- ${inert(line)}`),
          '',
          '</details>',
        ]),
  ].join('\n');
}
