import { McpServer } from '@modelcontextprotocol/server';
import { registerMemoryAliases } from './aliases.ts';
import { registerCodeTools } from './code-tools.ts';
import { createFrecentFiles } from './frecent-files.ts';
import { registerGetNotes } from './get-notes.ts';
import { registerMemoCheck } from './memo-check.ts';
import { registerMemoSession } from './memo-session.ts';
import { registerMemoStatus } from './memo-status.ts';
import type { McpParts, ToolSet } from './parts.ts';
import { registerRecall } from './recall.ts';
import { recordAnswers } from './record-answers.ts';
import { registerRemember } from './remember.ts';
import { registerSessionTools } from './session-tools.ts';
import { registerTimeline } from './timeline.ts';
import { registerWhy } from './why.ts';

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

/**
 * Returns the server's instructions for the model, which name only tools of this set. Some agents search for tools by
 * the first sentence.
 */
const instructionsFor = (tools: ToolSet): string =>
  [...(tools === 'code' ? [] : memoryInstructions), ...(tools === 'memory' ? [] : codeInstructions)].join(
    ' ',
  );

export function createServer(parts: McpParts): McpServer {
  const server = new McpServer(
    { name: 'backstory', version: parts.version },
    // `listChanged` is off, because the tool list does not change during a session.
    { instructions: instructionsFor(parts.tools), capabilities: { tools: { listChanged: false } } },
  );
  const tools = recordAnswers(server, parts);
  if (parts.tools !== 'code') {
    registerRecall(tools, parts);
    if (parts.tools !== 'core') registerTimeline(tools, parts);
    registerGetNotes(tools, parts);
    registerRemember(tools, parts);
    registerWhy(tools, parts);
    if (parts.tools === 'all') registerMemoryAliases(tools, parts);
  }
  const frecentFiles = createFrecentFiles();
  if (parts.tools !== 'memory') registerCodeTools(tools, parts, frecentFiles);
  registerMemoCheck(tools, parts);
  if (parts.tools === 'all') {
    registerMemoStatus(tools, parts);
    registerMemoSession(tools, parts);
  }
  registerSessionTools(tools, parts, frecentFiles);
  return server;
}
