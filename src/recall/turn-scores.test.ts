import { describe, expect, it } from 'vitest';
import { aChunk } from '../../test/contract/samples.ts';
import type { Chunk } from '../domain/chunk.ts';
import { createTermFinder } from '../text/term-finder.ts';
import { parseQuestion } from './question.ts';
import { rank } from './rank.ts';
import { sliceOf } from './slice.ts';
import { rankingWeights } from './weights.ts';

const asks = aChunk({ turn: 'one', kind: 'prompt', text: 'Please look at the flaky login test.' });
const answers = aChunk({
  turn: 'one',
  kind: 'answer',
  origin: 'assistant',
  text: 'The cookie came too late.',
});
const edits = aChunk({
  turn: 'one',
  kind: 'edit',
  origin: 'tool',
  text: 'edited src/session.ts (+3 −1 lines)',
});
const runs = aChunk({ turn: 'one', kind: 'command', origin: 'tool', text: '$ npm test -- session' });
const other = aChunk({ turn: 'two', kind: 'answer', origin: 'assistant', text: 'The pool has ten seats.' });

function ranked(
  text: string,
  chunks: Chunk[],
  related = new Map<string, number>(),
  madeIn = new Map<string, string>(),
): string[] {
  const question = parseQuestion(text, 0);
  const corpus = { chunks: 100, averageTerms: 10, frequency: new Map<string, number>() };
  const slices = chunks.map((chunk) => sliceOf(chunk, createTermFinder(question.terms), corpus));
  return rank(question, { slices, neighbours: [], legs: [], related, madeIn }, corpus, rankingWeights).map(
    ({ chunk }) => chunk.id,
  );
}

describe('the parts of a turn', () => {
  it('are found by the kind of the question, although only the request contains its words', () => {
    const all = [asks, answers, edits, runs, other];
    const firstTwo = (text: string) => ranked(text, all).slice(0, 2);
    expect(firstTwo('what fixed the flaky login test')).toContain(answers.id);
    expect(firstTwo('which files did we touch for the flaky login test')).toContain(edits.id);
    expect(firstTwo('which command did we run for the flaky login test')).toContain(runs.id);
    expect(ranked('what fixed the flaky login test', all)).not.toContain(other.id);
  });

  it('leave room for other turns', () => {
    const talk = Array.from({ length: 5 }, (_, at) =>
      aChunk({ turn: 'long', kind: 'answer', origin: 'assistant', text: `flaky login test ${at}` }),
    );
    expect(ranked('flaky login test', [...talk, asks]).indexOf(asks.id)).toBeLessThan(3);
  });

  it('are found if related work connects their turn to a hit', () => {
    expect(ranked('what fixed the flaky login test', [asks, other], new Map([['two', 0.5]]))).toContain(
      other.id,
    );
  });

  it('are found by the words of the commit that contains them', () => {
    const commit = aChunk({
      turn: '',
      agentSession: '',
      kind: 'commit',
      text: 'commit abc: Repair: the queue stands still',
    });
    const cure = aChunk({ turn: 'cure', kind: 'answer', origin: 'assistant', text: 'A lease runs out.' });
    const made = new Map([[commit.sourceId, 'cure']]);
    const question = 'why did the queue stand still';
    expect(ranked(question, [commit, cure, other])).not.toContain(cure.id);
    expect(ranked(question, [commit, cure, other], new Map(), made)).toContain(cure.id);
  });

  it('belong to a turn with edits, if the question is about an action', () => {
    const talk = [
      aChunk({ turn: 'talk', kind: 'prompt', text: 'Should we upgrade Node soon?' }),
      aChunk({ turn: 'talk', kind: 'answer', origin: 'assistant', text: 'No hurry to upgrade Node.' }),
    ];
    const deed = [
      aChunk({ turn: 'deed', kind: 'prompt', text: 'Upgrade Node now.' }),
      aChunk({ turn: 'deed', kind: 'edit', origin: 'tool', text: 'edited .nvmrc (+1 −1 lines)' }),
      aChunk({ turn: 'deed', kind: 'answer', origin: 'assistant', text: 'Node is at 24.' }),
    ];
    expect(ranked('when did we upgrade node', [...talk, ...deed])[0]).toBe(deed[2]?.id);
  });

  it("are the user's own words, if the question is about an instruction of theirs", () => {
    const told = [
      aChunk({ turn: 'told', kind: 'prompt', text: 'Not like that. Keep SQL keywords in lower case.' }),
      aChunk({ turn: 'told', kind: 'answer', origin: 'assistant', text: 'Sorry, I changed the SQL.' }),
    ];
    expect(ranked('what did I say about sql style', told)[0]).toBe(told[0]?.id);
    expect(ranked('what happened to the sql style', told)[0]).toBe(told[1]?.id);
  });

  it('are not files if the word "file" is only part of the subject', () => {
    expect(parseQuestion('which files did we change for the login', 0).seeks).toBe('files');
    expect(parseQuestion('what did we try against lock file conflicts', 0).seeks).toBe(undefined);
  });
});
