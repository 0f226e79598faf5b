// Backstory: memory for coding agents. `backstory install` wrote this file, `backstory uninstall` removes it.
import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';

/**
 * OpenCode has no command hooks, so this plugin passes its events to the Backstory hook, a separate program. It never
 * throws into OpenCode, except to deny a call. OpenCode waits only for answers, and never longer than `waitMs`.
 */
const hook = ['backstory-hook'];
/** Kilo is a fork of OpenCode and runs the same plugin. */
const agent = 'opencode';
const waitMs = 3_000;
const changingTools = ['bash', 'edit', 'write', 'apply_patch', 'patch'];
const fileTools = ['edit', 'write', 'apply_patch', 'patch', 'read'];
/** Commands that may show files. Backstory reads all others later from OpenCode's own database. */
const readingCommand = /\b(?:cat|head|tail|sed|nl|awk|rg|grep)\b/;

/**
 * As an npm package, the hook is found by its name. A checkout can contain a program of that name, which a relative
 * folder in PATH, or the one that npm puts first, would find.
 */
const folders = (process.env.PATH ?? '').split(delimiter);
const isTrusted = (folder) => isAbsolute(folder) && !/[\\/]node_modules[\\/]\.bin[\\/]?$/.test(folder);
const env = { ...process.env, PATH: folders.filter(isTrusted).join(delimiter) };

/** Events that a hook has not received yet. */
const pending = new Set();

/** Calls the hook and returns its output; an empty object if it failed or took too long. */
function callHook(event) {
  let received = () => {};
  const handover = new Promise((resolve) => {
    received = resolve;
  });
  pending.add(handover);
  handover.then(() => pending.delete(handover));
  const call = new Promise((resolve) => {
    const [program, ...args] = hook;
    const child = spawn(program, args, { env, stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true });
    let printed = '';
    child.stdout.on('data', (data) => {
      printed += data;
    });
    child.on('error', () => resolve({}));
    child.on('close', () => {
      try {
        resolve(JSON.parse(printed));
      } catch {
        resolve({});
      }
    });
    child.stdin.on('error', () => {});
    child.stdin.end(JSON.stringify({ backstory: { agent, pid: process.pid, ...event } }), received);
  }).catch(() => ({}));
  call.then(received);
  return withTimeout(call, {});
}

function withTimeout(promise, fallback) {
  const timeout = new Promise((resolve) => {
    setTimeout(resolve, waitMs, fallback).unref?.();
  });
  return Promise.race([promise, timeout]);
}

export const Backstory = async ({ client, directory }) => {
  if (process.env.BACKSTORY_OFF === '1' || process.env.BACKSTORY_INTERNAL === '1') return {};
  const database = join(
    process.env.XDG_DATA_HOME || join(homedir(), '.local', 'share'),
    agent,
    `${agent}.db`,
  );
  const sessions = new Map();
  /** Why a session gets the prelude; `done` once it has it. A session that this process did not create is resumed. */
  const causes = new Map();
  /** Rules that a session is to be told with the result of its next tool call. */
  const rules = new Map();

  async function sessionOf(id) {
    if (sessions.has(id)) return sessions.get(id);
    const answer = await withTimeout(
      client.session.get({ path: { id } }).catch(() => undefined),
      undefined,
    );
    // Without an answer it may be a subagent's session, whose prompts are not the user's words, so skip it.
    if (answer?.data === undefined) return undefined;
    sessions.set(id, { ...answer.data, turn: '' });
    return sessions.get(id);
  }

  const about = (session) => ({
    session: session.id,
    version: session.version,
    cwd: session.directory || directory,
    turn: session.turn,
    transcript: `${database}#${session.id}`,
  });

  return {
    event: async ({ event }) => {
      const id = event.properties?.sessionID;
      if (event.type === 'session.created') {
        sessions.set(id, { ...event.properties.info, turn: '' });
        // A fork starts with a copy of the conversation, including the prelude.
        causes.set(id, / \(fork #\d+\)$/.test(event.properties.info?.title) ? 'fork' : 'startup');
      }
      const session = sessions.get(id);
      if (session === undefined || session.parentID) return;
      if (event.type === 'session.idle') callHook({ event: 'stop', ...about(session) });
      if (event.type === 'session.compacted') {
        causes.set(id, 'compact');
        callHook({ event: 'compact', cause: 'auto', ...about(session) });
      }
    },

    // Kept with the message, because OpenCode stores only the text of the command's file.
    'command.execute.before': async ({ command, arguments: args }, { parts }) => {
      for (const part of parts.filter(({ type }) => type === 'text'))
        part.metadata = { ...part.metadata, backstory: { typed: `/${command} ${args}`.trim() } };
    },

    'chat.message': async ({ sessionID }, { message, parts }) => {
      try {
        const session = await sessionOf(sessionID);
        if (session === undefined) return;
        const typed = parts.find((part) => part.type === 'text' && !part.synthetic);
        const tell = (text) => {
          const last = parts.at(-1);
          if (typeof text !== 'string' || text === '' || last === undefined) return;
          // Appended to the message after the user's text. OpenCode sorts parts by id.
          const id = `${last.id.slice(0, 16)}${'z'.repeat(14)}`;
          parts.push({ id, sessionID, messageID: message.id, type: 'text', text, synthetic: true });
        };
        if (session.parentID) {
          // Prompts and answers of subagents are read from OpenCode's own database. The first prompt is the task.
          if (session.isTold) return;
          session.isTold = true;
          const { prelude } = await callHook({
            event: 'subagent-start',
            ...about(session),
            session: session.parentID,
            subagent: session.id,
            task: typed?.text ?? '',
          });
          tell(prelude);
          return;
        }
        session.turn = message.id;
        const prompt = typed === undefined ? {} : { prompt: typed };
        const cause = causes.get(sessionID) ?? 'resume';
        causes.set(sessionID, 'done');
        const event = cause === 'done' ? { event: 'prompt' } : { event: 'session-start', cause };
        const { prelude } = await callHook({ ...event, ...about(session), ...prompt });
        tell(prelude);
      } catch {
        // A session without memory is better than one that does not start.
      }
    },

    'tool.execute.before': async ({ tool, sessionID, callID }, { args }) => {
      if (!changingTools.includes(tool)) return;
      const session = await sessionOf(sessionID).catch(() => undefined);
      if (session === undefined) return;
      const call = { name: tool, id: callID, input: args };
      const { prelude, denied } = await callHook({ event: 'before-tool', ...about(session), tool: call });
      // The only way to deny a call. It happens only for rules that the user enforces.
      if (typeof denied === 'string') throw new Error(denied);
      if (typeof prelude === 'string') rules.set(sessionID, [...(rules.get(sessionID) ?? []), prelude]);
    },

    'tool.execute.after': async ({ tool, sessionID, callID, args }, output) => {
      const told = rules.get(sessionID);
      if (told !== undefined && typeof output?.output === 'string') {
        output.output = [output.output, ...told].join('\n\n');
        rules.delete(sessionID);
      }
      const session = sessions.get(sessionID);
      if (session === undefined || session.parentID) return;
      const isReading = tool === 'bash' && readingCommand.test(args?.command);
      if (!isReading && !fileTools.includes(tool)) return;
      const result = { name: tool, id: callID, input: args, details: output?.metadata };
      callHook({ event: 'tool', ...about(session), tool: result });
    },

    // The hooks themselves outlive OpenCode.
    dispose: () => withTimeout(Promise.all(pending), undefined),
  };
};
