/**
 * Runs a page of the documentation as a reader would. In a `console` block a line that starts with `$ ` is a command
 * and the lines below it are its output. An `sh` block contains only commands.
 */
export interface Terminal {
  /** Runs one command and returns what the terminal showed. */
  type(command: string): string;
}

const block = /^```(sh|console)\n([\s\S]*?)^```$/gm;

/**
 * Returns the page with the real output of its commands. Output that differs only in ids, dates, sizes or line breaks
 * is kept as in the page, so an unchanged page is correct.
 */
export function pageAsRun(page: string, terminal: Terminal): string {
  const ids = new Map<string, string>();
  return page.replaceAll(block, (whole, language: string, body: string) => {
    if (language === 'sh') {
      terminal.type(body);
      return whole;
    }
    const commands = body.split(/^(?=\$ )/m).map((part) => {
      const [line = '', ...expected] = part.trimEnd().split('\n');
      const shown = terminal.type(withIds(line.slice('$ '.length), ids)).trimEnd();
      return [line, ...outputOf(expected.join('\n'), shown, ids)].join('\n');
    });
    return `\`\`\`console\n${commands.join('\n')}\n\`\`\``;
  });
}

function outputOf(expected: string, shown: string, ids: Map<string, string>): string[] {
  const [onPage, now] = [idsIn(expected), idsIn(shown)];
  if (plain(expected) === plain(shown)) {
    for (const [at, id] of onPage.entries()) ids.set(id, now[at] as string);
    return expected === '' ? [] : [expected];
  }
  const namesOnPage = new Map([...ids].map(([id, real]) => [real, id]));
  return shown === '' ? [] : [withIds(shown, namesOnPage)];
}

const idPattern = /\b(?=[0-9a-f]*\d)[0-9a-f]{8,36}\b/g;
const idsIn = (text: string): string[] => text.match(idPattern) ?? [];
const withIds = (text: string, ids: Map<string, string>): string =>
  text.replaceAll(idPattern, (id) => ids.get(id) ?? id);

/** Numbers, ids and line breaks differ from run to run; words do not. */
const plain = (text: string): string =>
  text
    .replaceAll(idPattern, 'ID')
    .replaceAll(/\d+(?:[.:-]\d+)*/g, 'N')
    .replaceAll(/\b(?:just now|N s ago|N min ago)/g, 'AGE')
    .replaceAll(/\s+/g, '');
