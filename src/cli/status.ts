import { activationOf } from '../memory/activation.ts';
import { statusOf } from '../memory/project-status.ts';
import { ageOf } from '../recall/render.ts';
import type { Command } from './command.ts';

export const statusCommand: Command = {
  name: 'status',
  usage: 'status',
  summary: 'Whether this project is captured, what is kept, how much room it takes.',
  group: 'Look inside',
  async run(app) {
    const place = app.place();
    const parts = app.open({ id: place.project, name: place.name });
    const activation = activationOf(app.paths, { ...place, cwd: app.cwd, userHome: app.userHome }, app.clock);
    const value = await statusOf(parts, place, activation);
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
          ? String(value.notes)
          : `${value.notes}, of which ${value.candidates} ${value.candidates === 1 ? 'waits' : 'wait'} for your word: backstory review`,
      ],
      [
        'on disk',
        `events ${size(value.bytes.events)}, notes ${size(value.bytes.notes)}, index ${size(value.bytes.index)}; all projects ${size(value.bytes.all)}`,
      ],
      ['failures', value.failures === 0 ? 'none' : `${value.failures}: backstory logs`],
    ];
    return { value, text: lines.map(([name, text]) => `${style.dim(name.padEnd(13))} ${text}`).join('\n') };
  },
};

export function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const units = ['KB', 'MB', 'GB'];
  const power = Math.min(units.length, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** power).toFixed(1)} ${units[power - 1]}`;
}
