import { join } from 'node:path';
import { expect } from 'vitest';
import type { AgentName } from '../../../src/domain/event.ts';
import {
  here,
  type Recording,
  recordedFiles,
  recordedText,
  stdinOf,
  writeRecordedFile,
} from './recording.ts';

const shown = 'echo broken; exit 3';

interface Recorded {
  agent: AgentName;
  version: string;
  /** Which of the recorded files of the agent's home are transcripts. */
  transcript: RegExp;
  answers: string[];
  prompts?: string[];
  edits?: string[];
}

/** Agents whose home folder was recorded as it was after a scripted session: a read, an edit, a new file, a command. */
const recorded: Recorded[] = [
  {
    agent: 'gemini',
    version: '0.61.0',
    transcript: /session-[^/]*\.jsonl$/,
    answers: ['First answer.'],
  },
  {
    agent: 'qwen',
    version: '0.24.4',
    transcript: /chats\/[^/]*\.jsonl$/,
    prompts: ['please change it', 'second question'],
    answers: ['First answer.', 'Second answer.'],
  },
  { agent: 'droid', version: '0.215.0', transcript: /\.jsonl$/, answers: ['First answer.'] },
  {
    agent: 'copilot',
    version: '1.0.102',
    transcript: /events\.jsonl$/,
    answers: ['First answer.'],
    edits: ['a.md', 'queue.ts'],
  },
  { agent: 'grok', version: '1.0.41', transcript: /updates\.jsonl$/, answers: ['First answer.'] },
  {
    agent: 'cline',
    version: '3.0.65',
    transcript: /\.messages\.json$/,
    answers: ['First answer.', 'Submitted.'],
  },
];

export const homeRecordings: Recording[] = recorded.map(
  ({ agent, version, transcript, answers, prompts, edits }) => ({
    agent,
    title: `${version}: tools${prompts === undefined ? '' : ' and resume'}`,
    play: (place) => {
      const folder = `${agent}-${version}`;
      const files = recordedFiles(join(folder, 'home')).map((name) =>
        writeRecordedFile(
          here(`${place.home}/${name}`, place),
          recordedText(join(folder, 'home', name), place),
        ),
      );
      return {
        calls: stdinOf(recordedText(join(folder, 'hooks.jsonl'), place)),
        transcripts: files.filter((file) => transcript.test(file)),
      };
    },
    prompts: prompts ?? ['please change it'],
    answers,
    edits: edits ?? ['docs/a.md', 'queue.ts'],
    commands: [{ command: expect.stringContaining(shown) as string, ok: false, exit: 3 }],
    compactions: 0,
  }),
);
