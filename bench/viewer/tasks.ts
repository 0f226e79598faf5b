import type { DataSet } from './data-set.ts';
import type { Visitor } from './visitor.ts';

/** Main tasks of the viewer, performed by a visitor who knows the shortcuts, with the number of interactions. */
export interface Task {
  name: string;
  /** Goes from the first page to the answer. True if the answer is shown. */
  run(visitor: Visitor, data: DataSet): Promise<boolean>;
}

const seen = async ({ page }: Visitor, selector: string, words: string | RegExp): Promise<boolean> => {
  const found = page.locator(selector).filter({ hasText: words }).first();
  return found.waitFor({ timeout: 30_000 }).then(
    () => true,
    () => false,
  );
};

export const tasks: Task[] = [
  {
    name: 'findDecision',
    async run(visitor, { question }) {
      await visitor.press('/');
      await visitor.type(question.text);
      await seen(visitor, '.choice:has(mark)', question.answer);
      await visitor.press('Enter');
      return seen(visitor, 'main', question.answer);
    },
  },
  {
    name: 'seeIfItHolds',
    async run(visitor, { words }) {
      await visitor.press('/');
      await visitor.type(words);
      await seen(visitor, '.choice:has(mark)', words);
      await visitor.press('Enter');
      return (
        (await seen(visitor, '.verdict', 'Code changed')) &&
        (await seen(visitor, '.anchor .went', /./)) &&
        (await seen(visitor, '.anchor .came', /./))
      );
    },
  },
  {
    name: 'rejectCandidate',
    async run(visitor) {
      const { page } = visitor;
      await visitor.press('g r');
      await page.locator('.proposal').waitFor();
      const before = await page.locator('.lead').textContent();
      await visitor.press('r');
      if (!(await seen(visitor, '.toast', 'Rejected'))) return false;
      // The rejection is sent after the undo period.
      await page.waitForResponse((response) => response.url().endsWith('/reject') && response.ok(), {
        timeout: 20_000,
      });
      return (await page.locator('.lead').textContent()) !== before;
    },
  },
  {
    name: 'correctNote',
    async run(visitor, { fates }) {
      const { page } = visitor;
      await visitor.go(`note/${fates.moved}`);
      await page.locator('.note').waitFor();
      await visitor.press('w');
      await page.locator('.note textarea').waitFor();
      await visitor.type('The opposite is right.');
      await visitor.press('Control+Enter');
      if (!(await seen(visitor, '.toast', 'Replaced'))) return false;
      return (
        (await seen(visitor, '.state', 'Superseded')) &&
        (await seen(visitor, '.related li', /The opposite is right\.\s*Superseded by/))
      );
    },
  },
  {
    name: 'seeSpend',
    async run(visitor) {
      await visitor.press('g s');
      return seen(visitor, '.tile', /Today\s*(?:< )?\$\d/);
    },
  },
];
