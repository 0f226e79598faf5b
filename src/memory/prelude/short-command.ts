import { harmlessLine } from '../../text/fence.ts';
import { isPlainName } from '../../text/safe-name.ts';

/**
 * Reduces a command line to the program, at most two further words, two options, and paths. An agent wrote the command and
 * may have been steered by injected text, so quoted strings and prose are left out.
 */
export function bareCommand(text: string): string {
  const line = /^(?:failed[^\n]*\n)?\$ (.*)/.exec(text)?.[1] ?? '';
  const parts = line
    .replace(/"[^"]*"?|'[^']*'?/g, ' … ')
    .split(/[;|&<>()`#]/)
    .map((part) => part.trim().replace(/^(?:\w+=\S*\s+)+/, ''));
  const [program = '', ...words] = (parts.find((part) => part !== '' && !/^cd\b/.test(part)) ?? '').split(
    /\s+/,
  );
  if (program === '') return '';
  if (!plainWord.test(program) && !isPath(program)) return '…';
  const kept = [program];
  const options: string[] = [];
  let isTask = !['echo', 'printf'].includes(program);
  for (const word of words) {
    const isOption =
      optionWord.test(word) && isPlainName([...options, word].join('-').replace(/-{2,}/g, '-'));
    if (isOption) options.push(word);
    const isFact = (isOption && options.length <= maxOptions) || isPath(word);
    if (isFact || (isTask && plainWord.test(word) && kept.filter((one) => plainWord.test(one)).length < 3)) {
      kept.push(word);
    } else if (kept.at(-1) !== '…') {
      kept.push('…');
      isTask = false;
    }
  }
  return harmlessLine(kept.join(' '), maxLength);
}

const maxLength = 60;
const plainWord = /^[a-z][a-z0-9:_+-]{0,19}$/;
/** Several options could be a sentence. */
const optionWord = /^--?(?:\w{1,20}(?:-\w{1,12})?)?$/;
const maxOptions = 2;
const pathWord = /^(?=.*[./])\/?[\w@.-]+(?:\/[\w@.-]+)*\/?$/;
const isPath = (word: string): boolean => pathWord.test(word) && isPlainName(word.replace(/^\/|\/$/g, ''));
