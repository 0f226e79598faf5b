import { mkdirSync } from 'node:fs';
import { basename } from 'node:path';
import type { Observation } from '../../src/agents/agent.ts';
import { hashId } from '../../src/base/hash.ts';
import { sha256 } from '../../src/base/ids.ts';
import type { AgentName, EventEnvelope } from '../../src/domain/event.ts';
import type { Note } from '../../src/domain/note.ts';
import { toEvent } from '../../src/memory/capture/capture.ts';
import { rulesOnly } from '../../src/memory/redact/redact.ts';
import type { RecallParts } from '../../src/recall/with-index.ts';
import { openProject } from '../../test/harness/home.ts';
import { type Document, documentOf, documentOfNote } from './baselines.ts';
import type { Act } from './story.ts';

/** An action with its time and session. */
export interface Placed {
  act: Act;
  at: number;
  agent: AgentName;
  agentSession: string;
  turn: string;
}

export interface WrittenProject {
  parts: RecallParts;
  documents: Document[];
  /** The id of the event or note that each action became; undefined if nothing is stored. */
  ids: (string | undefined)[];
  /** The turn of each event or note. */
  turns: Map<string, string>;
}

/**
 * Writes actions to a project's memory as capture does: redacted, stripped of noise, as events in a real log, and notes
 * as real files. Ids depend only on the project and the action.
 */
export async function writeProject(
  projectFolder: string,
  placed: readonly Placed[],
): Promise<WrittenProject> {
  const project = basename(projectFolder);
  mkdirSync(projectFolder, { recursive: true });
  const parts = openProject(projectFolder);
  const events: EventEnvelope[] = [];
  const documents: Document[] = [];
  const turns = new Map<string, string>();
  const ids: (string | undefined)[] = [];
  for (const [number, one] of placed.entries()) {
    const id = await keep(one, number);
    ids.push(id);
    if (id !== undefined) turns.set(id, one.turn);
  }
  parts.log.append(events);
  return { parts, documents, ids, turns };

  async function keep(one: Placed, number: number): Promise<string | undefined> {
    if (one.act.kind === 'note') {
      const note = noteOf(one, project, number);
      await parts.notes.put(note);
      documents.push(documentOfNote(note));
      return note.id;
    }
    const event = eventOf(one, project, number);
    const document = event === undefined ? undefined : documentOf(event);
    if (event === undefined || document === undefined) return undefined;
    events.push(event);
    documents.push(document);
    return event.id;
  }
}

function eventOf(one: Placed, project: string, number: number): EventEnvelope | undefined {
  const context = {
    device: '0123456789abcdef',
    actor: 'tester',
    agent: one.agent,
    agentVersion: '1.0.0',
    agentSession: one.agentSession,
    clientPid: 1,
    project,
    checkout: 'checkout',
    branch: 'main',
    head: '',
    root: '/work/repo',
    exclude: [],
    userHome: '/home/tester',
    redactor: rulesOnly,
  };
  const observation = observe(one, project, number);
  const isCommit = one.act.kind === 'commit';
  return toEvent(observation, isCommit ? { ...context, agent: 'backstory', agentSession: '' } : context, {
    now: () => one.at,
  });
}

function observe({ act, at, turn }: Placed, project: string, number: number): Observation {
  const common = { id: hashId('claude-code', `${project}-${number}`), at: new Date(at).toISOString() };
  switch (act.kind) {
    case 'prompt':
      return { ...common, kind: 'prompt', origin: 'user', trust: 2, body: { turn, text: act.text } };
    case 'answer':
      return { ...common, kind: 'answer', origin: 'assistant', trust: 1, body: { turn, text: act.text } };
    case 'edit': {
      const hunks = [{ oldStart: 1, newStart: 1, added: ['0a1b2c3d', '1b2c3d4e'], removed: ['2c3d4e5f'] }];
      const isNew = act.isNew === true ? { created: true } : {};
      const body = { turn, tool: 'Edit', path: act.path, ...isNew, hunks };
      return { ...common, kind: 'edit', origin: 'tool', trust: 1, body };
    }
    case 'command': {
      const { command, output, exit } = act;
      const body = { turn, command, ok: exit === undefined, ...(exit === undefined ? {} : { exit }) };
      const printed = output === undefined || output === '' ? {} : { output };
      return { ...common, kind: 'command', origin: 'tool', trust: 0, body: { ...body, ...printed } };
    }
    case 'commit': {
      const hash = act.hash ?? sha256(`${project}-${number}`).slice(0, 40);
      const { message, files, author = 'tester' } = act;
      const isOwn = author === 'tester';
      return {
        ...common,
        kind: 'commit',
        origin: isOwn ? 'user' : 'teammate',
        trust: isOwn ? 2 : 0,
        body: { hash, author, message, files: [...files] },
      };
    }
    case 'note':
      throw new Error('a note is a file, not an event');
  }
}

function noteOf({ act, at }: Placed, project: string, number: number): Note {
  if (act.kind !== 'note') throw new Error('not a note');
  const time = new Date(at).toISOString();
  const digits = sha256(`${project}-${number}`).slice(0, 12);
  return {
    id: `01990000-0000-7000-8000-${digits}`,
    kind: act.note,
    title: act.text.split(/[.\n:]/)[0] as string,
    state: 'active',
    trust: 3,
    pinned: false,
    concepts: [],
    files: [],
    created: time,
    updated: time,
    rev: 1,
    parents: [],
    author: 'tester',
    visibility: 'private',
    validFrom: time,
    validTo: '',
    derivedFrom: [],
    text: act.text,
  };
}
