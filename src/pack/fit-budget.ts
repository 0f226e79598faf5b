import type { ContextPack, PackItem } from '../wire/answers/code.ts';

/**
 * Paths come first, then notes and past changes, then one snippet per file in turn: an agent must search for a missing
 * path but only open the file for a missing snippet. `cost` returns the tokens in the caller's format.
 */
export function fitBudget(full: ContextPack, cost: (pack: ContextPack) => number): ContextPack {
  const { budgetTokens } = full;
  const fits = (pack: ContextPack): boolean =>
    cost({ ...pack, estimatedTokens: budgetTokens }) <= budgetTokens;
  let pack: ContextPack = {
    ...full,
    items: [],
    notes: [],
    similarChanges: [],
    nextSteps: [],
    missing: [],
    truncated: true,
  };
  // Halve a long goal until it leaves room for files.
  while (pack.goal !== '' && cost(pack) > budgetTokens * maxGoalShare)
    pack = { ...pack, goal: pack.goal.slice(0, pack.goal.length >>> 1).toWellFormed() };
  let isWhole = true;
  const grow = (larger: ContextPack): boolean => {
    const isAccepted = fits(larger);
    if (isAccepted) pack = larger;
    else isWhole = false;
    return isAccepted;
  };
  grow({ ...pack, missing: full.missing });
  for (const item of full.items)
    if (!grow({ ...pack, items: [...pack.items, { ...item, snippets: [] }] })) break;
  grow({ ...pack, nextSteps: full.nextSteps });
  for (const note of full.notes) if (!grow({ ...pack, notes: [...pack.notes, note] })) break;
  for (const change of full.similarChanges)
    if (!grow({ ...pack, similarChanges: [...pack.similarChanges, change] })) break;
  for (let depth = 0; full.items.some(({ snippets }) => snippets.length > depth); depth++) {
    pack.items.forEach(({ path }, at) => {
      const snippet = full.items.find((item) => item.path === path)?.snippets[depth];
      if (snippet !== undefined) grow({ ...pack, items: withSnippet(pack.items, at, snippet) });
    });
  }
  const fitted = { ...pack, truncated: full.truncated || !isWhole };
  return { ...fitted, estimatedTokens: cost({ ...fitted, estimatedTokens: budgetTokens }) };
}

const maxGoalShare = 0.4;

const withSnippet = (items: PackItem[], at: number, snippet: PackItem['snippets'][number]): PackItem[] =>
  items.map((item, place) =>
    place === at ? { ...item, snippets: [...item.snippets, snippet].sort((a, b) => a.line - b.line) } : item,
  );
