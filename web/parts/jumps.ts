import { api } from '../api.ts';
import { chosenProject } from '../project.ts';
import { linkTo } from '../router.ts';
import { fileLink } from './file-link.ts';
import type { IconName } from './icon.tsx';

/** A place outside of memory: a file, a line, a symbol, a session, a commit, a topic or a setting. */
export interface Jump {
  link: string;
  icon: IconName;
  title: string;
  detail: string;
  /** It has the name that was typed, or one that begins with it, if it looks like one of code. */
  isNamed?: boolean;
}

const shown = 4;
const maxSessions = 100;
/** How long a list of a project is used while the user types. */
const keptMs = 30_000;

/** Finds places by their names: one promise for each kind of place, because some take longer than others. */
export function findJumps(text: string): Promise<Jump[]>[] {
  if (text === '') return [];
  // A line may follow the name: `resume.go:203`.
  const [, name = '', line] = /^(.*?)(?::(\d+)(?:-\d+)?)?$/s.exec(text) ?? [];
  return [
    filesNamed(name, line),
    symbolsNamed(name),
    sessionsTitled(text),
    topicsWith(text),
    settingsNamed(text),
    commitWith(text.toLowerCase()),
  ];
}

async function filesNamed(name: string, line: string | undefined): Promise<Jump[]> {
  const { items } = await api.files(name, shown);
  return items
    .filter(({ reason }) => reason === 'path_match')
    .map(({ path }) => ({
      link: fileLink(path, line === undefined ? {} : { line: Number(line) }),
      icon: 'file',
      title: line === undefined ? path : `${path}:${line}`,
      detail: 'File',
      isNamed: `/${path}`.endsWith(`/${name}`),
    }));
}

/** Symbols whose names begin with a word, found through the names in the lines that contain it. */
async function symbolsNamed(name: string): Promise<Jump[]> {
  const word = name.split(/[.:#]/).at(-1) ?? '';
  if (!/^[\p{L}_$][\p{L}\p{N}_$]{2,}$/u.test(word)) return [];
  const { items } = await api.code(word, 50);
  const begun = new RegExp(`(?<![\\p{L}\\p{N}_])${word.replaceAll('$', '\\$')}[\\p{L}\\p{N}_$]*`, 'giu');
  const names = items.flatMap(({ hits }) => hits.flatMap(({ text }) => text.match(begun) ?? []));
  const likely = [...new Set(names)].sort((a, b) => a.length - b.length).slice(0, shown);
  const defined = await Promise.all(likely.map((each) => api.definitions(each, 2)));
  return defined
    .flatMap(({ items: own }) => own)
    .slice(0, shown)
    .map((symbol) => ({
      link: fileLink(symbol.path, { line: symbol.startLine, to: symbol.endLine }),
      icon: 'code',
      title: symbol.container === '' ? symbol.name : `${symbol.container}.${symbol.name}`,
      detail: `${symbol.kind}, ${symbol.path}:${symbol.startLine}`,
      isNamed: symbol.name.toLowerCase() === word.toLowerCase() || /_|\p{Ll}\p{Lu}/u.test(word),
    }));
}

/** Asks for a list of the chosen project again when it is old. */
function keeping<T>(ask: () => Promise<T>): () => Promise<T> {
  let last: { of: string; at: number; answer: Promise<T> } | undefined;
  return () => {
    const of = chosenProject.value;
    if (last?.of !== of || Date.now() - last.at > keptMs) last = { of, at: Date.now(), answer: ask() };
    return last.answer;
  };
}

const sessions = keeping(() => api.timeline({ limit: maxSessions }));
const health = keeping(() => api.health());

async function sessionsTitled(text: string): Promise<Jump[]> {
  const words = text.toLowerCase().split(/\s+/);
  return (await sessions()).items
    .filter(({ id, title, branch }) =>
      words.every((word) => `${id} ${title} ${branch}`.toLowerCase().includes(word)),
    )
    .slice(0, shown)
    .map(({ id, title, branch }) => ({
      link: linkTo('session', id),
      icon: 'timeline',
      title: title || 'No prompt',
      detail: `Session ${branch}`,
      isNamed: text.includes(' ') && ` ${title}`.toLowerCase().includes(` ${text.toLowerCase()}`),
    }));
}

async function commitWith(hash: string): Promise<Jump[]> {
  if (!/^[0-9a-f]{7,40}$/.test(hash)) return [];
  const found = { icon: 'commit', detail: 'Commit', isNamed: true } as const;
  const event = await api.event(hash).catch(() => undefined);
  if (event?.kind === 'commit')
    return [{ ...found, link: linkTo('event', hash), title: event.text.split('\n', 1).join() }];
  // A commit that was rebased or squashed since is known only to the session that made it.
  return (await sessions()).items.flatMap(({ id, commits }) =>
    commits
      .filter((commit) => hash.startsWith(commit.hash) || commit.hash.startsWith(hash))
      .map(({ subject }) => ({ ...found, link: linkTo('session', id), title: subject })),
  );
}

async function topicsWith(words: string): Promise<Jump[]> {
  const { items } = await api.topics({ words, limit: shown });
  return items
    .filter(({ topic = '' }) => topic.toLowerCase().includes(words.toLowerCase()))
    .map(({ id, topic = '' }) => ({
      link: linkTo('note', id),
      icon: 'topics',
      title: topic,
      detail: 'Topic',
    }));
}

async function settingsNamed(text: string): Promise<Jump[]> {
  const word = text.toLowerCase();
  return (await health()).settings
    .filter(({ key }) => word.length > 2 && key.toLowerCase().includes(word))
    .map(({ key, value }) => ({
      link: linkTo('health', '', { setting: key }),
      icon: 'health',
      title: key,
      detail: `Setting: ${JSON.stringify(value)}`,
      isNamed: key.toLowerCase() === word,
    }));
}
