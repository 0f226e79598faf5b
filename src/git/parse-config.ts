/** All values of each key, in order. Section and variable names are in lower case, as git prints them. */
export type GitConfig = ReadonlyMap<string, string[]>;

/**
 * Parses a git configuration file as git does, but follows no include. Returns undefined if git would reject
 * the file. A hook reads the remote of a new folder and has no time to start git for it.
 */
export function parseGitConfig(text: string): GitConfig | undefined {
  const config = new Map<string, string[]>();
  const source = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  let section: string | undefined;
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (match !== null) at = pattern.lastIndex;
    return match;
  };
  while (at < source.length) {
    if (take(blank) !== null) continue;
    const header = take(sectionHeader);
    if (header !== null) {
      const [, name = '', quoted] = header;
      section = name.toLowerCase() + (quoted === undefined ? '' : `.${quoted.replaceAll(/\\(.)/g, '$1')}`);
      continue;
    }
    const name = take(variableName)?.[1];
    if (name === undefined || section === undefined) return undefined;
    const value = take(equals) === null ? withoutValue() : readValue();
    if (value === undefined) return undefined;
    const key = `${section}.${name.toLowerCase()}`;
    config.set(key, [...(config.get(key) ?? []), value]);
  }
  return config;

  /** A variable without a value means true. */
  function withoutValue(): string | undefined {
    return at === source.length || source[at] === '\n' ? 'true' : undefined;
  }

  function readValue(): string | undefined {
    let value = '';
    let spaces = '';
    let isQuoted = false;
    for (;;) {
      const letter = source[at++];
      if (letter === undefined || letter === '\n') return isQuoted ? undefined : value;
      if (!isQuoted && (letter === '#' || letter === ';')) {
        take(restOfLine);
        return value;
      }
      if (!isQuoted && /\s/.test(letter)) {
        if (value !== '') spaces += letter;
        continue;
      }
      value += spaces;
      spaces = '';
      if (letter === '"') isQuoted = !isQuoted;
      else if (letter === '\\') {
        const escaped = escapes[source[at++] ?? ''];
        if (escaped === undefined) return undefined;
        value += escaped;
      } else value += letter;
    }
  }
}

const blank = /[ \t\n]+|[#;][^\n]*/y;
const sectionHeader = /\[([A-Za-z0-9.-]+)(?:[ \t]+"((?:[^"\\\n]|\\[^\n])*)")?\]/y;
const variableName = /([A-Za-z][A-Za-z0-9-]*)[ \t]*/y;
const equals = /=[ \t]*/y;
const restOfLine = /[^\n]*\n?/y;
const escapes: Record<string, string> = { '\n': '', '"': '"', '\\': '\\', n: '\n', t: '\t', b: '\b' };
