import { describe, expect, it } from 'vitest';
import type { Act, Revisit, SessionTurns, Turn } from './distiller.ts';
import { createClassifier } from './statement-classifier.ts';
import weights from './statement-weights.json' with { type: 'json' };
import { overturns, userStatements } from './user-statements.ts';

const heads = ['tell', 'change', 'rule', 'preference', 'decision', 'fact', 'open'];

const minute = 60_000;
const answer = (text: string): Act => ({ kind: 'answer', event: 'answer', text });
const turn = (at: number, text: string, ...acts: Act[]): Turn => ({
  id: `turn-${at}`,
  at: at * minute,
  prompt: { event: `prompt-${at}`, text },
  acts,
});
const sessionOf = (turns: Turn[]): SessionTurns => ({
  agentSession: 'session-1',
  agent: 'claude-code',
  branch: 'main',
  turns,
});
const read = (...turns: Turn[]) => userStatements(sessionOf(turns), createClassifier(weights));
const said = (...prompts: string[]) => read(...prompts.map((text, at) => turn(at, text))).proposals;

/** Finds every sentence with the word "lasting" worth telling, and nothing else. */
const byOneWord = createClassifier({
  heads,
  bias: [-3, -3, 0, 0, 0, 0, 0],
  weights: { 'w lasting': [6, 0, 0, 0, 0, 1, 0], 'w perhaps': [-2.5, 0, 0, 0, 0, 0, 0] },
});
const judged = (text: string) => userStatements(sessionOf([turn(0, text)]), byOneWord).proposals;

describe('a statement of the user', () => {
  it.each([
    ['always send invoices through the ledger gateway', 'convention'],
    ['please never log and return the same error', 'convention'],
    ['use pnpm from now on, npm is too slow', 'convention'],
    ['stop adding comments to obvious code', 'convention'],
    ['ask me before you install a dependency', 'convention'],
    ['We decided to keep retries in Postgres because Redis lost jobs.', 'decision'],
    ['decision: no default exports', 'decision'],
    ['niemals direkt auf main committen', 'convention'],
  ])('[distil-user] is told if it settles something in so many words: %s', (prompt, kind) => {
    const [proposal, ...others] = said(prompt);
    expect(proposal).toMatchObject({ kind, text: prompt, trust: 2, evidence: ['prompt-0'] });
    expect(proposal?.isWeak).toBeUndefined();
    expect(others).toEqual([]);
  });

  it.each([
    'add zod to the api package',
    'the callback never fires',
    'the import always fails on mondays',
    'should we use redis instead of postgres?',
    'what do you think of always using tabs?',
    'always use tabs?',
    'thanks, that is all',
    'keep going',
    '👍',
    'npm warn deprecated glob@7: versions before 9 must never be used',
    'look at this:\n\nAlways deploy on fridays.\n\nNever use the legacy client.',
  ])('[distil-gate] is not a task, a question, a courtesy or output of a program: %s', (prompt) => {
    expect(said(prompt)).toEqual([]);
  });

  it('is told or left out by the score of the classifier', () => {
    const found = 'the lasting limit of an upload is ten megabytes';
    expect(judged(found)).toMatchObject([{ kind: 'fact', text: found }]);
    expect(judged(found)[0]?.isWeak).toBeUndefined();
    expect(judged('the limit of an upload is ten megabytes')).toEqual([]);
  });

  it('is left out if it refers to another sentence or is short', () => {
    expect(judged('that is the lasting limit of every upload')).toEqual([]);
    expect(judged('a lasting limit')).toEqual([]);
  });

  it('is quoted as a whole sentence, with the exceptions after it', () => {
    const rule = 'Always use UTC in the database, because the clients are in many time zones.';
    const exceptions = 'Except invoices.due_date, which is a local date. Only for new tables, though.';
    expect(said(`Thanks. ${rule} ${exceptions} Now fix the tests.`).map(({ text }) => text)).toEqual([
      `${rule} ${exceptions}`,
    ]);
  });

  it('keeps the "no" it begins with', () => {
    expect(said('decision: no default exports')[0]?.text).toContain('no default');
  });

  it('is only proposed if it may have been pasted', () => {
    expect(said('have a look\nalways deploy the billing service on fridays')).toMatchObject([
      { isWeak: true },
    ]);
  });

  it('is not looked for within a long paste', () => {
    const page = 'Always do as this page says. '.repeat(100);
    expect(said(`summarise this\n\n${'x '.repeat(300)}${page}${'y '.repeat(300)}`)).toEqual([]);
  });
});

describe('a correction', () => {
  it.each([
    ['from now on deploy with docker compose', 'sorry I meant kubernetes'],
    ['always use UTC in the database', 'except invoices.due_date, that one is a local date'],
    ['always use zod for validation', 'nope, too slow'],
    ['always build with pnpm', 'actually, hold on. that breaks the image'],
    ['ab jetzt immer mit pnpm bauen', 'nein, das dauert zu lange'],
    ['always use the queue in Postgres', 'hm, go back to Redis'],
  ])('in the next turn keeps a statement from being told: %s / %s', (statement, correction) => {
    expect(said(statement)).toHaveLength(1);
    expect(said(statement, correction).map(({ text }) => text)).not.toContain(statement);
  });

  it('in a later turn does so if it is about the same', () => {
    const statement = 'always deploy the billing service with docker compose';
    const others = ['fix the tests', 'and the docs'];
    expect(said(statement, ...others, 'use kubernetes to deploy billing instead')).toEqual([]);
    expect(said(statement, ...others, 'use a red button instead').map(({ text }) => text)).toEqual([
      statement,
    ]);
  });

  it.each(['thanks', 'now fix the failing test', 'no need to run the tests'])(
    'is not what only continues the work: %s',
    (next) => {
      expect(said('always send invoices through the ledger gateway', next)).toHaveLength(1);
    },
  );

  it('may be an agreement to what the agent proposed', () => {
    const statement = 'always use the ledger gateway';
    const proposing = answer('Shall I use Stripe for this, and always pass by the ledger gateway?');
    expect(read(turn(0, statement), turn(1, 'fix it', proposing), turn(2, 'yes')).proposals).toEqual([]);
  });
});

describe('a later turn', () => {
  const revisit = (words: string, more: Partial<Revisit> = {}): Revisit => ({
    at: 1,
    follows: 'turn-1',
    words,
    text: words,
    isChange: false,
    isSettling: false,
    ...more,
  });
  const limit = 'from now on uploads have a limit of 10 MB in every plan';

  it.each([
    ['another number with the same unit', 'the upload limit is 25 MB for all', true],
    ['the same number', 'we have an upload size of 10 MB', false],
    ['other matters', 'the button is 25 px wide', false],
    ['nearly all of it', 'does the limit of uploads hold for every plan?', true],
  ])('that names %s', (_, text, isOverturned) => {
    expect(overturns(revisit(text), limit, [])).toBe(isOverturned);
  });

  it('changes a statement of the turn before if it is a correction, whatever it names', () => {
    expect(overturns(revisit('no', { isChange: true }), limit, ['turn-1'])).toBe(true);
    expect(overturns(revisit('no', { isChange: true }), limit, ['turn-0'])).toBe(false);
    expect(overturns(revisit('thanks'), limit, ['turn-1'])).toBe(false);
  });

  it('changes nothing if only the agent names it, who may follow it', () => {
    const followed = 'I kept the limit for uploads in every plan.';
    expect(overturns(revisit('go on', { text: `go on\n${followed}` }), limit, [])).toBe(false);
    expect(overturns(revisit('revert', { text: followed, isChange: true }), limit, [])).toBe(true);
  });
});
