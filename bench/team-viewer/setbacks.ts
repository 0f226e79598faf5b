import type { Visitor } from '../viewer/visitor.ts';
import { isSeen } from './seen.ts';
import type { TeamMemory } from './team-memory.ts';

interface Setback {
  name: string;
  who: 'ann' | 'ben' | 'sam';
  run(visitor: Visitor, team: TeamMemory, url: string): Promise<boolean>;
}

const draining = { status: 503, json: { code: 'BACKEND_FAILURE', detail: 'It is stopping.' } };

/** Saves a memory as a teammate would. */
async function say({ project, ben }: TeamMemory, url: string, text: string): Promise<string> {
  const response = await fetch(`${url}/api/projects/${project}/memory`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ben.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
  });
  return ((await response.json()) as { documentId: string }).documentId;
}

/** Short outages of the server and quick sign-outs: the page must stay correct. */
export const setbacks: Setback[] = [
  {
    name: 'liveAgainAfterRefusal',
    who: 'ann',
    async run(visitor, team, url) {
      const { page } = visitor;
      await page.route('**/events*', (route) => route.fulfill(draining), { times: 1 });
      await visitor.go('timeline');
      await page.reload();
      await page.locator('.live-away').waitFor();
      await page.locator('.hit').first().waitFor();
      await say(team, url, 'Said while nobody could hear it.');
      await page.locator('.live-live').waitFor();
      return isSeen(visitor, '.hit', 'Said while nobody could hear it.');
    },
  },
  {
    name: 'deletedBeforeSigningOut',
    who: 'ben',
    async run(visitor, team, url) {
      const id = await say(team, url, 'To be deleted on the way out.');
      await visitor.go(`note/${id}`);
      await visitor.page.locator('.danger').waitFor();
      await visitor.press('x');
      await isSeen(visitor, '.toast', 'Deleted');
      await visitor.click('.sign-out');
      await visitor.page.locator('.door-form').waitFor();
      const { status } = await fetch(`${url}/api/memory/${id}`, {
        headers: { authorization: `Bearer ${team.ben.token}` },
      });
      return status === 404;
    },
  },
  {
    name: 'busyAtTheStart',
    who: 'ann',
    async run(visitor) {
      await visitor.page.route('**/api/v1/me', (route) => route.fulfill(draining), { times: 1 });
      await visitor.page.reload();
      if (!(await isSeen(visitor, '.empty', 'It is stopping.'))) return false;
      await visitor.click('button:has-text("Try again")');
      await visitor.page.locator('nav').waitFor();
      return true;
    },
  },
  {
    name: 'earlierPagesStay',
    who: 'ann',
    async run(visitor, team, url) {
      const { page } = visitor;
      const count = () => page.locator('.hit').count();
      await visitor.go('timeline');
      await page.locator('.live-live').waitFor();
      await visitor.click('.more');
      // A page that forbids eval cannot be asked with an expression.
      await page.locator('.hit').nth(40).waitFor();
      const before = await count();
      await say(team, url, 'Said above what was loaded below.');
      if (!(await isSeen(visitor, '.hit', 'Said above what was loaded below.'))) return false;
      if ((await count()) !== before + 1) return false;
      // The newest page, which a live event loads again, is asked for by a date.
      const isEarlier = ({ pathname, searchParams }: URL) =>
        pathname.endsWith('/timeline') && searchParams.get('anchor')?.startsWith('9999-') === false;
      await page.route(isEarlier, (route) => route.fulfill(draining), { times: 1 });
      await visitor.click('.more');
      return (await isSeen(visitor, '.toast', 'It is stopping.')) && (await count()) === before + 1;
    },
  },
  {
    name: 'seesTheNewestWithASlowClock',
    who: 'ann',
    async run(visitor, team, url) {
      const { page } = visitor;
      await say(team, url, 'Said before the slow clock knew.');
      await page.clock.setFixedTime(Date.now() - 3_600_000);
      await visitor.go('timeline');
      return isSeen(visitor, '.hit', 'Said before the slow clock knew.');
    },
  },
  {
    name: 'deletesByTheRoleOfItsProject',
    who: 'sam',
    async run(visitor, team, url) {
      const id = await say(team, url, 'Not for Sam to delete.');
      await visitor.page.locator('.project-pick select').selectOption({ label: 'storefront' });
      await visitor.go(`note/${id}`);
      await visitor.page.locator('.note').waitFor();
      return (await visitor.page.locator('.danger').count()) === 0;
    },
  },
  {
    name: 'saysWhatWasNotCounted',
    who: 'ann',
    async run(visitor) {
      await visitor.page.route('**/stats?*', async (route) => {
        const response = await route.fetch();
        const counted = (await response.json()) as object;
        await route.fulfill({ response, json: { ...counted, total: 200_000, truncated: true } });
      });
      await visitor.go('stats');
      const isSaid = await isSeen(visitor, 'main', 'the newest 200,000');
      // A request that is still answered when the page closes would end the evaluation.
      await visitor.page.unrouteAll({ behavior: 'wait' });
      return isSaid;
    },
  },
];
