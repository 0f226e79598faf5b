import { basename, dirname, join } from 'node:path';
import {
  type Place,
  type Recording,
  recordedText,
  stdinOf,
  transcriptPath,
  writeRecordedFile,
} from './recording.ts';

const folder = 'claude-code-2.1.325';
/** Reported before the subagent ended, and again after. */
const done = 'All done: fixed auth bug on line 42.';

function play(run: string, files: string[], place: Place) {
  const path = join(folder, run);
  const calls = stdinOf(recordedText(join(path, 'hooks.jsonl'), place));
  const projects = dirname(transcriptPath(calls[0] ?? {}));
  const transcripts = files.map((file) =>
    writeRecordedFile(join(projects, file), recordedText(join(path, 'transcripts', file), place)),
  );
  return { calls, transcripts: transcripts.filter((file) => basename(file).endsWith('.jsonl')) };
}

export const claudeRecordings: Recording[] = [
  {
    agent: 'claude-code',
    title: 'tools and a subagent',
    play: (place) => {
      const session = '35e2f992-c07e-4a21-bb43-67fd7b20fad3';
      const subagent = `${session}/subagents/agent-a6b6711b539b32f70`;
      return play(
        'tools-mcp-subagent',
        [`${session}.jsonl`, `${subagent}.meta.json`, `${subagent}.jsonl`],
        place,
      );
    },
    prompts: ['fix auth bug'],
    answers: ['Reading.', done, done],
    edits: ['out.txt', 'out.txt'],
    commands: [
      { command: 'echo hi from bash', ok: true, exit: 0 },
      { command: 'exit 3', ok: false, exit: 3 },
    ],
    compactions: 0,
    subagents: [{ type: 'general-purpose', kinds: ['answer', 'prompt', 'tool', 'usage'] }],
  },
  {
    agent: 'claude-code',
    title: 'resume, compaction, clear and fork',
    play: (place) =>
      play(
        'lifecycle-resume-compact-clear-fork',
        [
          'b24e91a9-7782-42fc-b364-8d4a2a2ff310.jsonl',
          '3fda4313-1582-470d-8e6e-8486117b0fc9.jsonl',
          'f4dced7e-5c43-4f3c-8e99-88308da3d3f6.jsonl',
        ],
        place,
      ),
    prompts: ['first prompt', 'second prompt', '/greet Bob', 'forked prompt'],
    answers: ['First answer.', 'Second answer.', 'Third answer.', 'Fourth.'],
    edits: [],
    commands: [],
    compactions: 1,
  },
];
