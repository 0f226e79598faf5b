import { listCheckoutFolder, readCheckoutText } from '../../base/checkout-file.ts';
import { isRandom } from './randomness.ts';
import { createRedactor, type Redactor, rulesOnly } from './redact.ts';

/**
 * Secrets whose exact values are known: from `.env` files of the working tree and its workspaces, and from environment
 * variables with names of credentials. They are masked wherever they occur, and are never stored.
 */
export type Variables = Readonly<Record<string, string | undefined>>;

const maxFileBytes = 64 * 1024;
const maxFiles = 20;
const maxValues = 500;

const credentialName = /key|token|secret|pass|pwd|credential|auth|private|salt|dsn|webhook|signature|cert/i;
/** Variables that agents and shells set, whose names look like those of credentials but which are none. */
const noCredential =
  /(?:_SOCK|_FILE|_PATH|_DIR|_HOME|_FD|_URL|_HOST|_PORT|_PID|_ID|_NAME|_TYPE|_METHOD|_MODE|_ENDPOINT)$|^(?:PWD|OLDPWD|SSH_AUTH_SOCK|GPG_AGENT_INFO|PASSWORD_STORE_DIR)$/i;
const isPath = (value: string): boolean => /^(?:[A-Za-z]:)?[~.]{0,2}[\\/]|^file:/.test(value);
/** Whether a value is an ordinary word. Masking it would remove that word from every text. */
const isOrdinary = (value: string): boolean =>
  /^(?:[A-Za-z]+|\d{1,10}|localhost(?::\d+)?|[\d.]+)$/.test(value) ||
  // Two ordinary words joined by a dash, an underscore or a space.
  /^(?:[A-Z]?[a-z]+[-_ ][A-Z]?[a-z]+|[A-Z]+[-_ ][A-Z]+)$/.test(value);

export function redactorFor(roots: readonly string[], variables: Variables): Redactor {
  const values = secretValues(roots, variables);
  return values.length === 0 ? rulesOnly : createRedactor({ values });
}

export function secretValues(roots: readonly string[], variables: Variables): string[] {
  const values = new Set<string>();
  for (const [name, value = ''] of Object.entries(variables)) {
    if (credentialName.test(name) && !noCredential.test(name)) addValue(values, name, value, 8);
  }
  for (const root of roots) {
    for (const [name, value] of envFileValues(root)) addValue(values, name, value, 6);
  }
  return [...values].slice(0, maxValues).flatMap(spellings);
}

function addValue(values: Set<string>, name: string, value: string, minLength: number): void {
  const password = /^[a-z][a-z0-9+.-]*:\/\/[^\s:/@]*:([^\s@]+)@/i.exec(value)?.[1];
  if (password !== undefined && password.length >= 4) values.add(password);
  // A value that begins with a slash may be base64 rather than a path.
  if (value.length < minLength || (isPath(value) && !isRandom(value))) return;
  // Any other value is masked only if it looks random.
  const isNamed = credentialName.test(name) && !noCredential.test(name);
  if (isNamed ? !isOrdinary(value) || isLongWord(value) : value.length >= 12 && isRandom(value))
    values.add(value);
}

/** `DB_PASSWORD=correcthorsebattery` is worth masking; `PASSWORD=test` would remove "test" from every text. */
const isLongWord = (value: string): boolean =>
  value.length >= 12 && !/[-_ ]/.test(value) && !/^\d+$/.test(value);

/** The forms in which a value appears in plain text, JSON and URLs. */
function spellings(value: string): string[] {
  const first = value.split(/\r?\n/).filter((line) => line.length >= 6);
  return [
    ...new Set(first.flatMap((line) => [line, JSON.stringify(line).slice(1, -1), encodeURIComponent(line)])),
  ];
}

/** Maximum number of entries read of a folder. It bounds the time of a hook in a very large folder. */
const maxEntries = 10_000;
/** The folders of the root come first, then those of its workspaces. */
const maxFolders = 64;
const workspaces =
  /^(?:packages|apps|services|libs|modules|projects|sites|functions|servers|clients|plugins|examples)$/;
const noWorkspace =
  /^(?:\.|node_modules$|dist$|build$|out$|target$|vendor$|coverage$|__pycache__$|docs?$|tests?$)/;

/** Symbolic links are matched by name; the checkout reader decides whether to follow them. */
const envFileValues = (root: string): [name: string, value: string][] =>
  envFiles(root)
    .slice(0, maxFiles)
    .flatMap((path) => parseEnv(readCheckoutText(root, path, maxFileBytes) ?? ''));

function envFiles(root: string): string[] {
  const files: string[] = [];
  const folders = [''];
  for (let at = 0; at < folders.length && at < maxFolders; at++) {
    const folder = folders[at] as string;
    const under = (name: string): string => (folder === '' ? name : `${folder}/${name}`);
    for (const { name, kind } of listCheckoutFolder(root, folder, maxEntries)) {
      const isEnv = name.startsWith('.env') && !/example|sample|template|dist$|schema/i.test(name);
      if (isEnv && (kind === 'file' || kind === 'link')) files.push(under(name));
      const mayContain = folder === '' || workspaces.test(folder);
      if (kind === 'folder' && mayContain && !noWorkspace.test(name)) folders.push(under(name));
    }
  }
  return files;
}

const assignment = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*[=:][ \t]*(.*)$/;

export function parseEnv(text: string): [name: string, value: string][] {
  const entries: [name: string, value: string][] = [];
  const lines = text.split(/\r?\n/);
  for (let at = 0; at < lines.length; at++) {
    const [, name = '', given = ''] = assignment.exec(lines[at] as string) ?? [];
    if (name === '') continue;
    const quote = given[0];
    if (quote !== '"' && quote !== "'" && quote !== '`') {
      entries.push([name, given.replace(/\s+#.*$/, '').trim()]);
      continue;
    }
    let value = given.slice(1);
    // A quoted value may span several lines, such as a private key.
    while (!value.includes(quote) && at + 1 < lines.length) value += `\n${lines[++at]}`;
    const end = value.lastIndexOf(quote);
    entries.push([name, end === -1 ? value : value.slice(0, end)]);
  }
  return entries;
}
