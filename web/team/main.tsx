import { render } from 'preact';
import { listenForKeys } from '../keys.ts';
import { followLive } from '../live.ts';
import { followTheme } from '../theme.ts';
import { teamApi } from './api.ts';
import { TeamApp } from './app.tsx';
import { me, signedIn, signedOut, signInAt } from './signed-in.ts';

/** The viewer of a team's memory: what do we know, who said it, and when? As at home, every word of it is data. */
followTheme();
listenForKeys();
followLive((project) =>
  project === '' || me.value === undefined || me.value === 'nobody' ? '' : `/api/projects/${project}/events`,
);
void enter();
render(<TeamApp />, document.getElementById('app') as HTMLElement);

async function enter(): Promise<void> {
  try {
    const session = await teamApi.session();
    signInAt.value = session.signInAt ?? '';
    if (session.signedIn) signedIn(await teamApi.me(), await teamApi.projects());
    else signedOut();
  } catch {
    signedOut();
  }
}
