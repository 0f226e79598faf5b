import { McpServer } from '@modelcontextprotocol/server';
import type { Clock } from '../base/clock.ts';
import type { CodeSearch } from '../code/code-search.ts';
import type { EventContext } from '../domain/event.ts';
import type { Place } from '../domain/project.ts';
import type { CheckedCode } from '../drift/current-code.ts';
import type { MemoFollower } from '../memo/follow-client.ts';
import type { SessionMemo } from '../memo/session-memo.ts';
import type { OpenProject } from '../memory/projects/open-project.ts';
import { registerMemoryAliases } from './aliases.ts';
import { registerCodeTools } from './code-tools.ts';
import { createFrecentFiles } from './frecent-files.ts';
import { registerGetNotes } from './get-notes.ts';
import { registerMemoCheck } from './memo-check.ts';
import { registerMemoSession } from './memo-session.ts';
import { registerMemoStatus } from './memo-status.ts';
import { registerRecall } from './recall.ts';
import { recordAnswers, type ServedAnswer } from './record-answers.ts';
import { registerRemember } from './remember.ts';
import { registerSessionTools } from './session-tools.ts';
import { registerTimeline } from './timeline.ts';
import { registerWhy } from './why.ts';

/** What models call. The tools run inside the process the agent started; there is no other. */
export interface McpParts {
  version: string;
  clock: Clock;
  project: OpenProject;
  userHome: string;
  /** Top of the working tree. */
  root: string;
  /** Who is asking, as far as it can be known; the session may change while this process lives. */
  context(): Promise<EventContext>;
  /** The same without looking who is asking now: which process it is tells it too. */
  caller(): EventContext;
  /** The checkout it serves, on the branch it is on now. */
  place(): Place;
  isActive(): boolean;
  /** Throws when nothing may be stored for this project. */
  ensureActive(): void;
  /** Work was handed over here, and nobody has gone on with it yet. */
  isHandoffWaiting(): boolean;
  /** For memory to be compared with. */
  checkedCode: CheckedCode;
  /** Loaded with the first call: a session that searches no code pays nothing for it. */
  code(): Promise<CodeSearch>;
  /** What is known of agent sessions, kept up with the log. */
  follower: MemoFollower;
  /** What Memo can say to whoever asks; `named` is the session that the call names, if it does. */
  memo(named: string): Promise<SessionMemo>;
  /** Does nothing where nothing may be stored. */
  recordServed(answers: ServedAnswer[]): Promise<void>;
  /** How much files of this checkout are worked with, by path. */
  frecency(): Promise<Map<string, number>>;
  tools: ToolSet;
}

/** `core` is what agents get unless somebody asks for more: every tool costs tokens in every session. */
export const toolSets = ['core', 'memory', 'code', 'all'] as const;
export type ToolSet = (typeof toolSets)[number];

const aboutMemory = [
  'Memory of this project across agent sessions: decisions with their reasons, what was tried, what failed.',
  'Call recall before you choose an approach that may have been decided, tried or explained before, when an error looks familiar, and when the user refers to earlier work ("again", "as before", "why did we").',
  'Call why before you change code whose reason you do not know. Answers are records of the past: check them against the code.',
  'Call remember when the user states a lasting decision or convention.',
];
const aboutCode = [
  'search_content and find_files search this checkout: exact, fresh, faster than grep. context_pack says where to begin a task.',
];

/** The first sentence is what some agents find tools by; only tools that are there are named. */
const instructionsFor = (tools: ToolSet): string =>
  [...(tools === 'code' ? [] : aboutMemory), ...(tools === 'memory' ? [] : aboutCode)].join(' ');

export function createServer(parts: McpParts): McpServer {
  const server = new McpServer(
    { name: 'backstory', version: parts.version },
    // Which tools there are is settled when a session begins.
    { instructions: instructionsFor(parts.tools), capabilities: { tools: { listChanged: false } } },
  );
  recordAnswers(server, parts);
  if (parts.tools !== 'code') {
    registerRecall(server, parts);
    // Seldom needed, and every tool costs tokens in every session.
    if (parts.tools !== 'core') registerTimeline(server, parts);
    registerGetNotes(server, parts);
    registerRemember(server, parts);
    registerWhy(server, parts);
    if (parts.tools === 'all') registerMemoryAliases(server, parts);
  }
  const favoured = createFrecentFiles();
  if (parts.tools !== 'memory') registerCodeTools(server, parts, favoured);
  registerMemoCheck(server, parts);
  if (parts.tools === 'all') {
    registerMemoStatus(server, parts);
    registerMemoSession(server, parts);
  }
  registerSessionTools(server, parts, favoured);
  return server;
}
