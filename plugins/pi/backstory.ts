// Backstory: memory for coding agents. `backstory install pi` wrote this file, `backstory uninstall pi` removes it.
import { spawn } from 'node:child_process';
import { delimiter, isAbsolute } from 'node:path';

/**
 * Pi has no command hooks, so this extension passes its events to the Backstory hook, a separate program. It never
 * throws into Pi. Pi waits only for answers, and never longer than `waitMs`.
 */
const hook: string[] = ['backstory-hook'];
const recall: string[] = ['backstory', 'recall', '--json'];
const waitMs = 3_000;
const changingTools = ['bash', 'edit', 'write'];
const fileTools = ['edit', 'write', 'read'];
/** Commands that may show files. Backstory reads all others later from Pi's own session file. */
const readingCommand = /\b(?:cat|head|tail|sed|nl|awk|rg|grep)\b/;

/** What `pi @file` puts before the prompt. A file may contain the end of the block, so it reaches to the last one. */
const mentionedFiles = /^<file name="[\s\S]*<\/file>\n/;

/**
 * As an npm package, the hook is found by its name. A checkout can contain a program of that name, which a relative
 * folder in PATH, or the one that npm puts first, would find.
 */
const folders = (process.env.PATH ?? '').split(delimiter);
const isTrusted = (folder: string): boolean =>
  isAbsolute(folder) && !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder);
const env = { ...process.env, PATH: folders.filter(isTrusted).join(delimiter) };

/** Events that a hook has not received yet. */
const pending = new Set<Promise<void>>();

/** Runs a program and returns its output; empty if it failed. */
function run([program, ...args]: string[], input: string): Promise<string> {
  let received = () => {};
  const handover = new Promise<void>((resolve) => {
    received = resolve;
  });
  pending.add(handover);
  handover.then(() => pending.delete(handover));
  const ran = new Promise<string>((resolve) => {
    const child = spawn(program as string, args, {
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    });
    let printed = '';
    child.stdout.on('data', (data) => {
      printed += data;
    });
    child.on('error', () => resolve(''));
    child.on('close', () => resolve(printed));
    child.stdin.on('error', () => {});
    child.stdin.end(input, received);
  }).catch(() => '');
  ran.then(received);
  return ran;
}

function withTimeout<T>(promise: Promise<T>, fallback: T): Promise<T> {
  const timeout = new Promise<T>((resolve) => {
    setTimeout(resolve, waitMs, fallback).unref();
  });
  return Promise.race([promise, timeout]);
}

async function callHook(event: object): Promise<{ prelude?: string; denied?: string }> {
  const input = JSON.stringify({ backstory: { agent: 'pi', pid: process.pid, ...event } });
  try {
    return JSON.parse(await withTimeout(run(hook, input), '{}'));
  } catch {
    return {};
  }
}

/** The part that Pi 0.73 and 1.5 have in common. */
interface Session {
  getSessionId?(): string;
  getSessionFile?(): string | undefined;
  getEntries?(): { type: string; id?: string; timestamp?: string; message?: { role?: string } }[];
}
interface Context {
  cwd: string;
  isIdle?(): boolean;
  sessionManager?: Session;
}
interface Message {
  role: string;
  content: string | { type: string; text?: string }[];
}
export interface Pi {
  // biome-ignore lint/suspicious/noExplicitAny: each event has its own shape, and Pi's types are not installed here.
  on(event: string, handler: (event: any, context: Context) => unknown): void;
  registerTool(tool: object): void;
  /** Adds an entry to the session file that the model does not get. */
  appendEntry(type: string, data: object): void;
  /** Present only in versions of Pi that support MCP. */
  registerMcpServer?: unknown;
}

const about = ({ cwd, sessionManager }: Context) => ({
  session: sessionManager?.getSessionId?.() ?? '',
  transcript: sessionManager?.getSessionFile?.() ?? '',
  cwd,
});

/** Id of the current prompt, as Pi's session file names it. */
function turnOf({ sessionManager }: Context): string {
  const isPrompt = (entry: { type: string; message?: { role?: string } }) =>
    entry.type === 'message' && entry.message?.role === 'user';
  const prompt = sessionManager?.getEntries?.().findLast(isPrompt);
  return prompt === undefined ? '' : `${prompt.id}:${prompt.timestamp}`;
}

const textOf = (content: Message['content']): string =>
  typeof content === 'string'
    ? content
    : content
        .filter((block) => block?.type === 'text')
        .map(({ text }) => text ?? '')
        .join('\n');

function lastAnswer(messages: Message[]): string {
  return textOf(messages.findLast(({ role }) => role === 'assistant')?.content ?? '');
}

const supportsMcp = (pi: Pi): boolean => pi.registerMcpServer !== undefined;

/** Versions of Pi that support MCP get the tools from the server in their settings. */
export default (pi: Pi): void => start(pi, !supportsMcp(pi));

export function start(pi: Pi, addsRecallTool: boolean): void {
  if (process.env.BACKSTORY_OFF === '1' || process.env.BACKSTORY_INTERNAL === '1') return;
  const hasMcp = supportsMcp(pi);
  let cause = 'startup';
  let hasPrelude = false;
  let answer = '';
  /** What the user typed last, before Pi replaces a template or a skill by its text. */
  let typed: string | undefined;
  /** Rules that are told with the result of a tool call, by its id. */
  const rules = new Map<string, string>();

  pi.on('session_start', ({ reason }, { sessionManager }) => {
    const hasPast = sessionManager?.getEntries?.().some(({ type }) => type === 'message') === true;
    cause = reason === 'startup' && hasPast ? 'resume' : reason;
    hasPrelude = false;
  });

  pi.on('input', ({ text, source }, context) => {
    typed = source === 'extension' ? undefined : text.replace(mentionedFiles, '');
    // What is typed while Pi works starts no run of its own.
    if (typed === undefined || context.isIdle?.() !== false) return;
    callHook({ event: 'prompt', ...about(context), prompt: { text: typed } });
    typed = undefined;
  });

  pi.on('before_agent_start', async ({ prompt, images }, context) => {
    const event = hasPrelude ? { event: 'prompt' } : { event: 'session-start', cause };
    hasPrelude = true;
    const said = typed === undefined ? {} : { prompt: { text: typed } };
    // The session file gets only the text of the template, and what Pi says about images after that of the user.
    if (typed !== undefined && (typed !== prompt || images?.length > 0))
      pi.appendEntry('backstory', { typed });
    typed = undefined;
    const { prelude } = await callHook({ ...event, ...about(context), ...said });
    if (typeof prelude !== 'string' || prelude === '') return undefined;
    return { message: { customType: 'backstory', content: prelude, display: false } };
  });

  pi.on('agent_end', ({ messages }, context) => {
    answer = lastAnswer(messages ?? []);
    // Before 1.0 this is the last event of a turn. Later versions may continue and then send agent_settled.
    if (!hasMcp) callHook({ event: 'stop', ...about(context), answer });
  });

  pi.on('agent_settled', (_event, context) => {
    callHook({ event: 'stop', ...about(context), answer });
  });

  pi.on('tool_call', async ({ toolName, toolCallId, input }, context) => {
    if (!changingTools.includes(toolName)) return undefined;
    const tool = { name: toolName, id: toolCallId, input };
    const { prelude, denied } = await callHook({ event: 'before-tool', ...about(context), tool });
    if (typeof denied === 'string') return { block: true, reason: denied };
    if (typeof prelude === 'string') rules.set(toolCallId, prelude);
    return undefined;
  });

  pi.on('tool_result', ({ toolName, toolCallId, input, content, details, isError }, context) => {
    const told = rules.get(toolCallId);
    rules.delete(toolCallId);
    const withRule =
      told === undefined || !Array.isArray(content)
        ? undefined
        : { content: [...content, { type: 'text', text: told }] };
    const isReading = toolName === 'bash' && readingCommand.test(input?.command);
    if (!isReading && !fileTools.includes(toolName)) return withRule;
    const output = textOf(content ?? '');
    const tool = { name: toolName, id: toolCallId, input, details, output, failed: isError === true };
    callHook({ event: 'tool', ...about(context), turn: turnOf(context), tool });
    return withRule;
  });

  pi.on('session_compact', (_event, context) => {
    hasPrelude = false;
    cause = 'compact';
    callHook({ event: 'compact', cause, ...about(context) });
  });

  pi.on('session_shutdown', async ({ reason }, context) => {
    if (hasPrelude) callHook({ event: 'session-end', cause: reason ?? '', ...about(context) });
    // The hooks themselves outlive Pi.
    await withTimeout(Promise.all(pending).then(String), '');
  });

  if (!addsRecallTool) return;
  pi.registerTool({
    name: 'recall',
    label: 'Recall',
    description:
      'Search the memory of this project: what was decided, asked, changed and tried in earlier sessions of any agent.',
    parameters: {
      type: 'object',
      properties: { query: { type: 'string', description: 'What to find, in plain words or identifiers.' } },
      required: ['query'],
    },
    async execute(_id: string, { query }: { query: string }) {
      const text = await run([...recall, '--', query], '');
      return { content: [{ type: 'text', text: text === '' ? 'No results.' : text }], details: {} };
    },
  });
}
