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
  return found.waitFor().then(
    () => true,
    () => false,
  );
};

/** Whether a decision is stored. It is sent after the undo period, so call this before the decision is made. */
const stored = ({ page }: Visitor, route: string): Promise<boolean> =>
  page
    .waitForResponse((response) => response.url().endsWith(route))
    .then(
      (response) => response.ok(),
      () => false,
    );

export const tasks: Task[] = [
  {
    name: 'correctWrongTopic',
    async run(visitor) {
      const { page } = visitor;
      await page.locator('.told:has(.told-buttons button:text-is("Wrong"))').first().hover();
      await visitor.click('.told:hover .told-buttons button:text-is("Wrong")');
      await visitor.type('Round currency amounts half to even in reports.');
      const sent = stored(visitor, '/wrong');
      await visitor.press('Control+Enter');
      if (!(await sent)) return false;
      await page.reload();
      return seen(visitor, '.told', 'half to even in reports');
    },
  },
  {
    name: 'seeYesterday',
    async run(visitor) {
      await visitor.click('.activity-jumps button:nth-child(2)');
      return (
        (await seen(visitor, '.day > h2', 'Yesterday')) && (await visitor.page.locator('.day').count()) === 1
      );
    },
  },
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
    name: 'whyIsThisLineSo',
    async run(visitor, { longFile }) {
      await visitor.go(`file/${longFile}`);
      // A block far from the screen has no lines yet: scroll to it, as a reader does.
      await visitor.page.locator('.block[data-tone="1"] .block-code').first().scrollIntoViewIfNeeded();
      await visitor.click('.block[data-tone="1"] .line');
      await visitor.page.locator('.block[data-tone="1"] .margin-link').first().hover();
      if (!(await seen(visitor, '.story-card', /Asked/))) return false;
      await visitor.click('.block[data-tone="1"] .margin-link');
      return seen(visitor, '[data-wanted]', /ledger\.ts/);
    },
  },
  {
    name: 'rejectCandidate',
    async run(visitor) {
      const { page } = visitor;
      await visitor.press('g r');
      await page.locator('.proposal').waitFor();
      const before = await page.locator('.lead').textContent();
      const sent = stored(visitor, '/reject');
      await visitor.press('r');
      if (!(await seen(visitor, '.toast', 'Rejected')) || !(await sent)) return false;
      return (await page.locator('.lead').textContent()) !== before;
    },
  },
  {
    name: 'seeChangesAndFailures',
    async run(visitor) {
      await visitor.click('.activity-jumps button:nth-child(3)');
      if (!(await seen(visitor, '.summary-parts section', 'Changed'))) return false;
      await visitor.click('.summary-parts .bad');
      if (!(await seen(visitor, '[data-wanted] .output pre', 'FAIL'))) return false;
      await visitor.click('.work[open] .edit > summary');
      return seen(visitor, '.diff .came', /./);
    },
  },
  {
    name: 'handWorkOver',
    async run(visitor) {
      const { page } = visitor;
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await visitor.click('.activity-jumps button:nth-child(3)');
      await page.locator('.session-title').first().waitFor();
      await visitor.click('.session-title');
      await page.locator('.ending-next').waitFor();
      await visitor.click('.ending-next button');
      const copied = (await page.evaluate('navigator.clipboard.readText()')) as string;
      return /^backstory handoff [\w-]+$/.test(copied);
    },
  },
  {
    name: 'seeSpend',
    async run(visitor) {
      await visitor.press('g s');
      return seen(visitor, 'section[aria-labelledby="money"]', /\$\d\S* of it today/);
    },
  },
];
