import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { hashId, lineHash } from '../../src/base/hash.ts';
import type { EventContent, EventEnvelope } from '../../src/domain/event.ts';
import { createEventLog } from '../../src/store/events/event-log.ts';
import type { Home } from '../../test/harness/home.ts';
import { promptInput } from '../../test/harness/hook-input.ts';
import type { Prose } from '../../test/harness/prose.ts';
import type { Random } from '../../test/harness/random.ts';
import { git } from '../../test/support/sandbox.ts';

const paths = Array.from({ length: 80 }, (_, at) => `src/part-${at % 8}/file-${at}.ts`);

/** Writes one work session of this many actions to the log, as hooks and transcripts do. Returns the agent session. */
export function writeLongWork(home: Home, actions: number, prose: Prose, random: Random): string {
  for (const path of paths) {
    mkdirSync(join(home.repo, path, '..'), { recursive: true });
    writeFileSync(join(home.repo, path), prose.take(2_000, random));
  }
  git(home.repo, 'add', '.');
  git(home.repo, 'commit', '-qm', 'first');
  const agentSession = 'long-work';
  home.hook(
    promptInput(
      { cwd: home.repo, session: agentSession },
      'turn-x',
      'Make the retries of the queue back off.',
    ),
  );
  const [first] = home.events();
  if (first === undefined) throw new Error('the hook captured nothing');
  const began = Date.parse(first.at) - actions * 1_000;
  const events = Array.from({ length: actions - 1 }, (_, at): EventEnvelope => {
    const content = contentOf(at, prose, random);
    const isSaid = content.kind === 'prompt';
    return {
      ...first,
      id: hashId('long-work', String(at)),
      at: new Date(began + at * 1_000).toISOString(),
      seq: first.seq + at + 1,
      origin: isSaid ? 'user' : 'tool',
      trust: isSaid ? 2 : 1,
      ...content,
    } as EventEnvelope;
  });
  createEventLog(join(home.projectFolder(), 'events'), systemClock).append(events);
  for (const path of random.shuffled(paths).slice(0, 12))
    writeFileSync(join(home.repo, path), prose.take(2_000, random));
  return agentSession;
}

function contentOf(at: number, prose: Prose, random: Random): EventContent {
  const turn = `turn-${Math.floor(at / 50)}`;
  const path = random.pick(paths);
  if (at % 50 === 0) return { kind: 'prompt', body: { turn, text: prose.take(400, random) } };
  if (at % 50 === 49) return { kind: 'answer', body: { turn, text: prose.take(1_500, random) } };
  if (random.chance(0.04))
    return { kind: 'served', body: searchFor(random.pick(['queue', 'retry', 'cursor']), at) };
  if (random.chance(0.5)) {
    const tokens = random.whole(100, 3_000);
    return { kind: 'read', body: { turn, path, startLine: 1, lines: 80, hash: hashId(path), tokens } };
  }
  if (random.chance(0.4)) {
    const added = Array.from({ length: random.whole(1, 12) }, (_, line) => lineHash(`${at} ${line}`));
    return {
      kind: 'edit',
      body: { turn, tool: 'Edit', path, hunks: [{ oldStart: 1, newStart: 1, added, removed: [] }] },
    };
  }
  const ok = random.chance(0.8);
  const output = prose.take(600, random);
  return { kind: 'command', body: { turn, command: `npm test -- ${path}`, ok, exit: ok ? 0 : 1, output } };
}

const searchFor = (query: string, at: number) => ({
  tool: 'search_content',
  tokens: 300,
  search: { id: `search-${at}`, query, question: hashId(query), answer: hashId(query), files: 3, lines: 9 },
});
