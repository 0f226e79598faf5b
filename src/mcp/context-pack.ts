import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { budgetCap, type ContextPack, contextPack, maxFilesCap } from '../pack/context-pack.ts';
import { fitBudget } from '../pack/fit-budget.ts';
import { createPastWork, type PastWork } from '../pack/past-work.ts';
import { estimateTokens } from '../text/tokens.ts';
import { packShape } from '../wire/code.ts';
import { answeringCode, listed, readsOnly } from './answer.ts';
import { codeAnswer } from './code-answer.ts';
import type { FrecentFiles } from './frecent-files.ts';
import { progressOf } from './progress.ts';
import type { McpParts } from './server.ts';

const schema = z.object(packShape);

export function registerContextPack(server: McpServer, parts: McpParts, favoured: FrecentFiles): void {
  let pastWork: PastWork | undefined;
  server.registerTool(
    'context_pack',
    {
      title: 'Where to begin',
      description: 'Files and lines to begin a task with, from the code and from past work like it.',
      inputSchema: listed(schema),
      annotations: readsOnly,
    },
    (given, context) =>
      answeringCode(schema, given, async ({ goal, intent, budget_tokens, max_files, changed_files }) => {
        const code = await parts.code();
        pastWork ??= createPastWork(code.root);
        const full = await contextPack(
          {
            code,
            pastWork,
            memory: parts.project,
            checkedCode: parts.checkedCode,
            clock: parts.clock,
            frecency: async () => favoured.over(await parts.frecency()),
            waiter: progressOf(context, parts.clock),
          },
          {
            goal,
            intent,
            budgetTokens: Math.min(budget_tokens, budgetCap),
            maxFiles: Math.min(max_files, maxFilesCap),
            changedFiles: changed_files ?? [],
          },
        );
        const pack = fitBudget(full, (one) => costOf(one, code.root));
        return codeAnswer(textOf(pack), envelopeOf(pack, code.root));
      }),
  );
}

/** An agent shows its model the text or the envelope; neither may be dearer than was asked. */
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
  const without = missing.length === 0 ? [] : [`Not asked, because there is none: ${missing.join(', ')}.`];
  const more = truncated ? ['More was found: ask with a larger budget_tokens or max_files.'] : [];
  return [...files, ...about, ...before, ...nextSteps, ...without, ...more].join('\n');
}
