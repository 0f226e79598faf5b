import { describe, expect, it } from 'vitest';
import { aTeamInMemory } from '../../../test/support/team-in-memory.ts';
import { erasePerson, nameRemover } from './erase.ts';

it('removes names as whole words in any case, and keeps words that only contain them', () => {
  const removeNames = nameRemover(['ann', 'ann@acme.example', 'Åse (Ops)']);
  expect(removeNames('Ann, ANN and @ann: announce it to ann@acme.example, says Joanna.')).toBe(
    '[erased], [erased] and @[erased]: announce it to [erased], says Joanna.',
  );
  expect(removeNames('åse (ops) was here; ann_x and annå stay')).toBe(
    '[erased] was here; ann_x and annå stay',
  );
});

it('throws if there are no names to remove', () => {
  expect(() => nameRemover([])).toThrow('no names given');
});

describe('erasing a person', () => {
  const note = (at: number, text: string, author: string | null = 'ben') => ({
    documentId: `m${String(at).padStart(3, '0')}`,
    text,
    author,
  });
  const erase = (team: ReturnType<typeof aTeamInMemory>, keepMentions = false) =>
    erasePerson({ operation: team.operation, org: 'org', person: 'ann', names: ['Ann'], keepMentions });

  it('ends access first and removes the name last, so that the same command can continue', async () => {
    const team = aTeamInMemory({ memories: [note(1, 'ask Ann')] });
    expect(await erase(team)).toEqual({ removed: 2, rewritten: 1, left: [] });
    expect(team.done).toEqual([
      ['disable', 'ann'],
      ['remove', 'all', 'ann'],
      ['rewrite', 'm001', 'ben'],
      ['anonymise', 'ann', ['Ann']],
    ]);
  });

  it('replaces the name in texts, tags and links, and keeps their authors', async () => {
    const team = aTeamInMemory({
      memories: [
        {
          ...note(1, 'Ann said so', null),
          metadata: { by: ['Ann'] },
          links: [{ relation: 'concept', target: 'Ann' }],
        },
      ],
    });
    await erase(team);
    expect(team.memories).toMatchObject([
      {
        text: '[erased] said so',
        metadata: { by: ['[erased]'] },
        links: [{ relation: 'concept', target: '[erased]' }],
        author: null,
      },
    ]);
  });

  it('leaves memories of others unchanged if asked to', async () => {
    const team = aTeamInMemory({ memories: [note(1, 'ask Ann')] });
    expect(await erase(team, true)).toMatchObject({ rewritten: 0, left: [{ rows: 1 }] });
    expect(team.memories[0]?.text).toBe('ask Ann');
  });

  it('rewrites each memory once, also beyond one batch and where a part of a word stays', async () => {
    const memories = Array.from({ length: 201 }, (_, at) => note(at, at % 2 === 0 ? 'Annex' : 'Ann'));
    const team = aTeamInMemory({ memories });
    expect((await erase(team)).rewritten).toBe(201);
    expect(team.memories.filter(({ text }) => text === 'Ann')).toEqual([]);
    const full = aTeamInMemory({ memories: Array.from({ length: 100 }, (_, at) => note(at, 'Annex')) });
    expect((await erase(full)).rewritten).toBe(100);
  });

  it('reads a memory again that was changed since it was read', async () => {
    const memories = [note(1, 'ask Ann'), note(2, 'ask Ann')];
    const team = aTeamInMemory({ memories });
    const { rewrite } = team.operation;
    team.operation.rewrite = async (...args) => {
      team.operation.rewrite = rewrite;
      (memories[1] as { text: string }).text = 'tell Ann';
      return rewrite(...args);
    };
    expect((await erase(team)).rewritten).toBe(2);
    expect(memories.map(({ text }) => text)).toEqual(['ask [erased]', 'tell [erased]']);
  });
});
