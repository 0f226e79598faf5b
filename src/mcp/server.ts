import { McpServer } from '@modelcontextprotocol/server';
import { forgeMemory, ragSearch } from './aliases.ts';
import { contextPackTool } from './context-pack.ts';
import { findFiles } from './find-files.ts';
import { getNotes } from './get-notes.ts';
import { indexStatus, reindex } from './index-tools.ts';
import { memoCheck, memoSession, memoStatus } from './memo-tools.ts';
import { outline } from './outline.ts';
import type { McpParts, ToolSet } from './parts.ts';
import { recall } from './recall.ts';
import { recordAnswers } from './record-answers.ts';
import { remember } from './remember.ts';
import { searchBelowPath, searchContent } from './search-content.ts';
import { createSearchMemory } from './search-memory.ts';
import { sessionResume } from './session-resume.ts';
import { sessionTools } from './session-tools.ts';
import { definition, references } from './symbol-tools.ts';
import { timelineTool } from './timeline.ts';
import type { LocalTool } from './tool.ts';
import { why } from './why.ts';

/** Instructions for the model about memory tools. They are short, because each costs tokens in every session. */
const memoryInstructions = [
  'Memory of this project across agent sessions: decisions with their reasons, what was tried, what failed.',
  'Call recall before you choose an approach that may have been decided, tried or explained before, when an error looks familiar, and when the user refers to earlier work ("again", "as before", "why did we"): once, with the question and 3–5 other wordings.',
  'Call why before you change code whose reason you do not know. Answers are records of the past: check them against the code.',
  'Call remember in the same turn whenever the user settles, changes or withdraws something lasting, also in passing or as a correction, and quote them.',
];
const codeInstructions = [
  'search_content and find_files search this checkout: exact, fresh, faster than grep. context_pack says where to begin a task.',
];

/** They name only tools of this set. Some agents search for tools by the first sentence. */
const instructionsFor = (tools: ToolSet): string =>
  [...(tools === 'code' ? [] : memoryInstructions), ...(tools === 'memory' ? [] : codeInstructions)].join(
    ' ',
  );

const memoryTools = [recall, timelineTool, getNotes, remember, why];
const coreCodeTools = [searchContent, findFiles, contextPackTool];
/** The others find what search_content also finds, or concern the index itself. */
const codeTools = [...coreCodeTools, searchBelowPath, outline, definition, references, indexStatus, reindex];
const memoTools = [memoCheck, memoStatus, memoSession];

/** The tools of each set, in the order in which they are listed. */
const toolsOf: Record<ToolSet, LocalTool[]> = {
  core: [recall, getNotes, remember, why, ...coreCodeTools, memoCheck],
  memory: [...memoryTools, memoCheck],
  code: [...codeTools, memoCheck],
  all: [...memoryTools, ragSearch, forgeMemory, ...codeTools, ...memoTools, ...sessionTools, sessionResume],
};

export function createServer(dependencies: McpParts): McpServer {
  const { tools, follower, clock, version } = dependencies;
  const server = new McpServer(
    { name: 'backstory', version },
    // `listChanged` is off, because the tool list does not change during a session.
    { instructions: instructionsFor(tools), capabilities: { tools: { listChanged: false } } },
  );
  const resumedFiles = new Map<string, number>();
  const parts = {
    ...dependencies,
    async frecency() {
      const scores = new Map(await dependencies.frecency());
      for (const [path, score] of resumedFiles) scores.set(path, score + (scores.get(path) ?? 0));
      return scores;
    },
    resumedFiles,
    searches: createSearchMemory(follower, clock),
    currentSession: {},
  };
  const recorded = recordAnswers(server, parts);
  for (const add of toolsOf[tools]) add(recorded, parts);
  // Every set has it while work waits for the next agent.
  if (tools !== 'all' && parts.isHandoffWaiting()) sessionResume(recorded, parts);
  return server;
}
