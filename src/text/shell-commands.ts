/** One command of a command line, up to `&&`, `|`, `;` or the end of the line. */
export interface ShellCommand {
  /** The program and its arguments, without quotes. Empty for one that only ends a subshell. */
  words: string[];
  /** Files that redirections write. */
  writes: string[];
  /** The text that the program reads: a here-document, a here-string, or what `echo` or `cat` before a pipe prints. */
  input: string;
  /** The command lines in `$(…)`, `<(…)` and backquotes. */
  nested: string[];
  /** How many subshells `(…)` are around it. */
  level: number;
  /** What stands behind it: `&&`, `||`, `|`, `&`, `;`, a line break, a parenthesis, or nothing. */
  operator: string;
}

const plainRun = /[^'"\\;\n|<>`& \t\r()$#]+/y;
const quotedRun = /[^"\\$`]+/y;
const redirection = /\d*(<<<|<<-?|&>>?|>>|>\||>&|<&|<>|>(?!\()|<(?!\())/y;
const substitution = /`|[$<>]\(/y;

/** Where the next word belongs. The word after `<` is a file that is only read. */
type Target = 'words' | 'writes' | 'input' | 'document' | 'nothing';

/**
 * Splits a command line into commands: quotes, `&&`, pipes, redirections, here-documents and subshells. It does not
 * expand variables. A line that no shell would accept gives whatever could be read. Each character is read once.
 */
export function shellCommands(line: string): ShellCommand[] {
  const all: ShellCommand[] = [];
  const pipes: [ShellCommand, ShellCommand][] = [];
  const documents: { end: string; of: ShellCommand }[] = [];
  let level = 0;
  const start = (): ShellCommand => ({ words: [], writes: [], input: '', nested: [], level, operator: '' });
  let now = start();
  let word: string | undefined;
  let target: Target = 'words';
  let printer: ShellCommand | undefined;
  let at = 0;

  const add = (text: string) => {
    word = (word ?? '') + text;
  };
  const endWord = () => {
    if (word === undefined) return;
    if (target === 'input') now.input = word;
    else if (target === 'document') documents.push({ end: word, of: now });
    else if (target !== 'nothing') now[target].push(word);
    target = 'words';
    word = undefined;
  };
  const endCommand = (sign: string) => {
    endWord();
    target = 'words';
    if (now.words.length + now.writes.length + now.nested.length > 0) {
      now.operator = '&|'.includes(sign) && line[at + 1] === sign ? sign + sign : sign;
      all.push(now);
      if (printer !== undefined) pipes.push([printer, now]);
      printer = sign === '|' && line[at + 1] !== '|' ? now : undefined;
    } else if (sign !== '\n') printer = undefined;
    level = Math.max(0, level + (sign === '(' ? 1 : sign === ')' ? -1 : 0));
    now = start();
    // Says that the subshell ended, even if another begins at once.
    if (sign === ')') all.push(start());
  };
  const take = (expression: RegExp): RegExpExecArray | null => {
    expression.lastIndex = at;
    const found = expression.exec(line);
    if (found !== null) at = expression.lastIndex;
    return found;
  };
  const readSubstitution = (): boolean => {
    const open = take(substitution)?.[0];
    if (open === undefined) return false;
    const end = open === '`' ? indexOrEnd(line, '`', at) : closingParenthesis(line, at);
    now.nested.push(line.slice(at, end));
    add('$()');
    at = end + 1;
    return true;
  };
  const readQuoted = () => {
    add('');
    while (at < line.length && line[at] !== '"') {
      const run = take(quotedRun)?.[0];
      if (run !== undefined) add(run);
      else if (line[at] === '\\') {
        const next = line[at + 1] ?? '';
        add('"\\$`'.includes(next) ? next : next === '\n' ? '' : `\\${next}`);
        at += 2;
      } else if (!readSubstitution()) add(line[at++] as string);
    }
    at++;
  };
  const readDocuments = () => {
    for (const { end, of } of documents.splice(0)) {
      const from = at;
      let next = at;
      while (next < line.length) {
        at = next;
        next = indexOrEnd(line, '\n', at) + 1;
        if (line.slice(at, next).trim() === end) break;
        at = next;
      }
      of.input = line.slice(from, at);
      at = next;
    }
  };

  while (at < line.length) {
    const sign = line[at] as string;
    const redirected = take(redirection)?.[1];
    if (redirected !== undefined) {
      endWord();
      target = targets[redirected] ?? 'writes';
    } else if (sign === '$' && `'"`.includes(line[at + 1] ?? ' ')) {
      // `$'…'` and `$"…"` are quotes, too.
      at++;
    } else if (sign === "'") {
      const end = indexOrEnd(line, "'", at + 1);
      add(line.slice(at + 1, end));
      at = end + 1;
    } else if (sign === '"') {
      at++;
      readQuoted();
    } else if (sign === '\\') {
      if (line[at + 1] !== '\n') add(line[at + 1] ?? '');
      at += 2;
    } else if (sign === '#' && word === undefined) at = indexOrEnd(line, '\n', at);
    else if (' \t\r'.includes(sign)) {
      endWord();
      at++;
    } else if ('\n;&|()'.includes(sign)) {
      endCommand(sign);
      at++;
      if (sign === '\n') readDocuments();
    } else if (!readSubstitution()) add(take(plainRun)?.[0] ?? (line[at++] as string));
  }
  endCommand('');
  for (const [before, reader] of pipes) reader.input ||= printedBy(before);
  return all;
}

const targets: Record<string, Target> = {
  '<<<': 'input',
  '<<': 'document',
  '<<-': 'document',
  '<': 'nothing',
  '<>': 'nothing',
  '<&': 'nothing',
  '>&': 'nothing',
};

function indexOrEnd(line: string, sign: string, from: number): number {
  const at = line.indexOf(sign, from);
  return at === -1 ? line.length : at;
}

function closingParenthesis(line: string, from: number): number {
  let open = 1;
  let at = from;
  for (; at < line.length; at++) {
    const sign = line[at] as string;
    if (sign === "'" || sign === '"') at = indexOrEnd(line, sign, at + 1);
    else if (sign === '\\') at++;
    else if (sign === '(') open++;
    else if (sign === ')' && --open === 0) break;
  }
  return Math.min(at, line.length);
}

/** What a command prints, if its arguments or its here-document say so. */
export const printedBy = ({ words, input }: ShellCommand): string =>
  /^(?:echo|printf)$/.test(words[0] ?? '')
    ? words.slice(1).join(' ').replaceAll('\\n', '\n')
    : words[0] === 'cat'
      ? input
      : '';
