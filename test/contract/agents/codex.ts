import { basename, join } from 'node:path';
import {
  type Place,
  type Recording,
  recordedText,
  stdinOf,
  transcriptPath,
  writeRecordedFile,
} from './recording.ts';

const folder = 'codex-0.166.0';

function play(run: string, files: string[], place: Place) {
  const path = join(folder, run);
  const calls = stdinOf(recordedText(join(path, 'hooks.jsonl'), place));
  const named = new Map(calls.map((call) => [basename(transcriptPath(call)), transcriptPath(call)]));
  const transcripts = files.map((file) => {
    const target = named.get(file) ?? join(place.home, '.codex/sessions/2026/11/14', file);
    return writeRecordedFile(target, recordedText(join(path, 'sessions', file), place));
  });
  return { calls, transcripts };
}

export const codexRecordings: Recording[] = [
  {
    agent: 'codex',
    title: 'a command',
    play: (place) =>
      play('basic', ['rollout-2026-11-14T23-07-21-01a1dc50-be83-7582-981f-7bbdc58c73e3.jsonl'], place),
    prompts: ['fix auth bug'],
    answers: ['Let me look.', 'All done codex.'],
    edits: [],
    commands: [{ command: 'echo hi from codex', ok: true, exit: 0 }],
    compactions: 0,
  },
  {
    agent: 'codex',
    title: 'a patch, resume and fork',
    play: (place) =>
      play(
        'mcp-applypatch-resume-fork',
        [
          'rollout-2026-11-14T23-08-29-01a1dc51-c895-7ac3-a497-b0e8dae49048.jsonl',
          'rollout-2026-11-14T23-08-33-01a1dc51-d802-7e20-95d5-f83c6ce4795e.jsonl',
        ],
        place,
      ),
    prompts: ['first q', 'second q', 'forked q'],
    answers: ['done three', 'done three', 'done three'],
    edits: ['hello.txt'],
    commands: [],
    compactions: 0,
  },
  {
    agent: 'codex',
    title: 'a compaction',
    play: (place) =>
      play('auto-compact', ['rollout-2026-11-14T23-09-26-01a1dc52-a719-7fa1-9f08-ef07158017f9.jsonl'], place),
    prompts: ['do long'],
    answers: ['after compaction done'],
    edits: [],
    commands: [{ command: 'echo a', ok: true, exit: 0 }],
    compactions: 1,
  },
];
