import { mkdirSync } from 'node:fs';
import { basename } from 'node:path';
import type { Observation } from '../../src/agents/agent.ts';
import { hashId } from '../../src/base/hash.ts';
import { sha256 } from '../../src/base/ids.ts';
import type { EventEnvelope } from '../../src/domain/event.ts';
import { toEvent } from '../../src/memory/capture/capture.ts';
import { rulesOnly } from '../../src/memory/redact/redact.ts';
import type { RecallParts } from '../../src/recall/with-index.ts';
import { openProject } from '../../test/harness/home.ts';
import { type Document, documentOf } from './baselines.ts';

/** An action with its time and session. */
export interface Placed {
  act:
    | { kind: 'prompt' | 'answer'; text: string }
    | { kind: 'edit'; path: string }
    | { kind: 'command'; command: string; output: string }
    | { kind: 'commit'; message: string; files: string[] };
  at: number;
  agentSession: string;
  turn: string;
}

export interface WrittenProject {
  parts: RecallParts;
  documents: Document[];
  /** The id of the event that each action became; undefined if nothing is stored. */
  ids: (string | undefined)[];
}

/**
 * Writes actions to a project's memory as capture does: redacted, stripped of noise, as events in a real log. Ids depend
 * only on the project and the action.
 */
export function writeProject(projectFolder: string, placed: readonly Placed[]): WrittenProject {
  const project = basename(projectFolder);
  mkdirSync(projectFolder, { recursive: true });
  const parts = openProject(projectFolder);
  const events = placed.map((one, number) => eventOf(one, project, number));
  parts.log.append(events.filter((event) => event !== undefined));
  return {
    parts,
    documents: events.flatMap((event) => (event === undefined ? [] : (documentOf(event) ?? []))),
    ids: events.map((event) => event?.id),
  };
}

function eventOf(one: Placed, project: string, number: number): EventEnvelope | undefined {
  const context = {
    device: '0123456789abcdef',
    actor: 'tester',
    agent: 'claude-code' as const,
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
      const body = { turn, tool: 'Edit', path: act.path, hunks };
      return { ...common, kind: 'edit', origin: 'tool', trust: 1, body };
    }
    case 'command': {
      const { command, output } = act;
      return {
        ...common,
        kind: 'command',
        origin: 'tool',
        trust: 0,
        body: { turn, command, ok: true, output },
      };
    }
    case 'commit': {
      const { message, files } = act;
      const body = { hash: sha256(`${project}-${number}`).slice(0, 40), author: 'tester', message, files };
      return { ...common, kind: 'commit', origin: 'user', trust: 2, body };
    }
  }
}
