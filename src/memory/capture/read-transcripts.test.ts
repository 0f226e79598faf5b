import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMemoryHome, type MemoryHome } from '../../../test/support/memory-home.ts';
import type { Observation } from '../../agents/agent.ts';
import type { TranscriptSource } from '../../agents/transcript-source.ts';
import type { IngestParts } from './event-writer.ts';
import { openTranscripts } from './read-transcripts.ts';

let memory: MemoryHome;
beforeEach(() => {
  memory = createMemoryHome();
});
afterEach(() => memory.remove());

function transcriptAt(file: string, content: string): string {
  mkdirSync(dirname(file), { recursive: true });
  const at = new Date(memory.clock.now()).toISOString();
  const record = { uuid: content, sessionId: content, promptId: content, timestamp: at, cwd: memory.work };
  writeFileSync(file, `${JSON.stringify({ ...record, type: 'user', message: { role: 'user', content } })}\n`);
  return file;
}

it("[transcript-folder] a transcript is read only from the agent's own folder, whatever path a hook reports", async () => {
  const own = join(memory.home, '.claude/projects/repo');
  const outside = transcriptAt(join(memory.home, 'elsewhere/a.jsonl'), 'outside');
  transcriptAt(join(own, 'a.jsonl'), 'inside');
  symlinkSync(outside, join(own, 'link.jsonl'));
  for (const transcript_path of [outside, join(own, 'a.jsonl'), join(own, 'link.jsonl')]) {
    const common = { session_id: transcript_path, cwd: memory.work, transcript_path };
    memory.hook({ ...common, hook_event_name: 'SessionStart', source: 'startup' });
  }
  await memory.drain();
  const prompts = memory.events().filter(({ kind }) => kind === 'prompt');
  expect(prompts.map(({ body }) => (body as { text: string }).text)).toEqual(['inside']);
});

describe('a transcript that is read', () => {
  /** A thousand tools, which count as a megabyte. */
  const tools = (step: number): Observation[] =>
    Array.from({ length: 1_000 }, (_, at) => ({
      ...{ kind: 'tool', id: `${step}-${at}`, origin: 'tool', trust: 1, at: '2026-11-14T12:00:00Z' },
      body: { tool: 'x', ok: true },
    }));
  /** A transcript of so many megabytes. */
  function sourceOf(count: number, stamp: string | undefined = 'now') {
    const reads: { name: string; displayName: string; offset: number }[] = [];
    const source = {
      stamp: () => stamp,
      *read(name: string, displayName: string, { offset }: { offset: number }) {
        reads.push({ name, displayName, offset });
        for (let at = 0; at < count; at++) yield { observations: tools(at) };
      },
    } as unknown as TranscriptSource;
    return { reads, transcript: { file: '~/x.jsonl', agent: 'claude-code' as const, source } };
  }
  /** An index that has nothing but marks and positions of transcripts. */
  function open(marks: Record<string, string> = {}, cursors: Record<string, number> = {}) {
    const appended: number[] = [];
    const set: string[][] = [];
    const { paths, project, device, clock } = memory.open();
    const parts = {
      ...{
        paths,
        project,
        device,
        clock,
        actor: 'a',
        exclude: [],
        userHome: memory.home,
        transcriptRoots: [],
      },
      log: { append: (events: unknown[]) => void appended.push(events.length) },
      index: {
        events: async () => new Map(),
        isTombstoned: async () => false,
        progressMarks: async () => new Map(Object.entries(marks)),
        setProgressMark: async (name: string, mark: string) => void set.push([name, mark]),
        transcriptCursors: async () =>
          new Map(
            Object.entries(cursors).map(([file, offset]) => [
              file,
              { offset, turn: '', agent: 'claude-code' },
            ]),
          ),
      },
    } as unknown as IngestParts;
    return { appended, set, opened: openTranscripts(parts) };
  }
  const unlimited = { maxBytes: Number.MAX_SAFE_INTEGER, isOver: () => false };

  it('is read from the last position on, in batches of four mebibytes, and marked when it was read to its end', async () => {
    const { reads, transcript } = sourceOf(6);
    const { appended, set, opened } = open({}, { '~/x.jsonl': 77 });
    const done = await (await opened).readNew(transcript, unlimited);
    expect(done).toMatchObject({ events: 6_000, isComplete: true });
    expect(appended).toEqual([5_000, 1_000]);
    expect(set).toEqual([['~/x.jsonl', 'now']]);
    expect(reads).toEqual([{ name: join(memory.home, 'x.jsonl'), displayName: '~/x.jsonl', offset: 77 }]);
  });

  it('is read from its beginning if it is new, and not at all if it has not changed or is gone', async () => {
    const { reads, transcript } = sourceOf(1);
    await (await open().opened).readNew(transcript, unlimited);
    expect(reads).toMatchObject([{ offset: 0 }]);
    expect(await (await open({ '~/x.jsonl': 'now' }).opened).readNew(transcript, unlimited)).toBeUndefined();
    const gone = sourceOf(1);
    gone.transcript.source.stamp = () => undefined;
    expect(await (await open().opened).readNew(gone.transcript, unlimited)).toBeUndefined();
    expect([reads.length, gone.reads.length]).toEqual([1, 0]);
    expect(await (await open({ '~/x.jsonl': 'before' }).opened).readNew(transcript, unlimited)).toBeDefined();
  });

  it('is left at the next batch if that is enough, and goes on later', async () => {
    for (const limits of [
      { ...unlimited, maxBytes: 5_000_000 },
      { ...unlimited, isOver: () => true },
    ]) {
      const { appended, set, opened } = open();
      const done = await (await opened).readNew(sourceOf(9).transcript, limits);
      expect(done).toMatchObject({ events: 5_000, isComplete: false });
      expect([appended, set]).toEqual([[5_000], []]);
    }
  });

  it('has no record that another one had, as in a forked session', async () => {
    const { appended, opened } = open();
    const { readNew } = await opened;
    await readNew(sourceOf(1).transcript, unlimited);
    await readNew({ ...sourceOf(2).transcript, file: '~/y.jsonl' }, unlimited);
    expect(appended).toEqual([1_000, 1_000]);
  });
});
