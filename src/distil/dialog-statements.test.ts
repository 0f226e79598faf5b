import { expect, it } from 'vitest';
import { dialogStatements } from './dialog-statements.ts';
import { distilSession } from './distil-session.ts';
import type { SessionTurns } from './distiller.ts';

const answered = (question: string, option: string, text: string): SessionTurns => ({
  agentSession: 's',
  agent: 'claude-code',
  branch: 'main',
  turns: [
    { id: 't', at: 1, prompt: { event: 'p', text: 'add sessions' }, acts: [] },
    { id: 't', at: 2, prompt: { event: 'd', text, asked: { question, option } }, acts: [] },
  ],
});
const texts = (session: SessionTurns) => dialogStatements(session).map(({ text }) => text);

it('[distil-dialog] proposes what the user chose in a dialog, with the question, for a review', async () => {
  const chosen = answered('Which store holds\nsessions?', 'Postgres: no new service', 'Postgres');
  const proposal = {
    kind: 'decision',
    text: 'Chosen: Which store holds sessions? → Postgres',
    evidence: ['d'],
    trust: 2,
    isWeak: true,
    quote: 'Postgres',
    proposal: 'Which store holds\nsessions?\nPostgres: no new service',
  };
  expect(dialogStatements(chosen)).toMatchObject([proposal]);
  expect(await distilSession.distil(chosen)).toContainEqual(expect.objectContaining(proposal));
});

it('[distil-dialog] has answers that were typed, and neither what was typed meanwhile nor what cannot be told whole', () => {
  expect(texts(answered('What is the timeout?', '', '30 s, except for uploads'))).toEqual([
    'Chosen: What is the timeout? → 30 s, except for uploads',
  ]);
  expect(texts(answered('', '', 'and tests'))).toEqual([]);
  expect(texts(answered('Why? '.repeat(100), 'A', 'A'))).toEqual([]);
});
