import { join } from 'node:path';
import { jsonLines, type Recording, recordedNames, recordedText, writeRecordedFile } from './recording.ts';

const decision = 'We decided to keep the cache in memory because the disk cache served stale pages.';

const recording = (version: string): Recording => ({
  agent: 'pi',
  title: `${version}: tools, resume, fork and a compaction`,
  play: (place) => {
    const folder = `pi-${version}`;
    const sessions = join(place.home, '.pi/agent/sessions/--sandbox-home-repo--');
    const names = recordedNames(folder, '.jsonl').filter((name) => name !== 'calls.jsonl');
    const transcripts = names.map((name) =>
      writeRecordedFile(join(sessions, name), recordedText(join(folder, name), place)),
    );
    return { calls: jsonLines(recordedText(join(folder, 'calls.jsonl'), place)), transcripts };
  },
  prompts: [
    `${decision} Please change it.`,
    'second question',
    'third question',
    'fourth question',
    'fifth question',
  ],
  answers: ['Moved the cache.', 'Second answer.', 'Third answer.', 'Fourth answer.', 'Fifth answer.'],
  edits: ['cache.ts', 'docs/cache.md'],
  commands: [
    { command: 'echo broken; exit 3', ok: false, exit: 3 },
    { command: 'echo fine', ok: true, exit: 0 },
  ],
  compactions: 1,
});

export const piRecordings: Recording[] = [recording('1.5.0'), recording('0.73.1')];
