import { z } from 'zod';
import { contextPack, maxBudgetTokens, maxFilesCap } from '../pack/context-pack.ts';
import { fitBudget } from '../pack/fit-budget.ts';
import { estimateTokens } from '../text/tokens.ts';
import type { ContextPack } from '../wire/answers/code.ts';
import { packShape } from '../wire/code.ts';
import { codeAnswer } from './code-answer.ts';
import { progressReporter } from './progress.ts';
import { tool } from './tool.ts';

const schema = z.object(packShape);

export const contextPackTool = tool({
  name: 'context_pack',
  description: 'Files and lines to start a task with.',
  schema,
  // Git says which files have changed.
  listed: schema.omit({ changed_files: true }),
  async answer(parts, { goal, wordings, intent, budget_tokens, max_files, changed_files = [] }, context) {
    const code = await parts.code();
    const full = await contextPack(
      {
        code,
        pastWork: parts.pastWork,
        memory: parts.project,
        checkedCode: parts.checkedCode,
        clock: parts.clock,
        frecency: () => parts.frecency(),
        waiter: progressReporter(context, parts.clock),
      },
      {
        goal,
        wordings,
        intent,
        budgetTokens: Math.min(budget_tokens, maxBudgetTokens),
        maxFiles: Math.min(max_files, maxFilesCap),
        changedFiles: changed_files,
      },
    );
    const pack = fitBudget(full, (one) => costOf(one, code.root));
    return codeAnswer(textOf(pack), envelopeOf(pack, code.root));
  },
});

/** An agent shows its model either the text or the structured content, and neither may exceed the budget. */
const costOf = (pack: ContextPack, root: string): number =>
  Math.max(
    estimateTokens(textOf(pack)),
    estimateTokens(JSON.stringify({ version: '1', ...envelopeOf(pack, root) })),
  );

const envelopeOf = (pack: ContextPack, root: string) => ({
  repo_root: root,
  intent: pack.intent,
  goal: pack.goal,
  budget_tokens: pack.budgetTokens,
  max_files: pack.maxFiles,
  estimated_tokens: pack.estimatedTokens,
  items: pack.items,
  ...(pack.notes.length === 0 ? {} : { notes: pack.notes }),
  ...(pack.similarChanges.length === 0 ? {} : { similar_changes: pack.similarChanges }),
  suggested_next_steps: pack.nextSteps,
  ...(pack.missing.length === 0 ? {} : { missing: pack.missing }),
  truncated: pack.truncated,
});

function textOf({ items, notes, similarChanges, nextSteps, missing, truncated }: ContextPack): string {
  const files = items.flatMap(({ path, reasons, snippets }) => [
    `${path}  (${reasons.join(', ')})`,
    ...snippets.map(({ line, preview }) => `  ${line}: ${preview}`),
  ]);
  const about = notes.map(
    ({ id, kind, title, path, drift }) =>
      `Note ${id} (${[kind, path, ...(drift === undefined ? [] : [drift])].join(', ')}): ${title}`,
  );
  const before = similarChanges.map(({ commit, title }) => `Past change ${commit}: ${title}`);
  const without = missing.length === 0 ? [] : [`Not available here: ${missing.join(', ')}.`];
  const more = truncated ? ['More was found; raise budget_tokens or max_files to see it.'] : [];
  return [...files, ...about, ...before, ...nextSteps, ...without, ...more].join('\n');
}
