import type { Act, Turn } from '../../src/distil/distiller.ts';

/** Turns of a session, as extraction reads them. */
export const turn = (at: number, prompt: string, ...acts: Act[]): Turn => ({
  id: `turn-${at}`,
  at: Date.UTC(2026, 10, 14, 12, at),
  prompt: { event: `prompt-${at}`, text: prompt },
  acts,
});

export const answer = (text: string): Act => ({ kind: 'answer', event: `answer ${text.slice(0, 6)}`, text });
export const edit = (path: string): Act => ({ kind: 'edit', event: `edit ${path}`, path });
export const ran = (command: string, ok = true, output = ''): Act => ({
  kind: 'command',
  event: `${command} ${ok}`,
  command,
  ok,
  output,
});
