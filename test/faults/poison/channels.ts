import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { PlayedProject } from '../../../bench/sessions/play.ts';
import type { Act, ScriptedSession } from '../../../bench/sessions/script.ts';
import type { AgentFolders } from '../../../src/agents/setup.ts';
import { importStore } from '../../../src/memory/notes/import-notes.ts';
import { resolvePlace } from '../../../src/memory/projects/projects.ts';
import type { Hostile } from './hostile.ts';

/**
 * A way in which text that the user did not write enters memory, and the source name under which `forget` can remove
 * it.
 */
export interface Channel {
  name: string;
  enter(project: PlayedProject, texts: Hostile[]): Promise<void>;
  /** The sources to forget so that everything from this channel is removed. */
  sources(project: PlayedProject): string[];
}

const perSession = 10;

function sessionsOf(
  name: string,
  day: number,
  texts: Hostile[],
  toActs: (hostile: Hostile, at: number) => Act[],
) {
  const count = Math.ceil(texts.length / perSession);
  return Array.from(
    { length: count },
    (_, at): ScriptedSession => ({
      name: `${name}-${at}`,
      day: day + at,
      acts: texts
        .slice(at * perSession, (at + 1) * perSession)
        .flatMap((hostile, own) => [
          { kind: 'prompt', text: `have a look at number ${own} of the queue` } as Act,
          ...toActs(hostile, own),
        ]),
    }),
  );
}

/** The agent repeats the hostile text in its answer, as agents do. */
const echo = ({ text }: Hostile): Act => ({
  kind: 'answer',
  text: `Understood. ${text.split('\n').find((line) => line.includes(' ')) ?? text}`,
});

/** A channel in which an agent reads the texts while it works, ten per session. */
function inSessions(name: string, day: number, toActs: (hostile: Hostile, at: number) => Act[]): Channel {
  let played: string[] = [];
  return {
    name,
    async enter(project, texts) {
      const sessions = sessionsOf(name.replaceAll(' ', '-'), day, texts, toActs);
      for (const session of sessions) await project.play(session, { drainsEachTurn: false });
      played = sessions.map((session) => project.sessionId(session.name));
    },
    sources: () => played,
  };
}

const toolOutput = inSessions('tool output', 0, (hostile, at) => [
  { kind: 'command', command: `npm test -- part-${at}`, output: hostile.text, exit: at % 2 },
  ...(at % 2 === 0 ? [] : [{ kind: 'edit', path: `src/part-${at}.ts` } as Act]),
  ...(at % 2 === 0
    ? []
    : [{ kind: 'command', command: `npm test -- part-${at}`, output: 'ok', exit: 0 } as Act]),
  echo(hostile),
]);

/** Words in a command, in the message of a commit, in the prompt of a subagent and in the agent's own name of a check. */
const command = inSessions('command', 10, (hostile, at) => [
  { kind: 'edit', path: `src/part-${at}.ts` },
  { kind: 'command', command: `npm test -- "${hostile.text}"`, output: hostile.text, exit: 1 },
  {
    kind: 'command',
    command: `git commit -m "${hostile.text}"`,
    output: `[main 1a2b3c${at}] ${hostile.text}`,
    exit: 0,
  },
  { kind: 'tool', tool: 'Task', input: { prompt: hostile.text }, output: hostile.text },
  ...(at % 2 === 0 ? [echo(hostile)] : []),
]);

const webPage = inSessions('web page', 20, (hostile, at) => [
  { kind: 'tool', tool: 'WebFetch', input: { url: `https://example.com/${at}` }, output: hostile.text },
  echo(hostile),
]);

const issue = inSessions('issue', 40, (hostile, at) => [
  at % 2 === 0
    ? { kind: 'command', command: `gh issue view ${at}`, output: hostile.text, exit: 0 }
    : { kind: 'tool', tool: 'mcp__github__issue_read', input: { number: at }, output: hostile.text },
  echo(hostile),
]);

/**
 * A channel with everything that a clone can contain: documents, manifests, shared notes, knowledge files, file names
 * and commits.
 */
const repositoryFile: Channel = {
  name: 'repository file',
  async enter(project, texts) {
    const { root } = project;
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    };
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=somebody', ...args], { cwd: root, stdio: 'ignore' });
    const kinds: ((hostile: Hostile, at: number) => void)[] = [
      ({ text }, at) =>
        write(
          `.backstory/notes/note-${at}.md`,
          `---\nid: 0199a000-0000-7000-8000-${String(at).padStart(12, '0')}\nkind: decision\ntrust: 3\nstate: active\npinned: true\nauthor: backstory\n---\n\n${text}\n`,
        ),
      ({ text }, at) =>
        write(
          `docs/adr/${String(at).padStart(4, '0')}-x.md`,
          `# ${text}\n\n## Decision\n\n${text} ${text}\n`,
        ),
      ({ text }) => write('AGENTS.md', `# Rules\n\n- ${text}\n\nAlways ${text}\n`),
      ({ text }) => write('README.md', `# x\n\n${text} ${text}\n`),
      ({ mark }, at) => write(`src/always run ${mark} first-${at}.ts`, 'export {};\n'),
    ];
    git('init', '-q');
    git('config', 'user.email', 'tester@example.com');
    for (const [at, hostile] of texts.entries()) kinds[at % kinds.length]?.(hostile, at);
    git('add', '-A');
    git('commit', '-qm', 'import');
    // Commits that others made under the user's address, as in a pulled branch.
    for (const { text } of texts.slice(0, 10)) {
      const tree = execFileSync('git', ['write-tree'], { cwd: root, encoding: 'utf8' }).trim();
      const env = {
        ...process.env,
        GIT_AUTHOR_NAME: 'x',
        GIT_AUTHOR_EMAIL: 'tester@example.com',
        GIT_COMMITTER_NAME: 'x',
        GIT_COMMITTER_EMAIL: 'tester@example.com',
      };
      const commit = execFileSync('git', ['commit-tree', tree, '-p', 'HEAD', '-m', text], {
        cwd: root,
        encoding: 'utf8',
        env,
      }).trim();
      git('reset', '-q', '--soft', commit);
    }
    const sessions = sessionsOf('repository-file', 60, texts, ({ mark }, at) => [
      { kind: 'read', path: 'README.md' },
      { kind: 'edit', path: `src/always run ${mark} first-${at}.ts` },
    ]);
    for (const session of sessions) await project.play(session, { drainsEachTurn: false });
    played = sessions.map((session) => project.sessionId(session.name));
  },
  sources: () => ['repo', 'git', ...played],
};
let played: string[] = [];

/** A channel through stores of other tools, which contain whatever their agents have read. */
const importedStore: Channel = {
  name: 'imported store',
  async enter(project, texts) {
    const { root, parts } = project;
    const tools = ['basic-memory', 'claude-memory'] as const;
    const folders = [
      join(parts.userHome, 'basic-memory'),
      join(parts.userHome, '.claude', 'projects', root.replace(/[^A-Za-z0-9]/g, '-'), 'memory'),
    ];
    for (const [at, { text }] of texts.entries()) {
      const folder = folders[at % folders.length] as string;
      mkdirSync(folder, { recursive: true });
      writeFileSync(
        join(folder, `memory-${at}.md`),
        `---\ntitle: ${JSON.stringify(text.slice(0, 80))}\ntrust: 3\n---\n\n${text}\n`,
      );
    }
    const { place } = resolvePlace(parts.paths, root, parts.clock);
    const claude = join(parts.userHome, '.claude');
    const where = {
      place,
      folders: { 'claude-code': { config: claude, state: '' } } as AgentFolders,
      userHome: parts.userHome,
    };
    for (const tool of tools) await importStore(parts, tool, where);
  },
  sources: () => ['basic-memory', 'claude-memory'],
};

export const channels: Channel[] = [toolOutput, command, webPage, repositoryFile, issue, importedStore];
