import type { Home } from '../../test/harness/home.ts';
import type { DataSet } from './data-set.ts';
import type { Visitor } from './visitor.ts';

/**
 * Lists states of the page, such as the scroll position, that are lost when the user goes back or when updates arrive.
 */
export async function lostPlaces(open: () => Promise<Visitor>, home: Home, data: DataSet): Promise<string[]> {
  const checks = { backToHits, backToSessions, choiceStays, draftStays };
  const lost: string[] = [];
  for (const [name, check] of Object.entries(checks)) {
    const visitor = await open();
    const isKept = await check(visitor, { home, data }).catch((error: unknown) => {
      console.error(name, error);
      return false;
    });
    if (!isKept) lost.push(`lost: ${name}`);
    await visitor.close();
  }
  return lost;
}

interface Around {
  home: Home;
  data: DataSet;
}

const scrolled = ({ page }: Visitor): Promise<number> => page.evaluate('scrollY') as Promise<number>;

/** Opens an item in the middle of a long page and goes back: the scroll position is the same. */
async function staysThrough(visitor: Visitor, link: string, opened: string): Promise<boolean> {
  const { page, settled } = visitor;
  await page.locator(link).scrollIntoViewIfNeeded();
  const before = await scrolled(visitor);
  await page.locator(link).click();
  await page.locator(opened).first().waitFor();
  await page.goBack();
  await page.locator(link).waitFor();
  await settled();
  return before > 0 && Math.abs((await scrolled(visitor)) - before) < 2;
}

async function backToHits(visitor: Visitor, { data }: Around): Promise<boolean> {
  await visitor.go(`search?q=${encodeURIComponent(data.question.text)}`);
  await visitor.page.locator('.hit').first().waitFor();
  return staysThrough(visitor, '.hit:nth-child(12) .hit-text', '.note, .turns');
}

async function backToSessions(visitor: Visitor): Promise<boolean> {
  await visitor.go('timeline');
  await visitor.page.locator('.more').click();
  return staysThrough(visitor, '.session-title >> nth=35', '.turns');
}

/** Checks that the selected session stays selected when another one arrives above it. */
async function choiceStays({ page, go, press }: Visitor, { home }: Around): Promise<boolean> {
  await go('timeline');
  await page.locator('.session').first().waitFor();
  await press('j j j');
  const chosen = page.locator('[data-chosen] .session-title');
  const before = await chosen.textContent();
  const prompt = 'Something came in above what was chosen';
  const turn = { session_id: 'above', prompt_id: 'above-1', cwd: home.repo };
  await home.startHook({ hook_event_name: 'UserPromptSubmit', ...turn, prompt }).ended;
  await page.locator('.session-title').filter({ hasText: prompt }).first().waitFor();
  return (await chosen.textContent()) === before;
}

/** Checks that an edited text is kept when new proposals arrive and when the user looks at another note in between. */
async function draftStays({ page, go, press }: Visitor, { home }: Around): Promise<boolean> {
  await go('review');
  await page.locator('.proposal').waitFor();
  const waiting = await page.locator('.lead').textContent();
  const current = page.locator('.inbox [aria-current] .memory-line');
  const title = await current.textContent();
  await press('e');
  await page.locator('textarea').fill('What I am writing');
  for (const text of ['Drafts of a note stay for 2 days.', 'Drafts of a note stay for 3 days.'])
    home.json('remember', text, '--kind', 'rule');
  await page
    .locator('.lead')
    .filter({ hasNotText: waiting ?? '' })
    .waitFor();
  const isThere = (await page.locator('textarea').inputValue()) === 'What I am writing';
  const isSame = (await current.textContent()) === title;
  await page.locator('.inbox button').last().click();
  await page
    .locator('.inbox button')
    .filter({ hasText: title ?? '' })
    .first()
    .click();
  await press('e');
  return isThere && isSame && (await page.locator('textarea').inputValue()) === 'What I am writing';
}
