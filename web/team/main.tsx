import { render } from 'preact';
import { listenForKeys } from '../keys.ts';
import { followLive } from '../live.ts';
import { followTheme } from '../theme.ts';
import { TeamApp } from './app.tsx';
import { enter } from './enter.ts';
import { me } from './signed-in.ts';

/** The viewer of a team's memory: what do we know, who said it, and when? As at home, every word of it is data. */
followTheme();
listenForKeys();
followLive((project) =>
  project === '' || me.value === undefined || me.value === 'nobody' ? '' : `/api/projects/${project}/events`,
);
void enter();
render(<TeamApp />, document.getElementById('app') as HTMLElement);
