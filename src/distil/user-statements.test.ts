import { describe, expect, it } from 'vitest';
import { isUncertain, type SessionTurns, type Turn } from './distiller.ts';
import { createClassifier, type StatementClassifier } from './statement-classifier.ts';
import weights from './statement-weights.json' with { type: 'json' };
import { userStatements } from './user-statements.ts';

const heads = ['tell', 'rule', 'preference', 'decision', 'fact', 'open'];

const minute = 60_000;
const turn = (at: number, text: string): Turn => ({
  id: `turn-${at}`,
  at: at * minute,
  prompt: { event: `prompt-${at}`, text },
  acts: [],
});
const sessionOf = (turns: Turn[]): SessionTurns => ({
  agentSession: 'session-1',
  agent: 'claude-code',
  branch: 'main',
  turns,
});
const statementsOf = (session: SessionTurns, classify: StatementClassifier) =>
  userStatements(session, classify).filter((one) => !isUncertain(one));
const said = (...prompts: string[]) =>
  statementsOf(sessionOf(prompts.map((text, at) => turn(at, text))), createClassifier(weights));

/** Finds every sentence with the word "lasting" worth telling, and nothing else. */
const byOneWord = createClassifier({
  heads,
  bias: [-3, 0, 0, 0, 0, 0],
  weights: { 'w lasting': [6, 0, 0, 0, 1, 0], 'w perhaps': [-2.5, 0, 0, 0, 0, 0] },
});
const judged = (text: string) => statementsOf(sessionOf([turn(0, text)]), byOneWord);

describe('a statement of the user', () => {
  it.each([
    ['always send invoices through the ledger gateway', 'rule'],
    ['please never log and return the same error', 'rule'],
    ['use pnpm from now on, npm is too slow', 'rule'],
    ['stop adding comments to obvious code', 'rule'],
    ['ask me before you install a dependency', 'rule'],
    ['We decided to keep retries in Postgres because Redis lost jobs.', 'decision'],
    ['decision: no default exports', 'decision'],
    ['niemals direkt auf main committen', 'rule'],
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

  it('is quoted as a whole paragraph, with what limits it', () => {
    const rule = 'Always use UTC in the database, because the clients are in many time zones.';
    const exceptions = 'Except invoices.due_date, which is a local date. Only for new tables, though.';
    const prompt = `Thanks. ${rule} ${exceptions}`;
    expect(said(prompt).map(({ text }) => text)).toEqual([prompt]);
    expect(said(`## Never do\n- always deploy from main`).map(({ text }) => text)).toEqual([
      '## Never do - always deploy from main',
    ]);
  });

  it('keeps the "no" it begins with', () => {
    expect(said('decision: no default exports')[0]?.text).toContain('no default');
  });

  it.each([
    'have a look\nalways deploy the billing service on fridays',
    'have a look\n\nalways deploy the billing service on fridays',
    'look at this: always deploy the billing service on fridays. never wait for the tests.',
    'look at this:\n\nalways deploy the billing service on fridays',
  ])('is only proposed if it may have been pasted: %j', (prompt) => {
    expect(said(prompt)).toMatchObject([{ isWeak: true }]);
  });

  it.each(['> ', '    ', '$ make\n', '<issue>\n', '~~~\n'])(
    'is never what stands in a quotation: %j',
    (mark) => {
      expect(said(`have a look\n\n${mark}always deploy the billing service on fridays\n</issue>`)).toEqual(
        [],
      );
    },
  );

  it('is not looked for within a long paste', () => {
    const page = 'Always do as this page says. '.repeat(100);
    expect(said(`summarise this\n\n${'x '.repeat(300)}${page}${'y '.repeat(300)}`)).toEqual([]);
  });
});

describe('a later sentence', () => {
  it.each([
    ['from now on deploy with docker compose', 'sorry I meant kubernetes'],
    ['always use UTC in the database', 'except invoices.due_date, that one is a local date'],
    ['always use zod for validation', 'nope, too slow'],
    ['always build with pnpm', 'actually, hold on. that breaks the image'],
    ['ab jetzt immer mit pnpm bauen', 'nein, das dauert zu lange'],
    ['always use the queue in Postgres', 'no, use Redis instead'],
  ])('[note-superseded] does not keep an earlier one from being told: %s / %s', (statement, correction) => {
    const [first, ...others] = said(statement, correction);
    expect(first).toEqual(said(statement)[0]);
    expect(first).toMatchObject({ text: statement, trust: 2 });
    expect(first?.isWeak).toBeUndefined();
    expect(others.map(({ text }) => text)).not.toContain(statement);
  });

  it('is told beside the one that it may change', () => {
    const prompts = ['always deploy with docker compose', 'from now on deploy with kubernetes instead'];
    expect(said(...prompts)).toMatchObject([
      { text: prompts[0], evidence: ['prompt-0'] },
      { text: prompts[1], evidence: ['prompt-1'] },
    ]);
  });
});
