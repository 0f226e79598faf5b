import { join } from 'node:path';
import { namesIn } from '../base/files.ts';
import type { AgentName } from '../domain/event.ts';
import { claudeTranscripts } from './claude-code/transcript.ts';
import { clineTranscripts } from './cline/transcript.ts';
import { codexTranscripts } from './codex/transcript.ts';
import { copilotTranscripts } from './copilot/transcript.ts';
import { droidTranscripts } from './droid/transcript.ts';
import { geminiTranscripts } from './gemini/transcript.ts';
import { grokTranscripts } from './grok/transcript.ts';
import { openCodeTranscriptsOf } from './opencode/transcript.ts';
import { piTranscripts } from './pi/transcript.ts';
import { qwenTranscripts } from './qwen/transcript.ts';
import type { AgentFolders, InstallableAgent } from './setup.ts';
import type { TranscriptFile, TranscriptSource } from './transcript-source.ts';
import { withTurnUsage } from './turn-usage.ts';

const readers = {
  'claude-code': claudeTranscripts,
  codex: codexTranscripts,
  opencode: openCodeTranscriptsOf('opencode'),
  pi: piTranscripts,
  gemini: geminiTranscripts,
  qwen: qwenTranscripts,
  kilo: openCodeTranscriptsOf('kilo'),
  droid: droidTranscripts,
  copilot: copilotTranscripts,
  grok: grokTranscripts,
  cline: clineTranscripts,
} satisfies Partial<Record<AgentName, TranscriptSource>>;

export const transcriptSources: Partial<Record<AgentName, TranscriptSource>> = Object.fromEntries(
  Object.entries(readers).map(([agent, source]) => [agent, withTurnUsage(source)]),
);

export const transcriptAgents = Object.keys(transcriptSources) as InstallableAgent[];

export type FoundTranscript = TranscriptFile & { agent: AgentName };

export const transcriptRoots = (folders: AgentFolders): string[] =>
  transcriptAgents.flatMap((agent) => transcriptSources[agent]?.root(folders[agent]) ?? []);

/** Finds the transcripts of these agents, oldest first. */
export const findTranscripts = (folders: AgentFolders, agents: InstallableAgent[]): FoundTranscript[] =>
  agents
    .flatMap((agent) => {
      const source = transcriptSources[agent];
      return source?.find(source.root(folders[agent])).map((found) => ({ agent, ...found })) ?? [];
    })
    .sort((a, b) => a.changed - b.changed);

/** The folder of an agent in which there is a session; undefined if no agent has run with these folders. */
export const usedAgent = (all: AgentFolders[]): string | undefined =>
  all
    .flatMap((folders) => [
      ...transcriptRoots(folders),
      // Cursor has no transcripts that can be imported.
      ...['chats', 'projects'].map((name) => join(folders.cursor.config, name)),
    ])
    .find((folder) => namesIn(folder).length > 0);
