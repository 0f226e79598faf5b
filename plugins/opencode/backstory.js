// Backstory: memory for coding agents. `backstory install opencode` wrote this file, `backstory uninstall opencode` removes it.
import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * OpenCode has no hooks, so this plugin passes on what it is told to ours, which runs as a program of its own. It
 * never throws into OpenCode and never makes it wait longer than `waitMs`.
 */
const hook = ['backstory-hook'];
const waitMs = 3_000;
const fileTools = ['edit', 'write', 'apply_patch', 'patch', 'read'];
/** Commands that may show files; all others are told by OpenCode's own record, a little later. */
const readingCommand = /\b(?:cat|head|tail|sed|nl|awk|rg|grep)\b/;

const pending = new Set();

/** What the hook printed; an empty object when it failed or took too long. */
function tell(said) {
  const told = new Promise((resolve) => {
    const [program, ...args] = hook;
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true });
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
    child.stdin.end(JSON.stringify({ backstory: { agent: 'opencode', pid: process.pid, ...said } }));
  }).catch(() => ({}));
  pending.add(told);
  told.finally(() => pending.delete(told));
  return within(told, {});
}

function within(promise, otherwise) {
  const late = new Promise((resolve) => {
    setTimeout(resolve, waitMs, otherwise).unref?.();
  });
  return Promise.race([promise, late]);
}

export const Backstory = async ({ client, directory }) => {
  if (process.env.BACKSTORY_OFF === '1' || process.env.BACKSTORY_INTERNAL === '1') return {};
  const database = join(
    process.env.XDG_DATA_HOME || join(homedir(), '.local', 'share'),
    'opencode',
    'opencode.db',
  );
  const sessions = new Map();
  /** Why a session is to be told the prelude; `told` once it was. One that this process did not begin is resumed. */
  const causes = new Map();

  async function sessionOf(id) {
    if (sessions.has(id)) return sessions.get(id);
    const answer = await within(
      client.session.get({ path: { id } }).catch(() => undefined),
      undefined,
    );
    // Without an answer it may be a subagent's, whose prompts are nobody's own words: better none.
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
        // A fork starts with a copy of what was said before, our words included.
        causes.set(id, / \(fork #\d+\)$/.test(event.properties.info?.title) ? 'fork' : 'startup');
      }
      const session = sessions.get(id);
      if (session === undefined || session.parentID) return;
      if (event.type === 'session.idle') await tell({ event: 'stop', ...about(session) });
      if (event.type === 'session.compacted') {
        causes.set(id, 'compact');
        await tell({ event: 'compact', cause: 'auto', ...about(session) });
      }
    },

    'chat.message': async ({ sessionID }, { message, parts }) => {
      try {
        const session = await sessionOf(sessionID);
        // What a subagent is asked and answers is in OpenCode's own record.
        if (session === undefined || session.parentID) return;
        session.turn = message.id;
        const typed = parts.find((part) => part.type === 'text' && !part.synthetic);
        const prompt = typed === undefined ? {} : { prompt: { id: typed.id, text: typed.text } };
        const cause = causes.get(sessionID) ?? 'resume';
        const isTold = cause === 'told';
        causes.set(sessionID, 'told');
        const said = isTold ? { event: 'prompt' } : { event: 'session-start', cause };
        const { prelude } = await tell({ ...said, ...about(session), ...prompt });
        const last = parts.at(-1);
        if (typeof prelude !== 'string' || prelude === '' || last === undefined) return;
        // Kept with the message, after what was typed: ids are in the order of parts.
        const id = `${last.id.slice(0, 16)}${'z'.repeat(14)}`;
        parts.push({ id, sessionID, messageID: message.id, type: 'text', text: prelude, synthetic: true });
      } catch {
        // A session without its memory is better than one that does not start.
      }
    },

    'tool.execute.after': async ({ tool, sessionID, callID, args }, output) => {
      const session = sessions.get(sessionID);
      if (session === undefined || session.parentID) return;
      const isReading = tool === 'bash' && readingCommand.test(args?.command);
      if (!isReading && !fileTools.includes(tool)) return;
      const result = { name: tool, id: callID, input: args, details: output?.metadata };
      tell({ event: 'tool', ...about(session), tool: result });
    },

    dispose: () => within(Promise.all(pending), undefined),
  };
};
