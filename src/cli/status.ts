import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isFromRepository } from '../domain/note.ts';
import { activationOf } from '../memory/activation.ts';
import { readFailures } from '../memory/failures.ts';
import { ageOf } from '../recall/render.ts';
import { quickLimits, withIndex } from '../recall/with-index.ts';
import { bytesBehind } from '../store/events/event-log.ts';
import type { Command } from './command.ts';
import { readInstalls } from './installs.ts';

export const statusCommand: Command = {
  name: 'status',
  usage: 'status',
  summary: 'Whether this project is captured, what is kept, how much room it takes.',
  group: 'Look inside',
  async run(app) {
    const place = app.place();
    const paths = app.paths.project(place.project);
    const parts = app.open({ id: place.project, name: place.name });
    const activation = activationOf(app.paths, { ...place, cwd: app.cwd, userHome: app.userHome }, app.clock);
    const counts = await withIndex(parts, quickLimits, async (index) => ({
      behind: index === undefined ? undefined : bytesBehind(await index.progress(), parts.log.end()),
      summary: (await index?.summary()) ?? { events: {}, lastByAgent: {} },
    }));
    const notes = await parts.notes.list();
    const value = {
      project: place.project,
      name: place.name,
      root: place.root,
      capture: activation.on ? 'on' : 'off',
      ...(activation.on ? {} : { reason: activation.reason }),
      installs: readInstalls(app.paths.installs).map(({ agent, scope }) => ({ agent, scope })),
      events: counts.summary.events,
      notes: notes.length,
      candidates: notes.filter((note) => note.state === 'candidate' && !isFromRepository(note)).length,
      untrusted: notes.filter((note) => isFromRepository(note) && note.trust < 2).length,
      lastCapture: counts.summary.lastByAgent,
      bytes: {
        events: bytesIn(paths.events),
        notes: bytesIn(paths.notes),
        index: bytesIn(paths.index),
        all: bytesIn(app.paths.home),
      },
      unindexedBytes: counts.behind ?? null,
      failures: readFailures(app.paths.failures).length,
    };
    const { style } = app;
    const total = Object.values(value.events).reduce((sum, count) => sum + count, 0);
    const kinds = Object.entries(value.events).map(([kind, count]) => `${count} ${kind}`);
    const last = Object.entries(value.lastCapture).map(
      ([agent, at]) => `${agent} ${ageOf(at, app.clock.now())}`,
    );
    const lines: [string, string][] = [
      ['project', `${style.bold(place.name)} ${style.dim(`${place.project.slice(0, 8)}  ${place.root}`)}`],
      ['capture', activation.on ? style.good('on') : style.bad(`off: ${activation.reason}`)],
      [
        'agents',
        value.installs.map(({ agent, scope }) => `${agent} (${scope})`).join(', ') ||
          'none: backstory install claude-code',
      ],
      ['last capture', last.join(', ') || 'nothing yet'],
      ['events', total === 0 ? '0' : `${total}: ${kinds.join(', ')}`],
      [
        'notes',
        value.candidates === 0
          ? String(notes.length)
          : `${notes.length}, of which ${value.candidates} wait for your word: backstory review`,
      ],
      ...(value.untrusted === 0
        ? []
        : ([['repository', `${value.untrusted} texts are not trusted: backstory trust repo`]] as [
            string,
            string,
          ][])),
      [
        'on disk',
        `events ${size(value.bytes.events)}, notes ${size(value.bytes.notes)}, index ${size(value.bytes.index)}; all projects ${size(value.bytes.all)}`,
      ],
      ['failures', value.failures === 0 ? 'none' : `${value.failures}: backstory logs`],
    ];
    return { value, text: lines.map(([name, text]) => `${style.dim(name.padEnd(13))} ${text}`).join('\n') };
  },
};

function bytesIn(folder: string): number {
  try {
    return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
      const path = join(folder, entry.name);
      return sum + (entry.isDirectory() ? bytesIn(path) : statSync(path).size);
    }, 0);
  } catch {
    return 0;
  }
}

export function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const units = ['KB', 'MB', 'GB'];
  const power = Math.min(units.length, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** power).toFixed(1)} ${units[power - 1]}`;
}
